#include "templates/template.h"

namespace tenline::templates {

void Proposals::replace(const Node& node, std::string text, double weight, std::string summary) {
  add({{{node.span(), std::move(text)}}, node, weight, std::move(summary), false});
}

void Proposals::replace_everywhere(const Node& node, std::string text, double weight,
                                   std::string summary) {
  add({{{node.span(), std::move(text)}}, node, weight, std::move(summary), true});
}

}  // namespace tenline::templates

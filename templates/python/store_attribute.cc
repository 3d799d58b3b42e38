// `self.a = a`: an attribute that the class uses gets its value from a parameter, or from the
// object that has it.

#include <algorithm>

#include "templates/python/edits.h"
#include "templates/python/unset.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

/// Objects that the statements beside a gap take attributes of, such as `args` and `config`.
std::set<std::string_view> sources_near(const Gap& gap) {
  std::set<std::string_view> objects;
  for (const Node& near :
       {gap.beside, previous_statement(gap.beside), next_statement(gap.beside)}) {
    const Node assignment = near.child(0);
    if (!assignment.is("assignment")) continue;
    const Node right = assignment.field("right");
    if (right.is("attribute") && is_plain(right)) objects.insert(right.field("object").text());
  }
  return objects;
}

class Store {
 public:
  Store(const Gap& gap, const Context& context, const Node& anchor, Proposals& out)
      : gap_(gap),
        context_(context),
        scope_(context, gap),
        near_(sources_near(gap)),
        anchor_(anchor),
        out_(out) {}

  void run() {
    const Node owner = enclosing_class(gap_.beside);
    const Node function = enclosing_function(gap_.beside);
    if (!owner || !function || !owner.contains(function) || !scope_.has("self")) return;
    const double place = function.field("name").text() == "__init__" ? 1 : 0.4;
    for (const std::string_view name : unset_attributes(context_, owner)) give(name, place);
    from_methods(owner, place);
    pass_on(owner);
    const SelfAttributes& attributes = context_.vocabulary().self_attributes(owner);
    for (const Parameter& parameter : parameters_of(function)) {
      if (parameter.name == "self" || attributes.contains(parameter.name)) continue;
      if (parameter.kind == ParameterKind::star || parameter.kind == ParameterKind::double_star) {
        continue;
      }
      const double unread = is_read(function, parameter.name) ? 0.15 : 1;
      add(fmt::format("self.{0} = {0}", parameter.name), unread * place);
      add(fmt::format("self._{0} = {0}", parameter.name), unread * place * 0.3);
    }
    follow(attributes, function);
  }

 private:
  /// What an attribute that nothing sets may be.
  void give(std::string_view name, double place) {
    const Symptom& symptom = context_.symptom();
    if (symptom.is("AttributeError") && symptom.name == name) place *= 5;
    const std::string_view bare = name.substr(std::min(name.find_first_not_of('_'), name.size()));
    for (const std::string_view local : {name, bare}) {
      if (scope_.has(local)) add(fmt::format("self.{} = {}", name, local), 2 * place);
    }
    std::set<std::string_view> objects = near_;
    for (const std::string_view object : context_.vocabulary().objects_with(bare)) {
      objects.insert(object);
    }
    for (const std::string_view object : {"args", "config", "self.config"}) objects.insert(object);
    for (const std::string_view object : objects) {
      const std::string_view root = object.substr(0, object.find_first_of(".[("));
      if (object == "self" || !scope_.has(root)) continue;
      add(fmt::format("self.{} = {}.{}", name, object, bare),
          (near_.contains(object) ? 1 : 0.4) * place);
    }
  }

  /// `self.config.a = self.a`, where the code beside sets attributes of the same object.
  void pass_on(const Node& owner) {
    std::set<std::string_view> objects;
    for (const Node& near :
         {gap_.beside, previous_statement(gap_.beside), next_statement(gap_.beside)}) {
      const Node left = near.child(0).is("assignment") ? near.child(0).field("left") : Node{};
      const Node object = left.field("object");
      if (left.is("attribute") && is_plain(object) && object.text() != "self") {
        objects.insert(object.text());
      }
    }
    for (const std::string_view object : objects) {
      for (const auto& [name, attribute] : context_.vocabulary().self_attributes(owner)) {
        if (attribute.is_called || object == fmt::format("self.{}", name)) continue;
        add(fmt::format("{0}.{1} = self.{1}", object, name), attribute.is_set ? 0.1 : 0.4);
      }
    }
  }

  /// `self.a = self.make_a()`, also where something else is stored first.
  void from_methods(const Node& owner, double place) {
    const std::string class_name(owner.field("name").text());
    for (const std::string& method : context_.index().members(class_name)) {
      for (const auto& [name, attribute] : context_.vocabulary().self_attributes(owner)) {
        constexpr std::size_t k_shortest = 4;
        if (attribute.is_called || name.size() < k_shortest || name == method) continue;
        if (method.find(name) == std::string::npos) continue;
        const PythonFunction* found = context_.index().method(class_name, method);
        const auto arguments = found != nullptr ? arguments_for(*found, scope_) : std::nullopt;
        if (!arguments) continue;
        add(fmt::format("self.{} = self.{}({})", name, method, *arguments),
            (attribute.is_set ? 0.2 : 1.2) * place);
      }
    }
  }

  /// `self.dtype = value.dtype`: what a parameter has under the name of an attribute of self.
  void follow(const SelfAttributes& attributes, const Node& function) {
    constexpr std::size_t k_most = 40;
    std::size_t count = 0;
    for (const Parameter& parameter : parameters_of(function)) {
      if (parameter.name == "self" || parameter.kind != ParameterKind::normal) continue;
      for (const auto& [name, attribute] : attributes) {
        if (attribute.is_called || name == parameter.name || ++count > k_most) continue;
        const bool known = context_.vocabulary().objects_with(name).contains(parameter.name);
        add(fmt::format("self.{0} = {1}.{0}", name, parameter.name), known ? 0.3 : 0.03);
      }
    }
  }

  void add(const std::string& text, double weight) {
    out_.add({{gap_.put(text)}, anchor_, weight * gap_.told, fmt::format("add `{}`", text), false});
  }

  const Gap& gap_;
  const Context& context_;
  Scope scope_;
  std::set<std::string_view> near_;
  Node anchor_;
  Proposals& out_;
};

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  for (const Gap& gap : gaps_at(context, statement)) Store(gap, context, statement, out).run();
}

}  // namespace

extern constinit const Template k_store_attribute = {
    .id = "store-attribute",
    .family = Family::state_or_order,
    .summary = "Store a parameter, or what an object has, as the attribute that the class reads.",
    .language = Language::python,
    .query = k_any_statement,
    .prior = 0.4,
    .answers = answers::unbound_name | answers::attribute_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates

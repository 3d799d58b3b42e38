// A call that was forgotten: a method of the own class, or one that takes nothing of an object that
// the code around works on.

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/unset.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

/// Methods that are called for what they do and need no argument, in the order of their use.
constexpr std::array<std::string_view, 20> k_effects = {
    "eval",  "train",       "zero_grad", "wait",  "synchronize", "barrier", "flush",
    "close", "clear",       "reset",     "start", "stop",        "step",    "update",
    "join",  "empty_cache", "cuda",      "cpu",   "float",       "detach_"};

struct Module {
  std::string_view root;
  std::string_view call;
};
constexpr std::array<Module, 6> k_library_calls = {
    {{"torch", "torch.cuda.synchronize()"},
     {"torch", "torch.distributed.barrier()"},
     {"dist", "dist.barrier()"},
     {"torch", "torch.cuda.empty_cache()"},
     {"gc", "gc.collect()"},
     {"get_accelerator", "get_accelerator().synchronize()"}}};

/// The objects that a statement and its neighbours work on, nearest first.
std::vector<std::string_view> objects_near(const Gap& gap) {
  std::vector<std::string_view> objects;
  for (const Node& near :
       {gap.beside, previous_statement(gap.beside), next_statement(gap.beside)}) {
    near.walk([&](const Node& node) {
      constexpr std::size_t k_most = 12;
      constexpr std::size_t k_longest = 40;
      if (objects.size() >= k_most || node.is("string")) return false;
      const bool object =
          (node.is("identifier") && (is_use(node) || node.parent().field("left") == node)) ||
          node.is("attribute");
      if (!object || !is_plain(node) || node.span().size() > k_longest) return true;
      if (node.parent().is("call") && node.parent().field("function") == node) return true;
      if (std::find(objects.begin(), objects.end(), node.text()) == objects.end()) {
        objects.push_back(node.text());
      }
      return true;
    });
  }
  return objects;
}

class Inserter {
 public:
  Inserter(const Gap& gap, const Context& context, const Node& anchor, Proposals& out)
      : gap_(gap), context_(context), scope_(context, gap), anchor_(anchor), out_(out) {}

  void own_methods() {
    const Node owner = enclosing_class(gap_.beside);
    const Node function = enclosing_function(gap_.beside);
    if (!owner || !function || !owner.contains(function) || !scope_.has("self")) return;
    const std::string_view own_name = function.field("name").text();
    const SelfAttributes& used = context_.vocabulary().self_attributes(owner);
    const std::string class_name(owner.field("name").text());
    for (const std::string& name : context_.index().members(class_name)) {
      if (name == own_name || name.starts_with("__")) continue;
      const PythonFunction* method = context_.index().method(class_name, name);
      if (method == nullptr) continue;
      const std::optional<std::string> arguments = arguments_for(*method, scope_);
      if (!arguments) continue;
      const bool here = method->file == context_.file();
      double weight = here ? 0.3 : 0.08;
      if (used.contains(name)) weight *= 1.5;
      if (name.starts_with("is_") || name.starts_with("get_")) weight *= 0.2;
      weight *= 0.4 + 1.5 * name_similarity(name, own_name);
      add(fmt::format("self.{}({})", name, *arguments), weight);
      if (!here) continue;
      for (const Parameter& parameter : method->parameters) {
        if (!parameter.has_default || !arguments->empty()) continue;
        const bool is_flag = parameter.default_text == "True" || parameter.default_text == "False";
        if (!is_flag) continue;
        add(fmt::format("self.{}({}={})", name, parameter.name,
                        parameter.default_text == "True" ? "False" : "True"),
            weight * 0.3);
      }
    }
  }

  void effects() {
    double near = 1;
    for (const std::string_view object : objects_near(gap_)) {
      const std::string_view root = object.substr(0, object.find_first_of(".[("));
      if (!scope_.has(root)) continue;
      for (const std::string_view method : k_effects) {
        if (object.ends_with(method)) continue;
        double weight = context_.vocabulary().has(method) ? 0.12 : 0.03;
        if (context_.vocabulary().objects_with(method).contains(object)) weight *= 2;
        add(fmt::format("{}.{}()", object, method), weight * near);
      }
      near *= 0.8;
    }
    double likely = 0.3;
    for (const Module& module : k_library_calls) {
      if (scope_.has(module.root)) add(std::string(module.call), likely);
      likely *= 0.9;
    }
  }

  void give() {
    std::vector<std::pair<double, std::string_view>> best;
    best.reserve(fits_.size());
    for (const auto& [text, weight] : fits_) best.emplace_back(weight, text);
    std::stable_sort(best.begin(), best.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    constexpr std::size_t k_most = 150;
    if (best.size() > k_most) best.resize(k_most);
    for (const auto& [weight, text] : best) {
      out_.add({{gap_.put(text)}, anchor_, weight, fmt::format("add `{}`", text), false});
    }
  }

 private:
  void add(const std::string& text, double weight) {
    if (text == gap_.beside.text() || text.starts_with("_.")) return;
    const Node other = gap_.before ? previous_statement(gap_.beside) : next_statement(gap_.beside);
    if (gap_.beside.text().find(text) != std::string_view::npos) weight *= 0.1;
    if (other.text().find(text) != std::string_view::npos) weight *= 0.1;
    if (!gap_.beside.parent().parent()) weight *= 0.3;  // At module level.
    double& known = fits_[text];
    known = std::max(known, weight * gap_.told);
  }

  const Gap& gap_;
  const Context& context_;
  Scope scope_;
  Node anchor_;
  Proposals& out_;
  std::map<std::string, double> fits_;
};

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  for (const Gap& gap : gaps_at(context, statement)) {
    Inserter inserter(gap, context, statement, out);
    inserter.own_methods();
    inserter.effects();
    inserter.give();
  }
}

}  // namespace

extern constinit const Template k_insert_call = {
    .id = "insert-call",
    .family = Family::state_or_order,
    .summary = "Call a method of the own class, or of an object that the code around works on.",
    .language = Language::python,
    .query = k_any_statement,
    .prior = 0.3,
    .rewrite = rewrite,
};
}  // namespace tenline::templates

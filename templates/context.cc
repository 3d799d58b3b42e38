#include "templates/context.h"

#include <algorithm>
#include <cctype>
#include <ranges>

#include "engine/base/text.h"
#include "templates/python/file_tests.h"
#include "templates/vocabulary.h"

namespace tenline::templates {

namespace {

/// The texts in single or double quotes of a message, at most eight.
std::vector<std::string> quoted(std::string_view message) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < message.size() && parts.size() < 8; ++at) {
    const char quote = message[at];
    if (quote != '\'' && quote != '"') continue;
    const std::size_t end = message.find(quote, at + 1);
    if (end == std::string_view::npos) break;
    parts.emplace_back(message.substr(at + 1, end - at - 1));
    at = end;
  }
  return parts;
}

/// "TorchBackend.barrier() got ..." gives barrier.
std::string function_in_front(std::string_view message) {
  const std::size_t end = message.find("()");
  if (end == std::string_view::npos) return {};
  std::size_t begin = end;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(message[begin - 1])) != 0 ||
                       message[begin - 1] == '_')) {
    --begin;
  }
  return std::string(message.substr(begin, end - begin));
}

void fill_names(Symptom& symptom) {
  const std::vector<std::string> parts = quoted(symptom.message);
  symptom.types = parts;
  const auto part = [&](std::size_t i) { return i < parts.size() ? parts[i] : std::string{}; };
  if (symptom.is("AttributeError")) {
    symptom.owner = part(0);
    symptom.name = part(1);
  } else if (symptom.is("NameError") || symptom.is("UnboundLocalError") || symptom.is("KeyError") ||
             symptom.is("ModuleNotFoundError")) {
    symptom.name = part(0);
  } else if (symptom.is("ImportError")) {
    symptom.name = part(0);
    symptom.owner = part(1);
  } else if (symptom.is("TypeError")) {
    symptom.owner = function_in_front(symptom.message);
    if (!symptom.owner.empty()) {
      symptom.name = part(0);
    } else {
      symptom.owner = part(0);
    }
  }
}

/// The last line of a statement, of a compound one the last before its block.
int header_end(const Node& statement) {
  const Node body = statement.field("body");
  const Node block = body ? body : statement.field("consequence");
  return block ? std::max(statement.line(), block.line() - 1) : statement.end_line();
}

}  // namespace

Node keyed_object(const Node& string) {
  if (!string.is("string")) return {};
  const Node parent = string.parent();
  if (parent.is("subscript")) return parent.field("value");
  if (parent.is("comparison_operator") && parent.child(0) == string) {
    const bool in = parent.field("operators").text().ends_with("in");
    return in ? parent.child(1) : Node{};
  }
  if (!parent.is("argument_list") || parent.child(0) != string) return {};
  const Node function = parent.parent().field("function");
  const std::string_view method = function.field("attribute").text();
  const bool keyed = method == "get" || method == "pop" || method == "setdefault";
  return keyed ? function.field("object") : Node{};
}

Symptom read_symptom(const BugReport& report, const FailureTrace& trace) {
  Symptom symptom;
  if (const FailureException* raised = trace.main_exception()) {
    symptom.type = raised->type;
    symptom.message = raised->message;
  } else if (const Traceback* reported = report.main_error()) {
    symptom.type = reported->exception_type;
    symptom.message = reported->message;
  }
  const std::size_t dot = symptom.type.rfind('.');
  if (dot != std::string::npos) symptom.type.erase(0, dot + 1);
  fill_names(symptom);
  return symptom;
}

Context::Context(const Inputs& inputs) : in_(inputs), lines_(split_lines(inputs.tree.source())) {
  for (const Location& location : in_.locations) {
    if (location.file != in_.file) continue;
    double& score = scores_[location.line];
    score = std::max(score, location.score);
  }
  for (const std::string& name : in_.report.names) issue_names_.insert(name);
  const FailureException* raised = in_.trace.main_exception();
  const int raised_at =
      raised != nullptr && raised->frames.back().file == in_.file ? raised->frames.back().line : 0;
  std::set<std::string, std::less<>> literals;
  in_.tree.root().walk([&](const Node& node) {
    // Not where making the exception itself failed: `raise NotImplemented("...")`.
    const bool names_it =
        node.is("raise_statement") && node.text().find(in_.symptom.type) != std::string_view::npos;
    if (names_it || (node.is("assert_statement") && in_.symptom.is("AssertionError"))) {
      raised_on_purpose_ =
          raised_on_purpose_ || (node.line() <= raised_at && raised_at <= node.end_line());
    }
    if (node.is("attribute")) {
      members_by_object_[std::string(node.field("object").text())].emplace(
          node.field("attribute").text());
      constexpr std::size_t k_longest = 60;
      if (node.span().size() <= k_longest && is_dotted_name(node)) {
        attributes_[std::string(node.field("attribute").text())][std::string(node.text())]
            .push_back(node.line());
      }
    } else if (node.is("call")) {
      const Node function = node.field("function");
      const Node name = function.is("attribute") ? function.field("attribute") : function;
      if (name.is("identifier")) calls_[std::string(name.text())].push_back(node);
    } else if (node.is("keyword_argument")) {
      constexpr std::size_t k_longest_value = 60;
      const std::string_view value = node.field("value").text();
      if (value.size() <= k_longest_value && value.find('\n') == std::string_view::npos) {
        keyword_values_[std::string(node.field("name").text())][std::string(value)].push_back(
            node.line());
      }
    } else if (node.is("string")) {
      const Node keyed = keyed_object(node);
      if (keyed) keys_by_object_[std::string(keyed.text())].emplace(node.text());
      constexpr std::size_t k_longest = 60;  // Longer ones are prose.
      if (node.span().size() <= k_longest && !node.parent().is("expression_statement") &&
          literals.emplace(node.text()).second) {
        string_literals_.emplace_back(node.text());
      }
      return node.text().find('{') != std::string_view::npos;
    }
    return true;
  });
}

Context::~Context() = default;

double Context::line_score(int line) const {
  const auto it = scores_.find(line);
  return it == scores_.end() ? 0 : it->second;
}

std::optional<std::string_view> Context::line_text(int line) const {
  if (line < 1 || static_cast<std::size_t>(line) > lines_.size()) return std::nullopt;
  return lines_[static_cast<std::size_t>(line) - 1];
}

const Vocabulary& Context::vocabulary() const {
  if (vocabulary_ == nullptr) vocabulary_ = std::make_unique<Vocabulary>(*this);
  return *vocabulary_;
}

double Context::score(const Node& node) const {
  const auto of_header = [&](const Node& part) {
    double best = 0;
    const auto end = scores_.upper_bound(header_end(part));
    for (auto it = scores_.lower_bound(part.line()); it != end; ++it) {
      best = std::max(best, it->second);
    }
    return best;
  };
  const Node statement = enclosing_statement(node);
  double best = std::max(of_header(node), of_header(statement));
  if (statement.is("decorated_definition")) {
    best = std::max(best, of_header(statement.field("definition")));
  }
  return best;
}

bool Context::fails_here(const Node& node) const {
  const Node statement = enclosing_statement(node);
  if (const FailureException* raised = in_.trace.main_exception()) {
    const FailureFrame& frame = raised->frames.back();
    return frame.file == in_.file && statement.line() <= frame.line &&
           frame.line <= header_end(statement);
  }
  return false;
}

const SeenValue* Context::seen(const Node& expression) const {
  const FailureException* raised = in_.trace.main_exception();
  if (raised == nullptr) return nullptr;
  const std::string text(expression.text());
  for (const FailureFrame& frame : raised->frames | std::views::reverse) {
    if (frame.file != in_.file) continue;
    const Node function = enclosing_function(expression);
    const bool here = function ? frame.line >= function.line() && frame.line <= function.end_line()
                               : frame.function == "<module>";
    if (!here) continue;
    const auto it = frame.values.find(text);
    if (it != frame.values.end()) return &it->second;
  }
  return nullptr;
}

bool Context::in_issue(std::string_view name) const { return issue_names_.contains(name); }

const std::vector<std::string>& Context::issue_literals() const { return in_.report.literals; }

const std::vector<std::string>& Context::issue_names() const { return in_.report.names; }

const std::vector<Name>& Context::names(const Node& at) const {
  Node scope = at;
  while (scope && !scope.is("function_definition") && !scope.is("class_definition") &&
         !scope.is("module") && !scope.is("lambda") && !scope.is("generator_expression") &&
         !scope.kind().ends_with("_comprehension")) {
    scope = scope.parent();
  }
  // Parameters' defaults and decorators see the outer scope: they are looked up by themselves.
  const bool in_body = !scope.is("function_definition") || scope.field("body").contains(at);
  const std::size_t key = in_body ? scope.span().begin * 2 : at.span().begin * 2 + 1;
  const auto it = names_by_scope_.find(key);
  if (it != names_by_scope_.end()) return it->second;
  return names_by_scope_[key] = names_in_scope(at);
}

const std::unordered_set<std::string_view>& Context::name_set(const Node& at) const {
  const std::vector<Name>& list = names(at);
  std::unordered_set<std::string_view>& set = name_sets_[&list];
  if (set.empty()) {
    for (const Name& name : list) set.insert(name.text);
    for (const std::string_view builtin : {"len", "int", "str", "max", "min", "list", "sum"}) {
      set.insert(builtin);
    }
  }
  return set;
}

const Ingredients& Context::ingredients() const {
  if (!ingredients_) ingredients_ = std::make_unique<const Ingredients>(in_.tree);
  return *ingredients_;
}

const DistantValues& Context::distant() const {
  if (!distant_) distant_ = std::make_unique<const DistantValues>(in_.tree, in_.index);
  return *distant_;
}

std::vector<std::string> Context::keys(const Node& object) const {
  const auto it = keys_by_object_.find(object.text());
  if (it == keys_by_object_.end()) return {};
  return {it->second.begin(), it->second.end()};
}

std::vector<std::string> Context::members(const Node& object, std::string_view known_member) const {
  std::set<std::string> found;
  const auto used = members_by_object_.find(object.text());
  if (used != members_by_object_.end()) found = used->second;
  if (object.text() == "self" || object.text() == "cls" || object.text() == "super()") {
    const Node owner = enclosing_class(object);
    if (owner) found.merge(in_.index.members(owner.field("name").text()));
  } else {
    found.merge(in_.index.siblings_of_member(known_member));
    if (!in_.symptom.owner.empty() && in_.symptom.name == known_member) {
      found.merge(in_.index.members(in_.symptom.owner));
    }
  }
  return {found.begin(), found.end()};
}

const PythonFunction* Context::callee(const Node& call) const {
  const Node function = call.field("function");
  const auto constructor = [&](std::string_view class_name) {
    return in_.index.classes(class_name).empty() ? nullptr
                                                 : in_.index.method(class_name, "__init__");
  };
  if (function.is("identifier")) {
    const std::vector<PythonFunction>& plain = in_.index.functions(function.text());
    const PythonFunction* best = nullptr;
    for (const PythonFunction& candidate : plain) {
      if (!candidate.class_name.empty()) continue;
      if (best == nullptr || candidate.file == in_.file) best = &candidate;
    }
    return best != nullptr ? best : constructor(function.text());
  }
  if (!function.is("attribute")) return nullptr;
  const std::string_view method = function.field("attribute").text();
  const Node object = function.field("object");
  const Node owner = enclosing_class(call);
  if (owner && object.text() == "self") {
    return in_.index.method(owner.field("name").text(), method);
  }
  if (owner && object.is("call") && object.field("function").text() == "super") {
    for (const Node& base : owner.field("superclasses").children()) {
      const std::string_view name =
          base.is("attribute") ? base.field("attribute").text() : base.text();
      if (const PythonFunction* found = in_.index.method(name, method)) return found;
    }
    return nullptr;
  }
  if (const PythonFunction* found = constructor(method)) return found;
  // A method name that only one signature of the repository has.
  const std::vector<PythonFunction>& all = in_.index.functions(method);
  return all.size() == 1 ? &all.front() : nullptr;
}

const Context::Uses& Context::attributes(std::string_view name) const {
  static const Uses k_none;
  const auto it = attributes_.find(name);
  return it == attributes_.end() ? k_none : it->second;
}

const Context::Uses& Context::keyword_values(std::string_view keyword) const {
  static const Uses k_none;
  const auto it = keyword_values_.find(keyword);
  return it == keyword_values_.end() ? k_none : it->second;
}

const std::vector<Node>& Context::calls(std::string_view called) const {
  static const std::vector<Node> k_none;
  const auto it = calls_.find(called);
  return it == calls_.end() ? k_none : it->second;
}

const std::vector<std::string>& Context::string_literals() const { return string_literals_; }

const FileTests& Context::tests() const {
  if (tests_ == nullptr) tests_ = std::make_shared<const FileTests>(read_file_tests(tree()));
  return *tests_;
}

}  // namespace tenline::templates

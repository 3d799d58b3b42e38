#include "templates/user_template.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "engine/base/text.h"
#include "templates/user_constraint.h"
#include "templates/user_query.h"
#include "templates/yaml_document.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_most_files = 200;
constexpr std::size_t k_most_ingredients = 3;
constexpr std::size_t k_most_steps = 8;
constexpr std::size_t k_most_examples = 50;

using Kind = YamlValue::Kind;

bool is_id(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !text.empty() && text.size() <= 40 && text.front() >= 'a' && text.front() <= 'z' &&
         text.back() != '-' && std::all_of(text.begin(), text.end(), fits);
}

std::optional<Family> family_of(std::string_view text) {
  for (int i = 0; i <= static_cast<int>(Family::other); ++i) {
    if (to_string(static_cast<Family>(i)) == text) return static_cast<Family>(i);
  }
  return std::nullopt;
}

std::string without_at(std::string name) {
  if (name.starts_with('@')) name.erase(0, 1);
  return name;
}

struct ActionWord {
  std::string_view word;
  RuleStep::Action action;
};
constexpr std::array<ActionWord, 6> k_actions = {
    {{"replace", RuleStep::Action::replace},
     {"insert_before", RuleStep::Action::insert_before},
     {"insert_after", RuleStep::Action::insert_after},
     {"delete", RuleStep::Action::remove},
     {"add_argument", RuleStep::Action::add_argument},
     {"add_import", RuleStep::Action::add_import}}};

std::string_view what_is(Kind kind) {
  if (kind == Kind::text) return "a text";
  return kind == Kind::list ? "a list" : "a map of keys";
}

}  // namespace

/// Turns the document of one file into its template, key by key.
class UserTemplateReader {
 public:
  explicit UserTemplateReader(const std::string& file) : made_(new UserTemplate) {
    made_->file_ = file;
  }

  Result<std::unique_ptr<UserTemplate>> read(std::string_view text) {
    TENLINE_TRY(const YamlValue root, parse_yaml(made_->file_, text));
    if (root.kind != Kind::map) return refuse(root.line, "the file is no map of keys");
    TENLINE_TRY_VOID(check_keys(root, {"id", "family", "summary", "language", "prior", "query",
                                       "constraints", "rewrite", "examples"}));
    TENLINE_TRY_VOID(read_names(root));
    TENLINE_TRY_VOID(read_query(root));
    TENLINE_TRY_VOID(read_rewrite(root));
    TENLINE_TRY_VOID(read_constraints(root));
    TENLINE_TRY_VOID(read_examples(root));
    made_->form_.id = made_->id_.c_str();
    made_->form_.summary = made_->summary_.c_str();
    made_->form_.query = made_->query_.c_str();
    made_->form_.file = made_->file_.c_str();
    return std::move(made_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> refuse(int line, std::string_view reason) const {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}:{}: {}", made_->file_, line, to_valid_utf8(reason)));
  }

  [[nodiscard]] Result<void> check_keys(const YamlValue& map,
                                        const std::vector<std::string_view>& known) const {
    for (const YamlEntry& entry : map.entries) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      return refuse(entry.line,
                    fmt::format("there is no key {} here ({})", entry.key, fmt::join(known, ", ")));
    }
    return {};
  }

  static const YamlValue* find(const YamlValue& map, std::string_view key) {
    for (const YamlEntry& entry : map.entries) {
      if (entry.key == key) return &entry.value;
    }
    return nullptr;
  }

  [[nodiscard]] Result<const YamlValue*> need(const YamlValue& map, std::string_view key,
                                              Kind kind) const {
    const YamlValue* value = find(map, key);
    if (value == nullptr) return refuse(map.line, fmt::format("the key {} is missing", key));
    if (value->kind != kind) {
      return refuse(value->line, fmt::format("{} needs {}", key, what_is(kind)));
    }
    return value;
  }

  Result<void> read_names(const YamlValue& root) {
    TENLINE_TRY(const YamlValue* id, need(root, "id", Kind::text));
    if (!is_id(id->text)) {
      return refuse(id->line,
                    "an id has small letters, digits and hyphens, and begins with a letter");
    }
    if (id->text == "all" || id->text == "none") {
      return refuse(id->line, fmt::format("the id {} is reserved", id->text));
    }
    for (const Template* form : registry()) {
      if (id->text == form->id) {
        return refuse(id->line, fmt::format("the id {} is that of a built-in template", id->text));
      }
    }
    made_->id_ = id->text;
    TENLINE_TRY(const YamlValue* family, need(root, "family", Kind::text));
    const std::optional<Family> known = family_of(family->text);
    if (!known) return refuse(family->line, fmt::format("there is no family {}", family->text));
    made_->form_.family = *known;
    TENLINE_TRY(const YamlValue* summary, need(root, "summary", Kind::text));
    made_->summary_ = trim(summary->text);
    if (made_->summary_.empty() || made_->summary_.find('\n') != std::string::npos) {
      return refuse(summary->line, "summary needs one line of text");
    }
    TENLINE_TRY(const YamlValue* language, need(root, "language", Kind::text));
    if (language->text != "python")
      return refuse(language->line, "the language can only be python");
    return read_prior(root);
  }

  Result<void> read_prior(const YamlValue& root) {
    const YamlValue* value = find(root, "prior");
    if (value == nullptr) return {};
    const std::string& text = value->text;
    double prior = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), prior);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    const bool in_range = prior > 0 && prior <= 10;  // "nan" is not.
    if (!whole || !in_range) {
      return refuse(value->line, "prior needs a number above 0, at most 10");
    }
    made_->form_.prior = prior;
    return {};
  }

  Result<void> read_query(const YamlValue& root) {
    TENLINE_TRY(const YamlValue* value, need(root, "query", Kind::text));
    made_->query_ = value->text;
    if (const auto problem = problem_of_user_query(value->text)) {
      const std::string_view before = std::string_view(value->text).substr(0, problem->offset);
      const auto row = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
      const std::size_t begin = row == 0 ? 0 : before.rfind('\n') + 1;
      return refuse(line_in(*value, row),
                    fmt::format("line {}, column {} of the query: {}", row + 1,
                                problem->offset - begin + 1, problem->reason));
    }
    const Result<Query> query = Query::compile(Language::python, value->text);
    captures_ = query->captures();
    if (captures_.empty())
      return refuse(value->line, "the query captures nothing: it needs an @name");
    return {};
  }

  /// The file's line of a row, from 0, of a text; its first where the rows are not the file's.
  static int line_in(const YamlValue& value, int row) {
    return value.literal ? value.line + 1 + row : value.line;
  }

  [[nodiscard]] bool captures(const std::string& name) const {
    return std::find(captures_.begin(), captures_.end(), name) != captures_.end();
  }

  [[nodiscard]] const HoleIngredient* ingredient(const std::string& name) const {
    for (const HoleIngredient& one : made_->rule_.ingredients) {
      if (one.name == name) return &one;
    }
    return nullptr;
  }

  Result<void> read_rewrite(const YamlValue& root) {
    const YamlValue* value = find(root, "rewrite");
    if (value == nullptr) return refuse(root.line, "the key rewrite is missing");
    if (value->kind == Kind::map) {
      TENLINE_TRY_VOID(read_step(*value));
    } else if (value->kind == Kind::list && !value->items.empty() &&
               value->items.size() <= k_most_steps) {
      for (const YamlValue& item : value->items) TENLINE_TRY_VOID(read_step(item));
    } else {
      return refuse(value->line,
                    fmt::format("rewrite needs a map of keys, or a list of 1 to {}", k_most_steps));
    }
    if (made_->rule_.ingredients.size() > k_most_ingredients) {
      return refuse(value->line, fmt::format("there are more than {} holes with ingredients",
                                             k_most_ingredients));
    }
    return check_holes();
  }

  Result<void> read_step(const YamlValue& value) {
    if (value.kind != Kind::map) return refuse(value.line, "a step of rewrite needs a map of keys");
    std::vector<std::string_view> known;
    known.reserve(k_actions.size() + 1);
    for (const ActionWord& one : k_actions) known.push_back(one.word);
    known.emplace_back("text");
    TENLINE_TRY_VOID(check_keys(value, known));
    RuleStep step;
    const YamlValue* target = nullptr;
    for (const ActionWord& one : k_actions) {
      const YamlValue* found = find(value, one.word);
      if (found == nullptr) continue;
      if (target != nullptr)
        return refuse(found->line, "a step does one thing; the next is a step of its own");
      TENLINE_TRY(target, need(value, one.word, Kind::text));
      step.action = one.action;
    }
    if (target == nullptr)
      return refuse(
          value.line,
          "a step needs replace, insert_before, insert_after, delete, add_argument or add_import");
    if (step.action == RuleStep::Action::add_import) {
      if (!is_import(target->text))
        return refuse(target->line, "add_import needs one import statement");
      return read_text(*target, step);
    }
    step.capture = without_at(target->text);
    if (!captures(step.capture))
      return refuse(target->line, fmt::format("@{} is not captured by the query", step.capture));
    if (step.action == RuleStep::Action::remove) {
      if (const YamlValue* text = find(value, "text"))
        return refuse(text->line, "delete has no text");
      made_->rule_.steps.push_back(std::move(step));
      texts_.push_back(target);
      return {};
    }
    TENLINE_TRY(const YamlValue* text, need(value, "text", Kind::text));
    if (trim(text->text).empty()) return refuse(text->line, "the text is empty");
    return read_text(*text, step);
  }

  static bool is_import(std::string_view text) {
    return (text.starts_with("import ") || text.starts_with("from ")) &&
           text.find_first_of("\r\n;$") == std::string_view::npos;
  }

  Result<void> read_text(const YamlValue& value, RuleStep& step) {
    auto text = parse_rewrite_text(value.text);
    if (!text) return refuse(line_in(value, text.error().line), text.error().reason);
    step.text = *std::move(text);
    for (const HoleIngredient& one : step.text.ingredients) {
      if (captures(one.name))
        return refuse(
            value.line,
            fmt::format("the hole ${} has an ingredient, but is captured by the query", one.name));
      if (!one.object.empty() && !captures(one.object))
        return refuse(value.line, fmt::format("@{} is not captured by the query", one.object));
      const HoleIngredient* known = ingredient(one.name);
      if (known == nullptr) {
        made_->rule_.ingredients.push_back(one);
      } else if (known->source != one.source || known->object != one.object) {
        return refuse(value.line, fmt::format("the hole ${} has two ingredients", one.name));
      }
    }
    made_->rule_.steps.push_back(std::move(step));
    texts_.push_back(&value);
    return {};
  }

  Result<void> check_holes() {
    for (std::size_t i = 0; i < made_->rule_.steps.size(); ++i) {
      const RewriteText& text = made_->rule_.steps[i].text;
      for (std::size_t row = 0; row < text.lines.size(); ++row) {
        for (const TextPart& part : text.lines[row].parts) {
          const std::string& hole = part.hole;
          if (hole.empty() || captures(hole) || ingredient(hole) != nullptr) continue;
          return refuse(line_in(*texts_[i], static_cast<int>(row)),
                        fmt::format("the hole ${} is not captured by the query", hole));
        }
      }
    }
    return {};
  }

  Result<void> read_constraints(const YamlValue& root) {
    Rule& rule = made_->rule_;
    rule.repeatable = rule.ingredients.empty();
    const YamlValue* all = find(root, "constraints");
    if (all == nullptr) return {};
    TENLINE_TRY(all, need(root, "constraints", Kind::map));
    for (const YamlEntry& about : all->entries) {
      std::string subject = without_at(about.key);
      if (subject.starts_with('$')) subject.erase(0, 1);
      const bool hole = ingredient(subject) != nullptr;
      if (!hole && !captures(subject))
        return refuse(
            about.line,
            fmt::format("{} is neither captured by the query nor a hole with an ingredient",
                        subject));
      if (about.value.kind != Kind::map || about.value.entries.empty())
        return refuse(about.line, fmt::format("the constraints of {} need a map of keys", subject));
      for (const YamlEntry& one : about.value.entries) {
        Result<Constraint> constraint =
            make_constraint(subject, hole ? Subject::hole : Subject::capture, one.key, one.value);
        if (!constraint) return refuse(one.line, constraint.error().message);
        const std::string& other = constraint->other;
        if (!other.empty() && !captures(other) && ingredient(other) == nullptr)
          return refuse(
              one.line,
              fmt::format("{} is neither captured by the query nor a hole with an ingredient",
                          other));
        rule.repeatable = rule.repeatable && !looks_outside(one.key);
        rule.constraints.push_back(*std::move(constraint));
      }
    }
    return {};
  }

  Result<void> read_examples(const YamlValue& root) {
    TENLINE_TRY(const YamlValue* all, need(root, "examples", Kind::list));
    if (all->items.size() > k_most_examples)
      return refuse(all->line, fmt::format("there are more than {} examples", k_most_examples));
    bool fires = false;
    for (const YamlValue& item : all->items) {
      TENLINE_TRY(TemplateExample example, read_example(item));
      fires = fires || example.after;
      made_->examples_.push_back(std::move(example));
    }
    if (!fires) return refuse(all->line, "the examples need one with before and after");
    return {};
  }

  [[nodiscard]] Result<TemplateExample> read_example(const YamlValue& item) const {
    if (item.kind != Kind::map)
      return refuse(item.line, "an example needs before and after, or unchanged");
    TENLINE_TRY_VOID(check_keys(item, {"before", "after", "unchanged"}));
    if (const YamlValue* unchanged = find(item, "unchanged")) {
      if (item.entries.size() > 1)
        return refuse(item.line, "an example has before and after, or unchanged");
      TENLINE_TRY(unchanged, need(item, "unchanged", Kind::text));
      return TemplateExample{item.line, unchanged->text, std::nullopt};
    }
    TENLINE_TRY(const YamlValue* before, need(item, "before", Kind::text));
    TENLINE_TRY(const YamlValue* after, need(item, "after", Kind::text));
    if (before->text == after->text)
      return refuse(item.line, "before and after are equal; write unchanged");
    return TemplateExample{item.line, before->text, after->text};
  }

  std::unique_ptr<UserTemplate> made_;
  std::vector<std::string> captures_;
  std::vector<const YamlValue*> texts_;  ///< Of each step, for its lines.
};

Result<std::unique_ptr<UserTemplate>> UserTemplate::read(const std::string& file,
                                                         std::string_view text) {
  return UserTemplateReader(file).read(text);
}

std::vector<const Template*> UserTemplates::forms() const {
  std::vector<const Template*> found;
  found.reserve(templates.size());
  for (const auto& one : templates) found.push_back(&one->form());
  return found;
}

UserTemplates read_user_templates(const FileTexts& texts) {
  UserTemplates read;
  std::map<std::string, std::string> file_of_id;
  for (const auto& [file, text] : texts) {
    Result<std::unique_ptr<UserTemplate>> one = UserTemplate::read(file, text);
    if (!one) {
      read.problems.push_back(one.error().message);
      continue;
    }
    const auto [known, is_new] = file_of_id.emplace((*one)->form().id, file);
    if (is_new) {
      read.templates.push_back(*std::move(one));
    } else {
      read.problems.push_back(
          fmt::format("{}:1: the id {} is that of {}", file, known->first, known->second));
    }
  }
  return read;
}

UserTemplates user_templates_of(const Workspace& workspace) {
  const std::string folder = std::string(k_user_templates) + "/";
  FileTexts texts;
  std::vector<std::string> problems;
  for (const std::string& file : workspace.files()) {
    if (!file.starts_with(folder) || !file.ends_with(".yaml")) continue;
    if (file.find('/', folder.size()) != std::string::npos) continue;
    if (texts.size() == k_most_files) {
      problems.push_back(
          fmt::format("{}: only the first {} templates are used", folder, k_most_files));
      break;
    }
    Result<std::string> text = workspace.read(file);
    if (text) {
      texts[file] = *std::move(text);
    } else {
      problems.push_back(text.error().message);
    }
  }
  UserTemplates read = read_user_templates(texts);
  read.problems.insert(read.problems.end(), problems.begin(), problems.end());
  return read;
}

}  // namespace tenline::templates

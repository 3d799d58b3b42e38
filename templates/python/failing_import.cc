// An import that fails: from the module that has the name now, only where it is installed, in the
// functions that use it, or not at all.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/gaps.h"
#include "templates/python/imports.h"

namespace tenline::templates {
namespace {

/// One name that a statement imports.
struct Imported {
  Node node;
  std::string what;   ///< `a.b` or `x`.
  std::string bound;  ///< The name that the file sees.
};

std::vector<Imported> imported_by(const Node& statement) {
  std::vector<Imported> names;
  for (const Node& name : statement.fields("name")) {
    const Node alias = name.field("alias");
    const Node what = alias ? name.field("name") : name;
    names.push_back(
        {name, std::string(what.text()), std::string(alias ? alias.text() : what.child(0).text())});
  }
  return names;
}

/// The statement with its comment and line end, or only itself where others share its line.
Span whole_line(const Node& statement) {
  const std::string& source = statement.source();
  Span span = statement.span();
  const std::size_t next = source.find_first_not_of(" \t\r", span.end);
  if (next == std::string::npos || (source[next] != '\n' && source[next] != '#')) return span;
  const std::size_t end = source.find('\n', next);
  span.begin -= indentation(statement).size();
  span.end = end == std::string::npos ? source.size() : end + 1;
  return span;
}

/// The outermost functions whose bodies use a name; nothing where other code uses it too.
struct Users {
  std::vector<Node> functions;
  bool elsewhere = false;
};

Users users_of(const Node& root, const Node& statement, const std::vector<Imported>& names) {
  Users users;
  root.walk([&](const Node& node) {
    if (node == statement) return false;
    const bool uses = node.is("identifier") && is_use(node) &&
                      std::any_of(names.begin(), names.end(),
                                  [&](const Imported& name) { return name.bound == node.text(); });
    if (!uses) return true;
    const Node function = enclosing_function(node);
    if (!function || !function.field("body").contains(node)) {
      users.elsewhere = true;
    } else if (std::find(users.functions.begin(), users.functions.end(), function) ==
               users.functions.end()) {
      users.functions.push_back(function);
    }
    return true;
  });
  return users;
}

class ImportFixer {
 public:
  ImportFixer(const Context& context, const Node& statement, double weight, Proposals& out)
      : context_(context),
        statement_(statement),
        names_(imported_by(statement)),
        weight_(weight),
        out_(out) {}

  /// `from torch.six import inf` becomes `from torch import inf`, or from where it is defined.
  void from_elsewhere() {
    const Node module = statement_.field("module_name");
    if (!module) return;
    const bool unknown = context_.symptom().type.empty();
    if (names_.size() > 1) together(module);
    for (const Imported& name : names_) {
      const bool named = context_.symptom().name == name.what;
      if (names_.size() > 1 && !named && !unknown) continue;
      double weight = weight_ * (named || names_.size() == 1 ? 1.1 : 0.4);
      for (const std::string& other : homes_of(name, module.text())) {
        move_name(module, name, other, weight);
        weight *= 0.85;
      }
    }
  }

  /// All names from another module, or each from its own.
  void together(const Node& module) {
    std::set<std::string> homes;
    std::string each;
    for (const Imported& name : names_) {
      const std::vector<std::string> found = homes_of(name, module.text());
      if (found.empty()) return;
      homes.insert(found.front());
      each += fmt::format("{}from {} import {}",
                          each.empty() ? "" : line_end(statement_) + indentation(statement_),
                          found.front(), name.node.text());
    }
    if (homes.size() == 1) {
      out_.add(change_of(statement_, module.span(), *homes.begin(), weight_,
                         fmt::format("import from `{}`", *homes.begin())));
    } else {
      out_.replace(statement_, each, weight_ * 0.4, "import each name from its own module");
    }
  }

  /// `try: import x` and `except ImportError: x = None`.
  void only_if_installed() {
    constexpr std::size_t k_most_names = 3;
    if (!starts_line(statement_) || names_.empty() || names_.size() > k_most_names) return;
    if (statement_.parent().parent().is("try_statement")) return;
    const std::string end = line_end(statement_);
    const std::string indent = indentation(statement_);
    const std::string inner = indent + indent_step(statement_);
    std::string fallback;
    for (const Imported& name : names_)
      fallback += fmt::format("{}{}{} = None", end, inner, name.bound);
    const bool bare = statement_.source().find("except:") != std::string::npos;
    guard("except ImportError:" + fallback, 0.9);
    guard("except:" + fallback, bare ? 0.6 : 0.1);
    guard("except Exception:" + fallback, 0.1);
    guard(fmt::format("except ImportError:{}{}pass", end, inner), 0.2);
    guard("except (ImportError, ModuleNotFoundError):" + fallback, 0.1);
  }

  void guard(const std::string& handler, double weight) {
    const std::string end = line_end(statement_);
    const std::string indent = indentation(statement_);
    const std::string step = indent_step(statement_);
    Proposal proposal{{},
                      statement_,
                      weight_ * weight,
                      fmt::format("`{}` only where it is installed", brief(statement_.text()))};
    const Span span = statement_.span();
    proposal.changes.push_back(
        {{span.begin, span.begin}, fmt::format("try:{}{}{}", end, indent, step)});
    for (const std::size_t at : line_starts(statement_, span)) {
      proposal.changes.push_back({{at, at}, step});
    }
    proposal.changes.push_back({{end_of_line(statement_), end_of_line(statement_)},
                                fmt::format("{}{}{}", end, indent, handler)});
    out_.add(std::move(proposal));
  }

  /// Into the functions that use the names, or away where nothing does.
  void where_used() {
    if (enclosing_function(statement_) || !starts_line(statement_)) return;
    const Users users = users_of(context_.tree().root(), statement_, names_);
    if (users.elsewhere) return;
    Proposal proposal{{{whole_line(statement_), ""}},
                      statement_,
                      weight_ * 1.2,
                      fmt::format("delete the unused `{}`", brief(statement_.text()))};
    constexpr std::size_t k_most_functions = 4;
    if (users.functions.size() > k_most_functions) return;
    for (const Node& function : users.functions) {
      Proposal local =
          import_before(first_statement(function.field("body")), std::string(statement_.text()), 1);
      std::move(local.changes.begin(), local.changes.end(), std::back_inserter(proposal.changes));
    }
    if (!users.functions.empty()) {
      proposal.weight *= 0.65;
      proposal.summary =
          fmt::format("move `{}` into the functions that use it", brief(statement_.text()));
    }
    out_.add(std::move(proposal));
  }

 private:
  [[nodiscard]] std::vector<std::string> homes_of(const Imported& name,
                                                  std::string_view module) const {
    std::vector<std::string> homes;
    const auto add = [&](std::string home) {
      if (!home.empty() && home != module &&
          std::find(homes.begin(), homes.end(), home) == homes.end()) {
        homes.push_back(std::move(home));
      }
    };
    for (const std::string& file : context_.index().definers(name.what)) add(module_name(file));
    for (const std::string& text : context_.index().imports_of(name.bound)) {
      const std::size_t end = text.find(" import ");
      if (text.starts_with("from ") && !text.starts_with("from .") && end != std::string::npos) {
        add(text.substr(5, end - 5));
      }
    }
    if (context_.symptom().type.empty()) {  // The same module by its other name.
      add(absolute_module(context_.file(), module));
      const std::size_t known = homes.size();
      for (std::size_t i = 0; i < known; ++i) add(relative_module(context_.file(), homes[i]));
    }
    const std::size_t dot = module.rfind('.');
    if (dot != std::string_view::npos && !module.starts_with("."))
      add(std::string(module.substr(0, dot)));
    if (module == "collections") add("collections.abc");
    constexpr std::size_t k_most = 8;
    if (homes.size() > k_most) homes.resize(k_most);
    return homes;
  }

  /// The import with other words, at another place that is pointed to.
  void move_line(const std::string& text, double weight, const std::string& summary) {
    constexpr std::size_t k_most_gaps = 6;
    if (!statement_.parent().is("module") || !has_own_lines(statement_)) return;
    const Span line = whole_line(statement_);
    std::size_t count = 0;
    for (const Node& other : statement_.parent().children()) {
      for (const Gap& gap : gaps_at(context_, other)) {
        const bool near = line.begin <= gap.position() && gap.position() <= line.end;
        if (near || gap.beside.parent() != statement_.parent() || ++count > k_most_gaps) continue;
        out_.add({{{line, ""}, gap.put(text)}, statement_, weight * gap.told, summary, false});
      }
    }
  }

  void move_name(const Node& module, const Imported& name, const std::string& home, double weight) {
    const std::string summary = fmt::format("import `{}` from `{}`", name.what, home);
    if (names_.size() == 1) {
      out_.add(change_of(statement_, module.span(), home, weight, summary));
      move_line(fmt::format("from {} import {}", home, name.node.text()), weight * 0.6, summary);
      return;
    }
    Proposal proposal =
        import_before(statement_, fmt::format("from {} import {}", home, name.node.text()), weight);
    proposal.changes.push_back(removal_of(name.node));
    proposal.summary = summary;
    out_.add(std::move(proposal));
  }

  const Context& context_;
  Node statement_;
  std::vector<Imported> names_;
  double weight_;
  Proposals& out_;
};

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  const Symptom& symptom = context.symptom();
  const bool import_failed = symptom.is("ImportError") || symptom.is("ModuleNotFoundError");
  const bool here = context.fails_here(statement);
  const bool unknown = symptom.type.empty();
  if (!import_failed && !here && !unknown) return;
  const bool named =
      !symptom.name.empty() && statement.text().find(symptom.name) != std::string_view::npos;
  double weight = 0.3;  // An import further in may be what fails.
  if (here) weight = named ? 3 : 1.5;
  if (!here && named) weight = 1;
  if (!import_failed && !unknown) weight *= 0.3;
  ImportFixer fixer(context, statement, weight, out);
  fixer.from_elsewhere();
  fixer.only_if_installed();
  fixer.where_used();
}

}  // namespace

extern constinit const Template k_failing_import = {
    .id = "failing-import",
    .family = Family::version_compatibility,
    .summary = "Import from elsewhere, only if installed, where it is used, or not at all.",
    .language = Language::python,
    .query = "[(import_statement) (import_from_statement)] @statement",
    .prior = 0.9,
    .answers = answers::unbound_name | answers::import_error | answers::attribute_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates

// A function or method where its opposite or close relative is meant: `max` for `min`, `index` for
// `find`, `append` for `extend`.

#include <array>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

struct Relatives {
  std::string_view one;
  std::string_view other;
  double weight = 0.5;
};

// Both ways.
constexpr std::array k_relatives = {
    // Numbers.
    Relatives{"max", "min"},
    Relatives{"any", "all"},
    Relatives{"floor", "ceil"},
    Relatives{"floor", "round", 0.2},
    Relatives{"sum", "max", 0.15},
    Relatives{"sum", "mean", 0.4},
    Relatives{"mean", "prod", 0.1},
    Relatives{"sum", "prod", 0.3},
    Relatives{"sum", "len", 0.2},
    Relatives{"argmax", "argmin"},
    Relatives{"minimum", "maximum"},
    Relatives{"amax", "amin"},
    Relatives{"cumsum", "cumprod", 0.3},
    Relatives{"log", "exp", 0.2},
    Relatives{"log", "log2", 0.2},
    Relatives{"numel", "dim", 0.15},
    Relatives{"numel", "size", 0.3},
    Relatives{"gt", "lt", 0.4},
    Relatives{"ge", "le", 0.4},
    Relatives{"gt", "ge", 0.4},
    Relatives{"lt", "le", 0.4},
    // Texts.
    Relatives{"split", "rsplit"},
    Relatives{"index", "find"},
    Relatives{"rindex", "rfind"},
    Relatives{"find", "rfind", 0.4},
    Relatives{"index", "rindex", 0.4},
    Relatives{"startswith", "endswith"},
    Relatives{"lstrip", "rstrip"},
    Relatives{"strip", "rstrip"},
    Relatives{"strip", "lstrip"},
    Relatives{"lower", "upper", 0.4},
    Relatives{"encode", "decode"},
    Relatives{"partition", "rpartition"},
    Relatives{"removeprefix", "removesuffix"},
    Relatives{"lstrip", "removeprefix"},
    Relatives{"rstrip", "removesuffix"},
    Relatives{"str", "repr", 0.2},
    Relatives{"search", "match"},
    Relatives{"match", "fullmatch"},
    // Containers.
    Relatives{"append", "extend"},
    Relatives{"append", "add", 0.3},
    Relatives{"keys", "values"},
    Relatives{"keys", "items"},
    Relatives{"values", "items"},
    Relatives{"pop", "get", 0.4},
    Relatives{"setdefault", "get", 0.3},
    Relatives{"remove", "discard"},
    Relatives{"popleft", "pop", 0.4},
    Relatives{"append", "appendleft", 0.3},
    Relatives{"update", "add", 0.3},
    Relatives{"add", "remove", 0.2},
    Relatives{"intersection", "union", 0.4},
    Relatives{"difference", "intersection", 0.3},
    Relatives{"sorted", "reversed", 0.2},
    Relatives{"sorted", "list", 0.1},
    Relatives{"getattr", "hasattr", 0.3},
    Relatives{"isinstance", "issubclass", 0.3},
    Relatives{"copy", "deepcopy"},
    Relatives{"load", "loads", 0.4},
    Relatives{"dump", "dumps", 0.4},
    // Files.
    Relatives{"exists", "isfile", 0.4},
    Relatives{"exists", "isdir", 0.4},
    Relatives{"isfile", "isdir", 0.4},
    Relatives{"basename", "dirname"},
    Relatives{"abspath", "realpath", 0.3},
    Relatives{"mkdir", "makedirs"},
    // Tensors and modules.
    Relatives{"view", "reshape"},
    Relatives{"squeeze", "unsqueeze", 0.3},
    Relatives{"cat", "stack"},
    Relatives{"zeros", "ones", 0.4},
    Relatives{"zeros", "empty", 0.4},
    Relatives{"zeros_like", "ones_like", 0.4},
    Relatives{"zeros_like", "empty_like", 0.4},
    Relatives{"new_zeros", "new_empty", 0.3},
    Relatives{"detach", "clone", 0.2},
    Relatives{"item", "tolist", 0.3},
    Relatives{"cuda", "cpu", 0.2},
    Relatives{"train", "eval", 0.3},
    Relatives{"parameters", "named_parameters"},
    Relatives{"buffers", "named_buffers"},
    Relatives{"modules", "named_modules"},
    Relatives{"modules", "children"},
    Relatives{"named_modules", "named_children"},
    Relatives{"chunk", "split", 0.4},
    Relatives{"transpose", "permute", 0.2},
    Relatives{"expand", "repeat", 0.3},
    Relatives{"from_numpy", "as_tensor", 0.3},
    Relatives{"register_buffer", "register_parameter", 0.3},
    Relatives{"float", "half", 0.2},
    Relatives{"half", "bfloat16", 0.3},
    Relatives{"isnan", "isinf", 0.4},
    Relatives{"isnan", "isfinite", 0.3},
    // Processes.
    Relatives{"get_rank", "get_world_size", 0.4},
    Relatives{"send", "recv"},
    Relatives{"isend", "irecv"},
    Relatives{"all_gather", "all_reduce", 0.3},
    Relatives{"all_gather", "gather", 0.3},
    Relatives{"all_reduce", "reduce", 0.4},
    Relatives{"reduce_scatter", "all_reduce", 0.2},
    Relatives{"broadcast", "scatter", 0.2},
    Relatives{"all_gather", "all_gather_into_tensor", 0.3},
    Relatives{"acquire", "release"},
    Relatives{"run", "Popen", 0.1},
    Relatives{"warn", "warning", 0.3},
};

double symptom_fit(const Context& context, const Node& name, std::string_view other) {
  const Symptom& symptom = context.symptom();
  if (symptom.is("AttributeError")) return symptom.name == name.text() ? 3 : 0.6;
  if (symptom.is("ValueError") && symptom.mentions("substring not found")) {
    return other == "find" || other == "rfind" ? 4 : 0.5;
  }
  if (symptom.is("ValueError") && symptom.mentions("not enough values to unpack")) {
    return other == "items" || other.starts_with("named_") ? 3 : 0.7;
  }
  return context.fails_here(name) ? 1.3 : 1;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node name = match["name"];
  const bool method = name.parent().is("attribute");
  const Node function = method ? name.parent() : name;
  // `reduce(torch.max, rows)`, `key=max`; but most names that are not called are plain variables.
  const Node user = function.parent();
  const bool called = user.is("call") && user.field("function") == function;
  if (!called && !user.is("argument_list") && !user.is("keyword_argument")) return;
  for (const Relatives& pair : k_relatives) {
    const bool forth = name.text() == pair.one;
    if (!forth && name.text() != pair.other) continue;
    const std::string_view other = forth ? pair.other : pair.one;
    const double fit = symptom_fit(context, name, other) * (called ? 1 : 0.4);
    Proposal proposal = change_of(function, name.span(), std::string(other), pair.weight * fit,
                                  fmt::format("`{}` instead of `{}`", other, name.text()));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  }
}

}  // namespace

extern constinit const Template k_swap_api = {
    .id = "swap-api",
    .family = Family::wrong_api_or_name,
    .summary =
        "Call the opposite or a close relative of a function: max and min, append and extend.",
    .language = Language::python,
    .query =
        "[(call function: (identifier) @name) (attribute attribute: (identifier) @name)"
        " (argument_list (identifier) @name) (keyword_argument value: (identifier) @name)]",
    .prior = 0.8,
    .answers = answers::attribute_error | answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates

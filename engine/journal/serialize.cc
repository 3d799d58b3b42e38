// Each struct has one list of its fields, which a Writer and a Reader both walk, so that the two
// directions cannot differ. The lists bind every member by position: a member that is added to a
// struct and forgotten here does not compile.

#include "engine/journal/serialize.h"

#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/base/json.h"

namespace tenline {
namespace {

constexpr int k_format = 1;

template <class T, class Value>
concept Is = std::same_as<std::remove_const_t<T>, Value>;

template <class Walker, Is<SeenValue> T>
void fields(Walker& walk, T& value) {
  auto& [type, length, repr] = value;
  walk("type", type);
  walk("length", length);
  walk("repr", repr);
}

template <class Walker, Is<ExecutedFunction> T>
void fields(Walker& walk, T& value) {
  auto& [file, name, first_line, depth, calls, last_event, lines] = value;
  walk("file", file);
  walk("name", name);
  walk("first_line", first_line);
  walk("depth", depth);
  walk("calls", calls);
  walk("last_event", last_event);
  walk("lines", lines);
}

template <class Walker, Is<FailureFrame> T>
void fields(Walker& walk, T& value) {
  auto& [file, line, function, values] = value;
  walk("file", file);
  walk("line", line);
  walk("function", function);
  walk("values", values);
}

template <class Walker, Is<FailureException> T>
void fields(Walker& walk, T& value) {
  auto& [type, message, frames, escaped] = value;
  walk("type", type);
  walk("message", message);
  walk("frames", frames);
  walk("escaped", escaped);
}

template <class Walker, Is<FailureTrace> T>
void fields(Walker& walk, T& value) {
  auto& [functions, exceptions, files] = value;
  walk("functions", functions);
  walk("exceptions", exceptions);
  walk("files", files);
}

template <class Walker, Is<Reproduction> T>
void fields(Walker& walk, T& value) {
  auto& [reproduced, detail, output, runs, seconds, cpu_seconds, trace] = value;
  walk("reproduced", reproduced);
  walk("detail", detail);
  walk("output", output);
  walk("runs", runs);
  walk("seconds", seconds);
  walk("cpu_seconds", cpu_seconds);
  walk("trace", trace);
}

template <class Walker, Is<Verdict> T>
void fields(Walker& walk, T& value) {
  auto& [outcome, level, stage, group, detail, seconds, cpu_seconds, runs, checked, not_checked] =
      value;
  walk("outcome", outcome);
  walk("level", level);
  walk("stage", stage);
  walk("group", group);
  walk("detail", detail);
  walk("seconds", seconds);
  walk("cpu_seconds", cpu_seconds);
  walk("runs", runs);
  walk("checked", checked);
  walk("not_checked", not_checked);
}

std::span<const Outcome> all_of(Outcome /*kind*/) {
  static constexpr std::array k_all = {
      Outcome::passes, Outcome::fails,        Outcome::does_not_parse, Outcome::timed_out,
      Outcome::limit,  Outcome::breaks_tests, Outcome::infrastructure};
  return k_all;
}

std::span<const Stage> all_of(Stage /*kind*/) {
  static constexpr std::array k_all = {Stage::cold, Stage::warm, Stage::late, Stage::grouped,
                                       Stage::unreached};
  return k_all;
}

std::span<const Level> all_of(Level /*kind*/) {
  static constexpr std::array k_all = {Level::none, Level::e0, Level::e1,
                                       Level::e2,   Level::e3, Level::e4};
  return k_all;
}

std::span<const Reproduced> all_of(Reproduced /*kind*/) {
  static constexpr std::array k_all = {Reproduced::yes,        Reproduced::already_fixed,
                                       Reproduced::flaky,      Reproduced::not_reproducible,
                                       Reproduced::needs_gpus, Reproduced::environment};
  return k_all;
}

class Writer {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    object_[name] = to_json(value);
  }
  template <class T>
  static Json object(const T& value) {
    Writer writer;
    fields(writer, value);
    return std::move(writer.object_);
  }

 private:
  template <class T>
  static Json to_json(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return to_string(value);
    } else if constexpr (std::same_as<T, double>) {
      return std::isfinite(value) ? value : 0.0;
    } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
      return value;
    } else {
      return object(value);
    }
  }
  template <class T>
  static Json to_json(const std::vector<T>& values) {
    Json array = Json::array();
    for (const T& value : values) array.push_back(to_json(value));
    return array;
  }
  template <class T>
  static Json to_json(const std::map<std::string, T>& values) {
    Json object = Json::object();
    for (const auto& [key, value] : values) object[key] = to_json(value);
    return object;
  }

  Json object_ = Json::object();
};

class Reader {
 public:
  explicit Reader(const Json& object) : object_(object) {}

  template <class T>
  void operator()(const char* name, T& value) {
    if (!good_) return;
    const auto member = object_.find(name);
    good_ = member != object_.end() && read(*member, value);
  }
  template <class T>
  [[nodiscard]] static bool read_object(const Json& json, T& value) {
    if (!json.is_object()) return false;
    Reader reader(json);
    fields(reader, value);
    return reader.good_;
  }

 private:
  template <class T>
  static bool read(const Json& json, T& value) {
    if constexpr (std::is_enum_v<T>) {
      return read_enumerator(json, value);
    } else if constexpr (std::same_as<T, bool>) {
      return json.is_boolean() && (value = json.get<bool>(), true);
    } else if constexpr (std::integral<T>) {
      return read_integer(json, value);
    } else if constexpr (std::same_as<T, double>) {
      return json.is_number() && (value = json.get<double>(), true);
    } else if constexpr (std::same_as<T, std::string>) {
      return json.is_string() && (value = json.get_ref<const std::string&>(), true);
    } else {
      return read_object(json, value);
    }
  }
  template <class T>
  static bool read_enumerator(const Json& json, T& value) {
    if (!json.is_string()) return false;
    for (const T enumerator : all_of(T{})) {
      if (to_string(enumerator) == json.get_ref<const std::string&>()) {
        value = enumerator;
        return true;
      }
    }
    return false;
  }
  template <class T>
  static bool read_integer(const Json& json, T& value) {
    if (!json.is_number_integer()) return false;
    // The library keeps numbers over the signed range as unsigned; those are out of range here.
    if (json.is_number_unsigned() &&
        json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) {
      return false;
    }
    const auto number = json.get<std::int64_t>();
    if (number < std::numeric_limits<T>::min() || number > std::numeric_limits<T>::max()) {
      return false;
    }
    value = static_cast<T>(number);
    return true;
  }
  template <class T>
  static bool read(const Json& json, std::vector<T>& values) {
    if (!json.is_array()) return false;
    values.clear();
    for (const Json& element : json) {
      if (!read(element, values.emplace_back())) return false;
    }
    return true;
  }
  template <class T>
  static bool read(const Json& json, std::map<std::string, T>& values) {
    if (!json.is_object()) return false;
    values.clear();
    for (const auto& [key, element] : json.items()) {
      if (!read(element, values[key])) return false;
    }
    return true;
  }

  const Json& object_;
  bool good_ = true;
};

template <class T>
std::string write(const T& value) {
  Json object = Writer::object(value);
  object["format"] = k_format;
  return to_text(object);
}

template <class T>
std::optional<T> parse(std::string_view text) {
  const Result<Json> json = parse_json(text);
  if (!json || !json->is_object()) return std::nullopt;
  const auto format = json->find("format");
  T value;
  if (format == json->end() || *format != k_format) return std::nullopt;
  if (!Reader::read_object(*json, value)) return std::nullopt;
  return value;
}

}  // namespace

std::string serialize(const Reproduction& reproduction) { return write(reproduction); }
std::string serialize(const Verdict& verdict) { return write(verdict); }

std::optional<Reproduction> parse_reproduction(std::string_view text) {
  return parse<Reproduction>(text);
}
std::optional<Verdict> parse_verdict(std::string_view text) { return parse<Verdict>(text); }

}  // namespace tenline

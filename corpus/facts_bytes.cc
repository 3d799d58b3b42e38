#include "corpus/facts_bytes.h"

#include <cstdint>
#include <cstring>

namespace tenline::corpus {

namespace {

/// Of the layout below; a file with another one is not read.
constexpr std::string_view k_version = "tenline facts 3\n";

class Writer {
 public:
  void number(std::size_t value) {
    const auto small = static_cast<std::uint32_t>(value);
    bytes_.append(reinterpret_cast<const char*>(&small), sizeof small);
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  template <class List, class Write>
  void list(const List& values, Write&& write) {
    number(values.size());
    for (const auto& value : values) write(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what Writer wrote; after the first thing that does not fit everything is empty.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::size_t number() {
    std::uint32_t value = 0;
    if (bytes_.size() < sizeof value) {
      ok_ = false;
      return 0;
    }
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const std::size_t size = number();
    if (size > bytes_.size()) {
      ok_ = false;
      return {};
    }
    std::string value(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return value;
  }
  ParameterKind kind() {
    const std::size_t value = number();
    if (value > static_cast<std::size_t>(ParameterKind::double_star)) {
      ok_ = false;
      return ParameterKind::normal;
    }
    return static_cast<ParameterKind>(value);
  }
  template <class Read>
  void list(Read&& read) {
    for (std::size_t left = number(); left > 0 && ok_; --left) read();
  }
  [[nodiscard]] bool done() const { return ok_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

using Counts = PythonFacts::ByName<std::map<std::string, int>>;

void write_counts(Writer& out, const Counts& table) {
  out.list(table, [&](const auto& entry) {
    out.text(entry.first);
    out.list(entry.second, [&](const auto& count) {
      out.text(count.first);
      out.number(static_cast<std::size_t>(count.second));
    });
  });
}

void read_counts(Reader& in, Counts& table) {
  in.list([&] {
    auto& counts = table[in.text()];
    in.list([&] {
      std::string name = in.text();
      counts[std::move(name)] = static_cast<int>(in.number());
    });
  });
}

}  // namespace

std::string to_bytes(const PythonFacts& facts) {
  Writer out;
  out.list(facts.functions, [&](const PythonFunction& function) {
    out.text(function.file);
    out.number(static_cast<std::size_t>(function.line));
    out.text(function.name);
    out.text(function.class_name);
    out.list(function.parameters, [&](const Parameter& parameter) {
      out.text(parameter.name);
      out.number(static_cast<std::size_t>(parameter.kind));
      out.number(parameter.has_default ? 1 : 0);
      out.text(parameter.default_text);
      out.text(parameter.type_text);
    });
  });
  out.list(facts.classes, [&](const PythonClass& type) {
    out.text(type.file);
    out.number(static_cast<std::size_t>(type.line));
    out.text(type.name);
    out.list(type.bases, [&](const std::string& base) { out.text(base); });
    out.list(type.members, [&](const std::string& member) { out.text(member); });
  });
  out.list(facts.definitions, [&](const std::string& name) { out.text(name); });
  write_counts(out, facts.imports);
  write_counts(out, facts.call_keywords);
  write_counts(out, facts.call_values);
  write_counts(out, facts.parameter_forms);
  write_counts(out, facts.accesses);
  write_counts(out, facts.tests);
  return out.take();
}

Result<PythonFacts> facts_from_bytes(std::string_view bytes) {
  Reader in(bytes);
  PythonFacts facts;
  in.list([&] {
    PythonFunction& function = facts.functions.emplace_back();
    function.file = in.text();
    function.line = static_cast<int>(in.number());
    function.name = in.text();
    function.class_name = in.text();
    in.list([&] {
      Parameter& parameter = function.parameters.emplace_back();
      parameter.name = in.text();
      parameter.kind = in.kind();
      parameter.has_default = in.number() != 0;
      parameter.default_text = in.text();
      parameter.type_text = in.text();
    });
  });
  in.list([&] {
    PythonClass& type = facts.classes.emplace_back();
    type.file = in.text();
    type.line = static_cast<int>(in.number());
    type.name = in.text();
    in.list([&] { type.bases.push_back(in.text()); });
    in.list([&] { type.members.insert(in.text()); });
  });
  in.list([&] { facts.definitions.push_back(in.text()); });
  read_counts(in, facts.imports);
  read_counts(in, facts.call_keywords);
  read_counts(in, facts.call_values);
  read_counts(in, facts.parameter_forms);
  read_counts(in, facts.accesses);
  read_counts(in, facts.tests);
  if (!in.done()) return fail(ErrorCode::invalid_input, "not the facts of a file");
  return facts;
}

std::string pack(const std::map<std::string, std::string>& table) {
  Writer out;
  out.list(table, [&](const auto& entry) {
    out.text(entry.first);
    out.text(entry.second);
  });
  return std::string(k_version) + out.take();
}

Result<std::map<std::string, std::string>> unpack(std::string_view bytes) {
  if (!bytes.starts_with(k_version)) {
    return fail(ErrorCode::invalid_input, "not a cache of this version");
  }
  Reader in(bytes.substr(k_version.size()));
  std::map<std::string, std::string> table;
  in.list([&] {
    std::string key = in.text();
    table[std::move(key)] = in.text();
  });
  if (!in.done()) return fail(ErrorCode::invalid_input, "a damaged cache");
  return table;
}

}  // namespace tenline::corpus

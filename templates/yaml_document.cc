#include "templates/yaml_document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "engine/base/text.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_most_bytes = std::size_t{64} << 10U;
constexpr std::size_t k_most_values = 4096;
constexpr std::size_t k_deepest = 8;

/// Ends the parser from within: it knows no other way.
struct Refused {
  int line;
  std::string reason;
};

class Builder final : public YAML::EventHandler {
 public:
  explicit Builder(std::string_view text) : lines_(split_lines(text)) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(empty(YamlValue::Kind::nothing, mark), "", anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    throw Refused{line_of(mark), "aliases are not allowed"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    if (expects_key()) return take_key(mark, tag, anchor, text);
    YamlValue value = empty(YamlValue::Kind::text, mark);
    value.text = text;
    value.literal = character_at(mark) == '|';
    add(std::move(value), tag, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(empty(YamlValue::Kind::list, mark), tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(empty(YamlValue::Kind::map, mark), tag, anchor);
  }
  void OnMapEnd() override { close(); }

  [[nodiscard]] YamlValue take() { return std::move(root_); }

 private:
  /// A list or map that is being read, and the key that waits for its value.
  struct Level {
    YamlValue value;
    bool has_key = false;
    std::string key;
    int key_line = 0;
  };

  static int line_of(const YAML::Mark& mark) { return std::max(mark.line, 0) + 1; }

  static YamlValue empty(YamlValue::Kind kind, const YAML::Mark& mark) {
    YamlValue value;
    value.kind = kind;
    value.line = line_of(mark);
    return value;
  }

  [[nodiscard]] char character_at(const YAML::Mark& mark) const {
    const auto line = static_cast<std::size_t>(std::max(mark.line, 0));
    const auto column = static_cast<std::size_t>(std::max(mark.column, 0));
    return line < lines_.size() && column < lines_[line].size() ? lines_[line][column] : ' ';
  }

  [[nodiscard]] bool expects_key() const {
    return !levels_.empty() && levels_.back().value.kind == YamlValue::Kind::map &&
           !levels_.back().has_key;
  }

  void check(int line, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0) throw Refused{line, "anchors are not allowed"};
    if (!tag.empty() && tag != "?" && tag != "!") throw Refused{line, "tags are not allowed"};
    if (++values_ > k_most_values) {
      throw Refused{line, fmt::format("there are more than {} values", k_most_values)};
    }
  }

  void take_key(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& key) {
    const int line = line_of(mark);
    check(line, tag, anchor);
    Level& level = levels_.back();
    for (const YamlEntry& entry : level.value.entries) {
      if (entry.key == key) {
        throw Refused{line, fmt::format("the key {} is here for the second time, after line {}",
                                        key, entry.line)};
      }
    }
    level.has_key = true;
    level.key = key;
    level.key_line = line;
  }

  void add(YamlValue value, const std::string& tag, YAML::anchor_t anchor) {
    if (expects_key()) throw Refused{value.line, "a key must be a text"};
    check(value.line, tag, anchor);
    put(std::move(value));
  }

  void put(YamlValue value) {
    if (levels_.empty()) {
      root_ = std::move(value);
      return;
    }
    Level& level = levels_.back();
    if (level.value.kind == YamlValue::Kind::list) {
      level.value.items.push_back(std::move(value));
      return;
    }
    // A value that is not there has the mark of whatever comes next.
    if (value.kind == YamlValue::Kind::nothing) value.line = level.key_line;
    level.value.entries.push_back({std::move(level.key), level.key_line, std::move(value)});
    level.has_key = false;
  }

  void open(YamlValue value, const std::string& tag, YAML::anchor_t anchor) {
    if (expects_key()) throw Refused{value.line, "a key must be a text"};
    check(value.line, tag, anchor);
    if (levels_.size() == k_deepest) throw Refused{value.line, "it is nested too deep"};
    levels_.push_back({.value = std::move(value), .key = {}});
  }

  void close() {
    YamlValue value = std::move(levels_.back().value);
    levels_.pop_back();
    put(std::move(value));
  }

  std::vector<std::string_view> lines_;
  std::vector<Level> levels_;
  std::size_t values_ = 0;
  YamlValue root_;
};

tl::unexpected<Error> refuse(const std::string& file, int line, std::string_view reason) {
  return fail(ErrorCode::invalid_input, fmt::format("{}:{}: {}", file, line, reason));
}

}  // namespace

Result<YamlValue> parse_yaml(const std::string& file, std::string_view text) {
  if (text.size() > k_most_bytes) {
    return fail(ErrorCode::limit, fmt::format("{}:1: the file has {} bytes; {} are allowed", file,
                                              text.size(), k_most_bytes));
  }
  if (!is_valid_utf8(text) || text.find('\0') != std::string_view::npos) {
    return refuse(file, 1, "the file is not UTF-8 text");
  }
  try {
    std::istringstream in{std::string(text)};
    YAML::Parser parser(in);
    Builder builder(text);
    if (!parser.HandleNextDocument(builder)) return refuse(file, 1, "the file is empty");
    YamlValue root = builder.take();
    Builder second(text);
    if (parser.HandleNextDocument(second)) {
      return refuse(file, std::max(1, second.take().line), "only one document is allowed");
    }
    return root;
  } catch (const Refused& refused) {
    return refuse(file, refused.line, refused.reason);
  } catch (const YAML::Exception& error) {
    return refuse(file, std::max(error.mark.line, 0) + 1, "not YAML: " + error.msg);
  }
}

}  // namespace tenline::templates

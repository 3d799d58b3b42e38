#include "oracles/test_command.h"

#include <algorithm>

namespace tenline {

Result<std::vector<std::string>> split_command(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\0') return fail(ErrorCode::invalid_input, "the test command has a NUL byte");
    if (c == '\\' && quote != '\'') {
      const bool escapes =
          i + 1 < command.size() && (quote == 0 || command[i + 1] == '"' || command[i + 1] == '\\');
      if (quote == 0 && !escapes) {
        return fail(ErrorCode::invalid_input, "the test command ends with a backslash");
      }
      word += escapes ? command[++i] : c;
      in_word = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else if (std::string_view(";|&<>$`").find(c) != std::string_view::npos) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("the test command is not run by a shell: quote the '{}' in it", c));
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) return fail(ErrorCode::invalid_input, "the test command has an open quote");
  if (in_word) words.push_back(std::move(word));
  return words;
}

Result<std::vector<std::string>> pytest_arguments(std::string_view command) {
  TENLINE_TRY(std::vector<std::string> words, split_command(command));
  const auto is_python = [](const std::string& word) {
    return word.substr(word.rfind('/') + 1).starts_with("python");
  };
  std::size_t begin = 0;
  if (!words.empty() && (words[0] == "pytest" || words[0] == "py.test")) begin = 1;
  if (words.size() >= 3 && is_python(words[0]) && words[1] == "-m" && words[2] == "pytest") {
    begin = 3;
  }
  if (begin == 0) {
    return fail(ErrorCode::invalid_input,
                "the test command must start with pytest or python -m pytest");
  }
  words.erase(words.begin(), words.begin() + static_cast<long>(begin));
  return words;
}

std::vector<std::string> test_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    std::string file = argument.substr(0, argument.find("::"));
    if (file.starts_with("./")) file.erase(0, 2);
    if (file.starts_with('-') || !file.ends_with(".py")) continue;
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  return files;
}

}  // namespace tenline

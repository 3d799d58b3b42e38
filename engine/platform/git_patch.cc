#include "engine/platform/git_patch.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "engine/base/text.h"
#include "engine/platform/git_base.h"
#include "engine/platform/git_path.h"

namespace tenline {
namespace {

constexpr std::size_t k_max_subject = 400;

/// Appends the difference of one file; a null text is a file that is not there.
Result<void> add_file(const std::string& path, const std::string* before, const std::string* after,
                      std::string& out) {
  if (!git::is_safe_path(path)) {
    return fail(ErrorCode::invalid_input, fmt::format("refused path {}", git::printable(path)));
  }
  const auto data = [](const std::string* text) {
    return text == nullptr ? nullptr : text->data();
  };
  const auto size = [](const std::string* text) {
    return text == nullptr ? std::size_t{0} : text->size();
  };
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_FORCE_TEXT;  // What a few NUL bytes would make binary is still a text.
  options.context_lines = 3;
  options.id_abbrev = GIT_OID_HEXSZ;
  TENLINE_TRY(const git::Handle<git_patch> patch,
              git::make<git_patch>("comparing " + git::printable(path), git_patch_from_buffers,
                                   data(before), size(before), path.c_str(), data(after),
                                   size(after), path.c_str(), &options));
  git_buf buffer = GIT_BUF_INIT;
  const int code = git_patch_to_buf(&buffer, patch.get());
  std::string text = code == 0 ? std::string(buffer.ptr, buffer.size) : std::string();
  git_buf_dispose(&buffer);
  if (code < 0) return tl::unexpected(git::last_error("printing a difference", code));
  // The texts do not tell if a file is executable, and a wrong mode in the index line makes git
  // warn.
  constexpr std::string_view k_mode = " 100644";
  const std::size_t index = text.find("\nindex ");
  const std::size_t end = index == std::string::npos ? index : text.find('\n', index + 1);
  if (end != std::string::npos && text.compare(end - k_mode.size(), k_mode.size(), k_mode) == 0) {
    text.erase(end - k_mode.size(), k_mode.size());
  }
  out += text;
  return {};
}

bool is_plain_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 127; });
}

std::string one_line(std::string_view text) {
  std::string line = to_valid_utf8(text.substr(0, k_max_subject));
  std::ranges::replace_if(line, [](char c) { return (c >= 0 && c < ' ') || c == 127; }, ' ');
  return std::string(trim(line));
}

/// Encoded words of RFC 2047: each at most 75 characters, cut between code points.
std::string header_text(const std::string& text) {
  if (is_plain_ascii(text) && text.find("=?") == std::string::npos) return text;
  constexpr std::string_view k_begin = "=?UTF-8?q?";
  constexpr std::size_t k_room = 75 - 12;
  std::string out;
  std::string word;
  for (std::size_t i = 0; i < text.size();) {
    std::string point;
    do {
      const char c = text[i++];
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      point += plain ? std::string(1, c) : fmt::format("={:02X}", static_cast<unsigned char>(c));
    } while (i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U);
    if (word.size() + point.size() > k_room) {
      out += fmt::format("{}{}?=\n ", k_begin, word);
      word.clear();
    }
    word += point;
  }
  return out + fmt::format("{}{}?=", k_begin, word);
}

/// "Name <address>", with the name encoded or quoted where it must be.
std::string author_text(const std::string& author) {
  const std::size_t begin = author.find('<');
  std::string name(trim(author.substr(0, begin)));
  std::string address;
  if (begin != std::string::npos) {
    address = author.substr(begin + 1, author.find('>', begin) - begin - 1);
  }
  std::erase_if(address, [](char c) { return c <= ' ' || c >= 127 || c == '<' || c == '>'; });
  std::erase_if(name, [](char c) { return c == '"' || c == '\\' || c == '<' || c == '>'; });
  if (name.empty()) name = "unknown";
  const bool plain = std::ranges::all_of(name, [](char c) {
    return c == ' ' || c == '-' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z');
  });
  if (!plain) name = is_plain_ascii(name) ? "\"" + name + "\"" : header_text(name);
  return fmt::format("{} <{}>", name, address);
}

/// Lines that a mail reader would take for a new mail, a header or the begin of the patch get a
/// space in front.
std::string safe_body(std::string_view body) {
  static constexpr std::array<std::string_view, 12> k_dangerous = {
      "from ", ">from", "from:", "subject:", "date:",  "content-",
      "---",   "diff ", "diff-", "index:",   "index ", "[patch"};
  const std::string valid = to_valid_utf8(body);
  std::string out;
  for (const std::string_view line : split_lines(valid)) {
    const std::string small = lower(line.substr(0, 16));
    const bool danger = std::ranges::any_of(
        k_dangerous, [&small](std::string_view begin) { return small.starts_with(begin); });
    out += fmt::format("{}{}\n", danger ? " " : "", line);
  }
  std::erase(out, '\r');
  return out;
}

/// Quoted-printable: git strips the carriage returns of a plain mail.
std::string quoted_printable(std::string_view text) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      out += c;
      column = 0;
      continue;
    }
    const bool at_end = i + 1 == text.size() || text[i + 1] == '\n';
    const bool plain = c > ' ' && c < 127 && c != '=' && (column > 0 || (c != 'F' && c != '.'));
    const std::string piece = plain || (c == ' ' && !at_end)
                                  ? std::string(1, c)
                                  : fmt::format("={:02X}", static_cast<unsigned char>(c));
    if (column + piece.size() > 75) {
      out += "=\n";
      column = 0;
    }
    out += piece;
    column += piece.size();
  }
  return out;
}

}  // namespace

Result<std::string> unified_diff(const FileTexts& before, const FileTexts& after) {
  git::start_library();
  std::string out;
  auto old_file = before.begin();
  auto new_file = after.begin();
  while (old_file != before.end() || new_file != after.end()) {
    const bool has_old =
        old_file != before.end() && (new_file == after.end() || old_file->first <= new_file->first);
    const bool has_new =
        new_file != after.end() && (old_file == before.end() || new_file->first <= old_file->first);
    const std::string& path = has_old ? old_file->first : new_file->first;
    const std::string* old_text = has_old ? &old_file->second : nullptr;
    const std::string* new_text = has_new ? &new_file->second : nullptr;
    if (!has_old || !has_new || *old_text != *new_text) {
      TENLINE_TRY_VOID(add_file(path, old_text, new_text, out));
    }
    if (has_old) ++old_file;
    if (has_new) ++new_file;
  }
  return out;
}

Result<std::string> mailbox(const Mail& mail) {
  if (mail.diff.empty() || !mail.diff.starts_with("diff --git ")) {
    return fail(ErrorCode::invalid_input, "there is no difference to mail");
  }
  const bool is_id = mail.base.size() == 40 &&
                     mail.base.find_first_not_of("0123456789abcdef") == std::string::npos;
  const bool quote = mail.diff.find('\r') != std::string::npos;
  std::string content = safe_body(mail.body);
  content += "---\n\n" + mail.diff;
  if (content.back() != '\n') content += '\n';
  content += "-- \ntenline " TENLINE_VERSION "\n\n";
  const std::string subject = one_line(mail.subject);
  // fmt's %a and %b are the C locale's, unless asked for another.
  return fmt::format(
      "From {} Mon Sep 17 00:00:00 2001\n"
      "From: {}\n"
      "Date: {:%a, %d %b %Y %H:%M:%S} +0000\n"
      "Subject: [PATCH] {}\n"
      "MIME-Version: 1.0\n"
      "Content-Type: text/plain; charset=UTF-8\n"
      "Content-Transfer-Encoding: {}\n\n{}",
      is_id ? mail.base : std::string(40, '0'), author_text(one_line(mail.author)),
      fmt::gmtime(mail.date), header_text(subject.empty() ? "patch" : subject),
      quote ? "quoted-printable" : "8bit", quote ? quoted_printable(content) : content);
}

}  // namespace tenline

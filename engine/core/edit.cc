#include "engine/core/edit.h"

#include <algorithm>

#include "engine/base/text.h"

namespace tenline {

namespace {

std::vector<const Edit*> in_order(std::span<const Edit> edits) {
  std::vector<const Edit*> sorted;
  sorted.reserve(edits.size());
  for (const Edit& edit : edits) sorted.push_back(&edit);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Edit* a, const Edit* b) { return a->span < b->span; });
  return sorted;
}

}  // namespace

Result<std::string> apply_edits(std::string_view source, std::span<const Edit> edits) {
  std::string result;
  std::size_t at = 0;
  for (const Edit* edit : in_order(edits)) {
    const auto [begin, end] = edit->span;
    if (begin > end || end > source.size()) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("{}: edit of bytes {} to {} is outside the file's {} bytes",
                              edit->file, begin, end, source.size()));
    }
    if (begin < at) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("{}: two edits overlap at byte {}", edit->file, begin));
    }
    result += source.substr(at, begin - at);
    result += edit->text;
    at = end;
  }
  result += source.substr(at);
  return result;
}

int changed_lines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> a = split_lines(before);
  const std::vector<std::string_view> b = split_lines(after);
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  std::size_t foot = 0;
  while (foot < shorter - head && a[a.size() - 1 - foot] == b[b.size() - 1 - foot]) ++foot;
  return static_cast<int>(a.size() + b.size() - 2 * (head + foot));
}

int changed_lines(std::string_view source, std::span<const Edit> edits) {
  // Edits on the same lines form one hunk; hunks are counted on the whole lines they touch.
  int total = 0;
  const std::vector<const Edit*> sorted = in_order(edits);
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t begin = sorted[i]->span.begin;
    begin = begin == 0 ? 0 : source.rfind('\n', begin - 1);
    begin = begin == std::string_view::npos ? 0 : begin;
    std::size_t end = source.find('\n', sorted[i]->span.end);
    std::size_t next = i + 1;
    while (next < sorted.size() &&
           (end == std::string_view::npos || sorted[next]->span.begin <= end)) {
      end = source.find('\n', sorted[next]->span.end);
      ++next;
    }
    end = end == std::string_view::npos ? source.size() : end;
    std::vector<Edit> hunk;
    for (; i < next; ++i) {
      hunk.push_back(*sorted[i]);
      hunk.back().span.begin -= begin;
      hunk.back().span.end -= begin;
    }
    const std::string_view before = source.substr(begin, end - begin);
    const Result<std::string> after = apply_edits(before, hunk);
    total += after ? changed_lines(before, *after) : 0;
  }
  return total;
}

}  // namespace tenline

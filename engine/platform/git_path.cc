#include "engine/platform/git_path.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/text.h"

namespace tenline::git {
namespace {

constexpr std::size_t k_max_depth =
    100;  // Each level costs an open folder while a slot is checked.
constexpr std::size_t k_max_path = 3000;
constexpr std::size_t k_max_component = 255;

/// Code points that HFS+ leaves out when it compares names: ".g\u200cit" is ".git" there. All take
/// three bytes.
bool is_ignored_by_hfs(std::string_view three) {
  const auto bits = [three](std::size_t i, unsigned mask) {
    return static_cast<unsigned char>(three[i]) & mask;
  };
  if (bits(0, 0xF0) != 0xE0) return false;
  const unsigned point = (bits(0, 0x0F) << 12U) | (bits(1, 0x3F) << 6U) | bits(2, 0x3F);
  return (point >= 0x200C && point <= 0x200F) || (point >= 0x202A && point <= 0x202E) ||
         (point >= 0x206A && point <= 0x206F) || point == 0xFEFF;
}

/// On HFS+ and NTFS too: a repository that is harmless here only by luck is not checked out.
bool is_dot_git(std::string_view component) {
  std::string name;
  for (std::size_t i = 0; i < component.size();) {
    if (i + 3 <= component.size() && is_ignored_by_hfs(component.substr(i, 3))) {
      i += 3;
      continue;
    }
    name += component[i++];
  }
  name = lower(name);
  name.erase(std::min(name.find_first_of(":\\"), name.size()));
  name.erase(name.find_last_not_of(". ") + 1);
  return name == ".git" || name == "git~1";
}

bool is_safe_component(std::string_view component) {
  return !component.empty() && component.size() <= k_max_component && component != "." &&
         component != ".." && !is_dot_git(component);
}

}  // namespace

bool is_safe_path(std::string_view path) {
  if (path.size() > k_max_path || path.find('\0') != std::string_view::npos) return false;
  const std::vector<std::string_view> components = split(path, '/');
  return components.size() <= k_max_depth && std::ranges::all_of(components, is_safe_component);
}

bool is_safe_link(std::string_view path, std::string_view target) {
  if (target.empty() || target.size() > k_max_path || target.front() == '/' ||
      target.find('\0') != std::string_view::npos) {
    return false;
  }
  // ".." only at the begin, where it leaves folders that are real ones. After a name it could leave
  // whatever another link leads to.
  auto above = static_cast<std::size_t>(std::ranges::count(path, '/'));
  bool named = false;
  for (const std::string_view component : split(target, '/')) {
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      if (named || above == 0) return false;
      --above;
      continue;
    }
    if (!is_safe_component(component)) return false;
    named = true;
  }
  return true;
}

}  // namespace tenline::git

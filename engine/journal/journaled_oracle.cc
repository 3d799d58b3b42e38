#include "engine/journal/journaled_oracle.h"

#include "engine/journal/serialize.h"

namespace tenline {

template <class Answer, class Parse, class Ask, class Keep>
Result<Answer> JournaledOracle::answer(const std::string& key, Parse parse, Ask ask, Keep keep) {
  if (const std::optional<std::string> text = store_.find(key)) {
    if (std::optional<Answer> stored = parse(*text); stored && keep(*stored)) {
      ++remembered_;
      return *std::move(stored);
    }
  }
  TENLINE_TRY(Answer fresh, ask());
  if (!keep(fresh)) return fresh;
  const std::string text = serialize(fresh);
  if (Result<void> stored = store_.put(key, text); !stored) {
    return tl::unexpected(while_doing("saving " + key, std::move(stored).error()));
  }
  return parse(text).value_or(std::move(fresh));
}

Result<Reproduction> JournaledOracle::reproduce() {
  return answer<Reproduction>(
      "base/reproduction", parse_reproduction, [&] { return oracle_.reproduce(); },
      [](const Reproduction& reproduction) {
        return reproduction.reproduced != Reproduced::environment &&
               reproduction.reproduced != Reproduced::needs_gpus;
      });
}

Result<Verdict> JournaledOracle::judge(const Candidate& candidate, Level level, int slot) {
  TENLINE_CHECK(!candidate.id.empty(), "candidates without an id would share one answer");
  return answer<Verdict>(
      fmt::format("verdict/{}/{}", to_string(level), candidate.id), parse_verdict,
      [&] { return oracle_.judge(candidate, level, slot); },
      [](const Verdict& verdict) {
        return verdict.outcome != Outcome::infrastructure && verdict.outcome != Outcome::put_off;
      });
}

}  // namespace tenline

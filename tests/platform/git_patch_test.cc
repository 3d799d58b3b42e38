#include "engine/platform/git_patch.h"

#include "tests/platform/git_fixture.h"

namespace tenline {
namespace {

class GitPatchTest : public GitTest {
 protected:
  static Mail mail(const std::string& diff) {
    return {.base = "",
            .author = "Jo Doe <jo@example.org>",
            .date = std::chrono::sys_seconds(std::chrono::seconds(1600000000)),
            .subject = "engine: Fix it",
            .body = "Because.\n",
            .diff = diff};
  }

  std::string save(const std::string& text) {
    const std::string path = run + "/patch";
    spit(path, text);
    return path;
  }

  /// Puts `before` into the user's repository and the difference on it by `git apply`.
  void expect_round_trip(const FileTexts& before, const FileTexts& after) {
    commit({before.begin(), before.end()});
    const Result<std::string> diff = unified_diff(before, after);
    ASSERT_TRUE(diff.has_value()) << diff.error().message;
    EXPECT_EQ(git("apply --whitespace=nowarn " + save(*diff)), "") << *diff;
    EXPECT_EQ(texts_in(user), (std::map<std::string, std::string>(after.begin(), after.end())));
  }
};

TEST_F(GitPatchTest, LooksLikeGits) {
  EXPECT_EQ(unified_diff({{"a.py", "1\n2\n3\n4\n5\n"}, {"same", "x"}},
                         {{"a.py", "1\n2\n3\n4\nfive\n"}, {"same", "x"}})
                .value(),
            "diff --git a/a.py b/a.py\n"
            "index 8a1218a1024a212bb3db30becd860315f9f3ac52.."
            "0372994eea0a65e8b38a15775442f850af0b9284\n"
            "--- a/a.py\n+++ b/a.py\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n");
}

TEST_F(GitPatchTest, NoChangeIsNoDifference) {
  EXPECT_EQ(unified_diff({{"a", "x"}}, {{"a", "x"}}).value(), "");
  EXPECT_EQ(unified_diff({}, {}).value(), "");
}

TEST_F(GitPatchTest, OrdinaryChangesApply) {
  expect_round_trip({{"a.py", "1\n2\n3\n"}, {"d/b.py", "x\n"}},
                    {{"a.py", "1\ntwo\n3\n"}, {"d/b.py", "x\ny\n"}});
}

TEST_F(GitPatchTest, FilesAreMadeAndDeleted) {
  expect_round_trip({{"gone.py", "1\n"}, {"stays", "s\n"}},
                    {{"new/n.py", "2\n"}, {"stays", "s\n"}});
}

TEST_F(GitPatchTest, EmptyFilesAreMadeAndDeleted) {
  expect_round_trip({{"gone.py", ""}, {"x", "x"}}, {{"new.py", ""}, {"x", "x"}});
}

TEST_F(GitPatchTest, LineEndsAndEncodingsSurvive) {
  expect_round_trip({{"crlf", "1\r\n2\r\n3\r\n"},
                     {"no-end", "a\nb"},
                     {"latin", "caf\xe9\nx\n"},
                     {"nul", std::string("a\0b\nc\n", 6)},
                     {"form", "a\f\nb\rc\n"}},
                    {{"crlf", "1\r\ntwo\r\n3\r\n"},
                     {"no-end", "a\nB"},
                     {"latin", "caf\xe8\ny\n"},
                     {"nul", std::string("a\0b\nd\n", 6)},
                     {"form", "a\f\nb\rd\n"}});
}

TEST_F(GitPatchTest, TheEndOfTheFileMayAppearAndGo) {
  expect_round_trip({{"a", "1\n2"}, {"b", "1\n2\n"}}, {{"a", "1\n2\n"}, {"b", "1\n2"}});
}

TEST_F(GitPatchTest, OddFileNamesSurvive) {
  expect_round_trip(
      {{"with space", "1\n"}, {"\xc3\xa4.py", "1\n"}, {"q\"uote", "1\n"}, {"\xff", "1\n"}},
      {{"with space", "2\n"}, {"\xc3\xa4.py", "2\n"}, {"q\"uote", "2\n"}, {"\xff", "2\n"}});
}

TEST_F(GitPatchTest, HostilePathsAreRefused) {
  for (const char* path : {"../x", "/x", ".git/config", "a//b", ""}) {
    EXPECT_EQ(unified_diff({}, {{path, "x"}}).error().code, ErrorCode::invalid_input) << path;
  }
}

TEST_F(GitPatchTest, AnExecutableFileGivesNoWarning) {
  spit(user + "/run.sh", "1\n");
  fs::permissions(user + "/run.sh", fs::perms::owner_all);
  commit({});
  const std::string diff = unified_diff({{"run.sh", "1\n"}}, {{"run.sh", "2\n"}}).value();
  EXPECT_EQ(git("apply " + save(diff)), "");
  EXPECT_EQ(access((user + "/run.sh").c_str(), X_OK), 0);
}

TEST_F(GitPatchTest, MailAppliesWithAuthorDateAndText) {
  commit({{"a.py", "1\n2\n"}});
  Mail m = mail(unified_diff({{"a.py", "1\n2\n"}}, {{"a.py", "1\n3\n"}}).value());
  m.base = git("rev-parse HEAD");
  m.body = "Why it fails.\n\nReproduced 3 of 3 times.\n";
  const std::string text = mailbox(m).value();
  EXPECT_TRUE(text.starts_with("From " + m.base + " Mon Sep 17 00:00:00 2001\n"));
  git("am -q " + save(text));
  EXPECT_EQ(git("log -1 --format='%an|%ae|%at|%s'"),
            "Jo Doe|jo@example.org|1600000000|engine: Fix it");
  EXPECT_EQ(git("log -1 --format=%b"), "Why it fails.\n\nReproduced 3 of 3 times.");
  EXPECT_EQ(slurp(user + "/a.py"), "1\n3\n");
}

TEST_F(GitPatchTest, MailCarriesUnicode) {
  commit({{"a.py", "1\n"}});
  Mail m = mail(unified_diff({{"a.py", "1\n"}}, {{"a.py", "\xc3\xa9\n"}}).value());
  m.author = "J\xc3\xb6 D\xc3\xb6 <jo@example.org>";
  m.subject = "\xe4\xbf\xae\xe5\xa4\x8d: fix =?UTF-8?q?x?= ";
  for (int i = 0; i < 30; ++i) m.subject += "\xe4\xbf\xae";
  m.body = "\xe4\xbf\xae\xe5\xa4\x8d\n";
  const std::string text = mailbox(m).value();
  for (const std::string_view line : split_lines(text.substr(0, text.find("\n\n")))) {
    EXPECT_LE(line.size(), 100U);
  }
  git("am -q " + save(text));
  EXPECT_EQ(git("log -1 --format=%an"), "J\xc3\xb6 D\xc3\xb6");
  EXPECT_EQ(git("log -1 --format=%s"), m.subject);
  EXPECT_EQ(git("log -1 --format=%b"), "\xe4\xbf\xae\xe5\xa4\x8d");
  EXPECT_EQ(slurp(user + "/a.py"), "\xc3\xa9\n");
}

TEST_F(GitPatchTest, MailKeepsCarriageReturnsAndLinesWithoutEnd) {
  const FileTexts before = {{"a", "1\r\n2\r\n"},
                            {"b", "x \n= y\nFrom here\n" + std::string(200, 'l')}};
  const FileTexts after = {{"a", "1\r\n3\r\n"},
                           {"b", "x \n= z\nFrom here\n" + std::string(200, 'm')}};
  commit({before.begin(), before.end()});
  git("am -q " + save(mailbox(mail(unified_diff(before, after).value())).value()));
  EXPECT_EQ(texts_in(user), (std::map<std::string, std::string>(after.begin(), after.end())));
  EXPECT_EQ(git("log -1 --format=%b"), "Because.");
}

TEST_F(GitPatchTest, HostileTextCannotLeaveTheBody) {
  commit({{"a.py", "1\n"}, {"victim.py", "v\n"}});
  const std::string evil = unified_diff({{"victim.py", "v\n"}}, {{"victim.py", "evil\n"}}).value();
  Mail m = mail(unified_diff({{"a.py", "1\n"}}, {{"a.py", "2\n"}}).value());
  m.subject = "x\nFrom: Mallory <m@example.org>\n\n" + evil;
  m.author = "Jo\nBcc: x <jo@example.org>\r\nX: y";
  for (const std::string& body : std::vector<std::string>{
           "From: Mallory <m@example.org>\nSubject: evil\n\nx\n", "---\n" + evil, "\n\n" + evil,
           "x\nFrom 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n"
           "From: Mallory <m@example.org>\nSubject: [PATCH] evil\n\n---\n" +
               evil,
           "Index: victim.py\n" + evil,
           "--- a/victim.py\n+++ b/victim.py\n@@ -1 +1 @@\n-v\n+evil\n",
           std::string("\0\xff\xfe\r\n---\r\n", 9) + evil,
           "[PATCH] evil\nDate: Mon, 1 Jan 2001 00:00:00 +0000\nContent-Type: text/html\n\nx"}) {
    m.body = body;
    git("reset -q --hard main");
    git("am -q " + save(mailbox(m).value()));
    EXPECT_EQ(git("log -1 --format='%ae|%at'"), "jo@example.org|1600000000") << body;
    EXPECT_EQ(git("diff --stat --name-only HEAD~1"), "a.py") << body;
    EXPECT_EQ(git("rev-list --count HEAD"), "2") << body;
    EXPECT_TRUE(git("log -1 --format=%s").starts_with("x From: Mallory")) << body;
    git("reset -q --hard HEAD~1");
  }
}

TEST_F(GitPatchTest, ThereIsNoMailWithoutADifference) {
  EXPECT_EQ(mailbox(mail("")).error().code, ErrorCode::invalid_input);
  EXPECT_EQ(mailbox(mail("hello")).error().code, ErrorCode::invalid_input);
}

}  // namespace
}  // namespace tenline

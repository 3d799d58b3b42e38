#include "templates/user_template.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "templates/user_examples.h"
#include "tests/fakes.h"

namespace tenline::templates {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_good =
    "id: int-of\n"
    "family: other\n"
    "summary: Make it a number.\n"
    "language: python\n"
    "query: |\n"
    "  (call\n"
    "    function: (_) @function) @call\n"
    "rewrite:\n"
    "  replace: \"@call\"\n"
    "  text: int($call)\n"
    "examples:\n"
    "  - before: |\n"
    "      x = f()\n"
    "    after: |\n"
    "      x = int(f())\n";

/// The good file with one piece of text replaced by another.
std::string with(std::string_view piece, std::string_view other) {
  std::string text = k_good;
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), other);
}

std::string problem_of(std::string_view text) {
  const auto read = UserTemplate::read("x.yaml", text);
  return read ? std::string() : read.error().message;
}

TEST(UserTemplateTest, AGoodFileIsATemplate) {
  const auto read = UserTemplate::read("x.yaml", with("language", "prior: 2.5\nlanguage"));
  ASSERT_TRUE(read) << read.error().message;
  const Template& form = (*read)->form();
  EXPECT_STREQ(form.id, "int-of");
  EXPECT_EQ(form.family, Family::other);
  EXPECT_STREQ(form.summary, "Make it a number.");
  EXPECT_EQ(form.prior, 2.5);
  EXPECT_STREQ(form.file, "x.yaml");
  ASSERT_EQ((*read)->examples().size(), 1U);
  EXPECT_EQ((*read)->examples()[0].line, 13);
}

TEST(UserTemplateTest, ABrokenFileSaysWhereAndWhy) {
  struct Case {
    std::string text;
    std::string problem;  ///< How the message begins.
  };
  const std::vector<Case> cases = {
      {"", "x.yaml:1: the file is empty"},
      {"- a\n", "x.yaml:1: the file is no map of keys"},
      {"id: [a\n", "x.yaml:2: not YAML: "},
      {"id: a\n\tb: c\n", "x.yaml:2: not YAML: "},
      {"\xff\xfe", "x.yaml:1: the file is not UTF-8 text"},
      {std::string("id: a\0b", 7), "x.yaml:1: the file is not UTF-8 text"},
      {std::string(70000, '#'), "x.yaml:1: the file has 70000 bytes"},
      {std::string(k_good) + "---\nid: two\n", "x.yaml:17: only one document is allowed"},
      {with("id: int-of", "id: &a int-of"), "x.yaml:1: anchors are not allowed"},
      {with("text: int($call)", "text: *a"), "x.yaml:10: "},
      {with("id: int-of", "id: !!str int-of"), "x.yaml:1: tags are not allowed"},
      {with("family: other\n", "family: other\nfamily: other\n"),
       "x.yaml:3: the key family is here for the second time, after line 2"},
      {with("family: other\n", "family: other\nfamly: other\n"), "x.yaml:3: there is no key famly"},
      {with("family: other\n", "[a]: other\n"), "x.yaml:2: a key must be a text"},
      {with("family: other", "family: [[[[[[[[[[[[[a]]]]]]]]]]]]]"),
       "x.yaml:2: it is nested too deep"},
      {with("family: other", "family: strange"), "x.yaml:2: there is no family strange"},
      {with("family: other\n", ""), "x.yaml:1: the key family is missing"},
      {with("id: int-of", "id:"), "x.yaml:1: id needs a text"},
      {with("int-of", "Int Of"), "x.yaml:1: an id has small letters"},
      {with("int-of", "''"), "x.yaml:1: an id has small letters"},
      {with("int-of", "all"), "x.yaml:1: the id all is reserved"},
      {with("int-of", "swap-api"), "x.yaml:1: the id swap-api is that of a built-in template"},
      {with("summary: Make it a number.", "summary: \"a\\nb\""),
       "x.yaml:3: summary needs one line"},
      {with("language: python", "language: c"), "x.yaml:4: the language can only be python"},
      {with("language: python", "language: python\nprior: 0"), "x.yaml:5: prior needs a number"},
      {with("language: python", "language: python\nprior: nan"), "x.yaml:5: prior needs a number"},
      {with("language: python", "language: python\nprior: [1]"), "x.yaml:5: prior needs a number"},
      {with("function: (_)", "funktion: (_)"),
       "x.yaml:7: line 2, column 3 of the query: there is no field funktion"},
      {with("(call", "(cal"), "x.yaml:6: line 1, column 2 of the query: there is no node kind cal"},
      {with("@call\n", "@call)\n"), "x.yaml:7: line 2, column 33 of the query: it is no query"},
      {with("(_) @function)", "(_) @function"), "x.yaml:8: line 3, column 1 of the query: it ends"},
      {with("(_) @function", "(_)* @function"),
       "x.yaml:7: line 2, column 16 of the query: the repetition * is not allowed"},
      {with("(_) @function", "(_) @function (#eq? @function \"f\")"),
       "x.yaml:7: line 2, column 28 of the query: predicates are written as constraints"},
      {with("text: int($call)", "text: int($cal)"),
       "x.yaml:10: the hole $cal is not captured by the query"},
      {with("text: int($call)", "text: |\n    int(\n    $cal)"),
       "x.yaml:12: the hole $cal is not captured by the query"},
      {with("text: int($call)", "text: int($)"), "x.yaml:10: a $ needs a name behind it"},
      {with("text: int($call)", "text: int(${call)"), "x.yaml:10: ${call lacks its }"},
      {with("text: int($call)", "text: int($x:near)"), "x.yaml:10: there is no ingredient near"},
      {with("text: int($call)", "text: int($x:key_of)"), "x.yaml:10: key_of needs a capture"},
      {with("text: int($call)", "text: int($x:key_of(@y))"), "x.yaml:10: @y is not captured"},
      {with("text: int($call)", "text: int($call:in_scope)"),
       "x.yaml:10: the hole $call has an ingredient, but is captured"},
      {with("text: int($call)", "text: f($x:in_scope, $x:parameter)"),
       "x.yaml:10: the hole $x has two ingredients"},
      {with("text: int($call)", "text: f($a:in_scope, $b:in_scope, $c:in_scope, $d:in_scope)"),
       "x.yaml:9: there are more than 3 holes"},
      {with("text: int($call)", "text: \"\""), "x.yaml:10: the text is empty"},
      {with("  text: int($call)\n", ""), "x.yaml:9: the key text is missing"},
      {with("replace: \"@call\"", "replace: \"@cal\""), "x.yaml:9: @cal is not captured"},
      {with("replace: \"@call\"", "delete: \"@call\""), "x.yaml:10: delete has no text"},
      {with("  text: int", "  delete: call\n  text: int"), "x.yaml:10: a step does one thing"},
      {with("  replace: \"@call\"\n", ""), "x.yaml:9: a step needs replace, insert_before"},
      {with("replace: \"@call\"", "add_import: import a; b"), "x.yaml:9: add_import needs one"},
      {with("examples:", "constraints: {cal: {equals: a}}\nexamples:"),
       "x.yaml:11: cal is neither captured"},
      {with("examples:", "constraints: {call: a}\nexamples:"),
       "x.yaml:11: the constraints of call"},
      {with("examples:", "constraints:\n  call:\n    equal: a\nexamples:"),
       "x.yaml:13: there is no constraint equal"},
      {with("examples:", "constraints: {call: {matches: \"(\"}}\nexamples:"),
       "x.yaml:11: matches is no regular expression: missing )"},
      {with("examples:", "constraints: {call: {kind: cal}}\nexamples:"),
       "x.yaml:11: there is no node kind cal"},
      {with("examples:", "constraints: {call: {in: []}}\nexamples:"),
       "x.yaml:11: in needs a list of texts"},
      {with("examples:", "constraints: {call: {differs: cal}}\nexamples:"),
       "x.yaml:11: cal is neither captured"},
      {with("examples:", "constraints: {call: {lacks_argument: a b}}\nexamples:"),
       "x.yaml:11: lacks_argument needs the name of a keyword"},
      {with("int($call)", "int($x:in_scope)\nconstraints: {x: {kind: call}}"),
       "x.yaml:11: kind is about nodes, and $x is none"},
      {with("    after: |\n      x = int(f())\n", ""), "x.yaml:12: the key after is missing"},
      {with("      x = int(f())\n", "      x = f()\n"), "x.yaml:12: before and after are equal"},
      {with("  - before: |\n      x = f()\n    after: |\n      x = int(f())\n",
            "  - unchanged: x\n"),
       "x.yaml:12: the examples need one with before and after"},
  };
  for (const Case& one : cases) {
    const std::string problem = problem_of(one.text);
    EXPECT_TRUE(problem.starts_with(one.problem))
        << "wanted: " << one.problem << "\ngot:    " << problem;
    EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
  }
}

double seconds_to_read(const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(problem_of(text).empty());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  while (text.size() + piece.size() <= bytes) text += piece;
  return text;
}

TEST(UserTemplateTest, HostileFilesAreRefusedQuickly) {
  for (const std::string_view piece :
       {"[",     "{",       "- ",  "? ",  "a: ", "[a, ",         "{a: ",  "\"",
        "|\n",   ">\n ",    "&a ", "*a ", "!a ", "%a\n",         "---\n", "...\n",
        "a:\n ", "- - [\n", "'",   "\\",  ": ",  "\xef\xbb\xbf", "#\n",   "a\n"}) {
    EXPECT_LT(seconds_to_read(repeated(piece, 65000)), 5) << piece;
    EXPECT_LT(seconds_to_read("id: a\nquery: " + repeated(piece, 65000)), 5) << piece;
  }
  std::string many = "id: a\nexamples:\n";
  while (many.size() < 65000) many += fmt::format(" k{}: v\n", many.size());
  EXPECT_LT(seconds_to_read(many), 5);
}

TEST(UserTemplateTest, HostileQueriesAreRefusedQuickly) {
  const auto query = [](std::string text) {
    std::string quoted;
    for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
    return with("query: |\n  (call\n    function: (_) @function) @call\n",
                "query: '" + quoted + "'\n");
  };
  std::string deep = repeated("(_ ", 90) + "(call) @call" + repeated(")", 30);
  for (const std::string& text :
       {repeated("(", 1900), repeated("((_ ", 1900), repeated("[", 1900), repeated("(_ . ", 1900),
        deep, repeated("(call)? ", 1900), std::string("(module (_)* @a (_)* @b) @call"),
        repeated("(call) @call", 2500), repeated("\"", 1999), repeated("; a\n", 400)}) {
    EXPECT_LT(seconds_to_read(query(text)), 5) << text.substr(0, 40);
  }
}

TEST(UserTemplateTest, TheWorstQueriesThatAreLeftEndOnALargeFile) {
  std::string source;
  while (source.size() < 300'000) source += "x = f(a, [b, c, (d, e)], g=h(1, 2, 3))\n";
  std::string arguments = "(argument_list";
  for (int i = 0; i < 20; ++i) arguments += " (_)";
  for (const std::string& text : {std::string("(module (_) @call (_) @function (_) @c (_) @d)"),
                                  std::string("(_ (_)? @call (_)? @function (_)? @c (_)? @d)"),
                                  std::string("(_ (_ (_ (_ (_) @call) @function) @c) @d)"),
                                  arguments + ") @call (_) @function"}) {
    const auto read = UserTemplate::read(
        "x.yaml",
        with("query: |\n  (call\n    function: (_) @function) @call\n", "query: '" + text + "'\n"));
    ASSERT_TRUE(read) << read.error().message;
    const auto start = std::chrono::steady_clock::now();
    Result<Query> query = Query::compile(Language::python, (*read)->form().query);
    query->limit({});
    EXPECT_FALSE(query->run(Tree::parse(Language::python, source)).empty());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << text;
  }
}

TEST(UserTemplateTest, BytesInDisorderNeverCrash) {
  std::mt19937 random(7);
  const std::string good = k_good;
  const std::string_view alphabet = "\n \t:-[]{}()@$&*!|>'\"%#?.,_\\=abq\r\x80\xc3";
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (unsigned edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const char c = alphabet[random() % alphabet.size()];
      if (random() % 2 == 0) {
        text[at] = c;
      } else {
        text.insert(at, 1, c);
      }
    }
    const std::string problem = problem_of(text);
    if (problem.empty()) continue;
    ++refused;
    EXPECT_TRUE(problem.starts_with("x.yaml:")) << problem;
  }
  EXPECT_GT(refused, 1000);
}

TEST(UserTemplateTest, AnIdCountsOnceInARepository) {
  const UserTemplates read = read_user_templates(
      {{"a.yaml", k_good}, {"b.yaml", k_good}, {"c.yaml", with("int-of", "other-id")}});
  ASSERT_EQ(read.templates.size(), 2U);
  EXPECT_STREQ(read.forms()[1]->id, "other-id");
  ASSERT_EQ(read.problems.size(), 1U);
  EXPECT_EQ(read.problems[0], "b.yaml:1: the id int-of is that of a.yaml");
}

TEST(UserTemplateTest, ARepositoryBringsTheFilesOfItsFolder) {
  const MemoryWorkspace workspace({{".tenline/templates/a.yaml", k_good},
                                   {".tenline/templates/b.yaml", "id: b\n"},
                                   {".tenline/templates/notes.md", "text"},
                                   {".tenline/templates/old/c.yaml", with("int-of", "old")},
                                   {"templates/d.yaml", with("int-of", "elsewhere")}});
  const UserTemplates read = user_templates_of(workspace);
  ASSERT_EQ(read.templates.size(), 1U);
  EXPECT_STREQ(read.forms()[0]->file, ".tenline/templates/a.yaml");
  ASSERT_EQ(read.problems.size(), 1U);
  EXPECT_EQ(read.problems[0], ".tenline/templates/b.yaml:1: the key family is missing");
}

TEST(UserTemplateTest, TheExamplesOfTheManualHold) {
  FileTexts texts;
  for (const auto& entry :
       fs::directory_iterator(fs::path(TENLINE_SOURCE_DIR) / "docs" / "examples" / "templates")) {
    std::stringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    texts[entry.path().filename().string()] = text.str();
  }
  const UserTemplates read = read_user_templates(texts);
  EXPECT_TRUE(read.problems.empty()) << read.problems.front();
  EXPECT_EQ(read.templates.size(), 3U);
  for (const auto& form : read.templates) {
    for (const ExampleResult& result : run_examples(*form)) {
      EXPECT_EQ(result.problem, "") << form->form().file << ":" << result.line;
    }
  }
}

TEST(UserTemplateTest, AnExampleThatDoesNotHoldSaysHow) {
  const auto read = UserTemplate::read("x.yaml", with("      x = int(f())\n",
                                                      "      x = int( f())\n"
                                                      "  - before: x = 1\n"
                                                      "    after: x = 2\n"
                                                      "  - unchanged: f()\n"
                                                      "  - unchanged: x = 1\n"));
  ASSERT_TRUE(read) << read.error().message;
  const std::vector<ExampleResult> results = run_examples(**read);
  ASSERT_EQ(results.size(), 4U);
  EXPECT_EQ(results[0].problem,
            "the proposal does not give `after`, line 1:\n  wanted: x = int( f())\n"
            "  got:    x = int(f())");
  EXPECT_EQ(results[1].problem, "proposes nothing");
  EXPECT_EQ(results[2].problem, "must not fire, but would replace `f()` by `int(f())`");
  EXPECT_EQ(results[3].problem, "");
}

}  // namespace
}  // namespace tenline::templates

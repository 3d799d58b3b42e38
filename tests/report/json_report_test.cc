#include "engine/report/json_report.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tests/report/sample_reports.h"

namespace tenline {
namespace {

using namespace tenline::testing;

Json read_schema(const std::string& name) {
  std::ifstream in(std::string(TENLINE_SOURCE_DIR) + "/docs/schema/" + name);
  const auto json = parse_json((std::ostringstream() << in.rdbuf()).str());
  if (!json) throw std::runtime_error(name + ": " + json.error().message);
  return *json;
}

/// What is wrong with the document; empty where it is valid.
std::string complaint(const Json& schema_document, const Json& document) {
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
  valijson::ValidationResults results;
  const valijson::adapters::NlohmannJsonAdapter target(document);
  if (valijson::Validator().validate(schema, target, &results)) return "";
  std::string text = "invalid";
  for (const auto& error : results) {
    text += ": ";
    for (const std::string& part : error.context) text += part;
    text += " " + error.description;
  }
  return text;
}

TEST(FixSchemaTest, EveryKindOfReportIsValid) {
  const Json schema = read_schema("fix.schema.json");
  for (const auto& [name, report] : all_reports()) {
    for (const Volatile mode : {Volatile::keep, Volatile::blank}) {
      // Through its text, as a script reads it.
      const auto document = parse_json(document_text(fix_document(report, mode)));
      ASSERT_TRUE(document) << name;
      EXPECT_EQ(complaint(schema, *document), "") << name;
    }
  }
}

TEST(FixSchemaTest, RefusesADocumentWithoutAPromisedField) {
  const Json schema = read_schema("fix.schema.json");
  const Json good = fix_document(patched_report());
  ASSERT_EQ(complaint(schema, good), "");
  for (const char* key : {"schema", "run", "outcome", "exit", "seconds", "cpu_seconds",
                          "candidates", "patches", "locations"}) {
    Json bad = good;
    bad.erase(key);
    EXPECT_NE(complaint(schema, bad), "") << key;
  }
  for (const char* key : {"generated", "run", "grouped", "dropped"}) {
    Json bad = good;
    bad["candidates"].erase(key);
    EXPECT_NE(complaint(schema, bad), "") << key;
  }
  for (const char* key : {"rank", "diff", "changed_lines", "template", "family", "evidence",
                          "score", "why", "checked", "not_checked"}) {
    Json bad = good;
    bad["patches"][0].erase(key);
    EXPECT_NE(complaint(schema, bad), "") << key;
  }
}

TEST(FixSchemaTest, RefusesValuesThatNobodyPromised) {
  const Json schema = read_schema("fix.schema.json");
  const Json good = fix_document(patched_report());
  const std::pair<const char*, Json> changes[] = {{"/schema", 2},
                                                  {"/outcome", "won"},
                                                  {"/seconds", "1"},
                                                  {"/exit", 256},
                                                  {"/candidates/run", -1},
                                                  {"/patches/0/evidence", "E0"},
                                                  {"/patches/0/rank", 0},
                                                  {"/patches/0/checked", "x"},
                                                  {"/locations/0/line", "12"},
                                                  {"/tried/0/outcomes/won", 1},
                                                  {"/reproduction/exception", "x"}};
  for (const auto& [pointer, value] : changes) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    EXPECT_NE(complaint(schema, bad), "") << pointer;
  }
}

/// The names that a schema has for the members of an object.
std::set<std::string> described(const Json& schema, const Json& node) {
  std::set<std::string> names;
  const Json properties = node.value("properties", Json::object());
  for (const auto& [key, value] : properties.items()) names.insert(key);
  const Json parts = node.value("allOf", Json::array());
  for (const Json& part : parts) names.merge(described(schema, part));
  if (node.contains("$ref")) {
    const std::string place = node["$ref"].get<std::string>().substr(1);
    names.merge(described(schema, schema.at(Json::json_pointer(place))));
  }
  return names;
}

TEST(FixSchemaTest, DescribesEveryFieldThatIsWritten) {
  const Json schema = read_schema("fix.schema.json");
  RunReport report = patched_report();
  const Json document = fix_document(report);
  const std::pair<const char*, const char*> objects[] = {
      {"", ""},
      {"/base", "/properties/base"},
      {"/candidates", "/properties/candidates"},
      {"/reproduction", "/properties/reproduction"},
      {"/reproduction/exception", "/properties/reproduction/properties/exception"},
      {"/patches/0", "/properties/patches/items"},
      {"/nearest_misses/0", "/properties/nearest_misses/items"},
      {"/locations/0", "/definitions/location"},
      {"/tried/0", "/properties/tried/items"}};
  for (const auto& [place, reference] : objects) {
    const std::set<std::string> names = described(schema, schema.at(Json::json_pointer(reference)));
    for (const auto& [key, value] : document.at(Json::json_pointer(place)).items()) {
      EXPECT_TRUE(names.contains(key)) << place << "/" << key;
    }
  }
}

TEST(LocateSchemaTest, HoldsTheDocument) {
  const Json schema = read_schema("locate.schema.json");
  const Json good = locate_document(patched_report().result.locations);
  EXPECT_EQ(complaint(schema, good), "");
  EXPECT_EQ(complaint(schema, locate_document({})), "");
  for (const char* key : {"rank", "file", "line", "function", "score", "reasons"}) {
    Json bad = good;
    bad["locations"][1].erase(key);
    EXPECT_NE(complaint(schema, bad), "") << key;
  }
  EXPECT_EQ(schema["definitions"]["location"],
            read_schema("fix.schema.json")["definitions"]["location"]);
}

TEST(FixDocumentTest, HasWhatTheDesignPromises) {
  const Json document = fix_document(patched_report());
  EXPECT_EQ(document["schema"], 1);
  EXPECT_EQ(document["run"], "20260801-1412-ab12");
  EXPECT_EQ(document["outcome"], "patched");
  EXPECT_EQ(document["exit"], 0);
  EXPECT_EQ(document["seconds"], 41.2);
  EXPECT_EQ(document["candidates"]["generated"], 20);
  EXPECT_EQ(document["candidates"]["run"], 14);
  const Json& patch = document["patches"][1];
  EXPECT_EQ(patch["rank"], 2);
  EXPECT_EQ(patch["diff"], patched_report().diffs[1]);
  EXPECT_EQ(patch["template"], "getattr-default");
  EXPECT_EQ(patch["family"], "precondition_guard");
  EXPECT_EQ(patch["evidence"], "E1");
  EXPECT_EQ(patch["changed_lines"], 1);
  EXPECT_EQ(document["locations"][0]["function"], "Launcher.run");
  EXPECT_EQ(document["nearest_misses"][0]["outcome"], "breaks_tests");
  EXPECT_EQ(fix_document(refused_report())["outcome"], "refused");
  EXPECT_EQ(fix_document(refused_report())["exit"], 6);
}

TEST(FixDocumentTest, WithoutTimesTwoRunsGiveTheSameBytes) {
  for (const auto& [name, first] : all_reports()) {
    RunReport second = first;
    second.run_id = "another";
    second.seconds *= 3;
    second.result.cpu_seconds += 1;
    second.result.reproduction.seconds += 1;
    for (CheckedCandidate& patch : second.result.patches) patch.verdict.seconds += 1;
    EXPECT_EQ(document_text(fix_document(first, Volatile::blank)),
              document_text(fix_document(second, Volatile::blank)))
        << name;
    if (!first.failure) {
      EXPECT_NE(document_text(fix_document(first)), document_text(fix_document(second))) << name;
    }
  }
}

TEST(FixDocumentTest, HostileTextStaysPrintableAscii) {
  for (const RepairEnd end : {RepairEnd::patched, RepairEnd::no_patch}) {
    const std::string text = document_text(fix_document(hostile_report(end)));
    for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c < '\x7f'));
    const auto document = parse_json(text);
    ASSERT_TRUE(document);
    EXPECT_NE((*document)["issue"].get<std::string>().find("\x1b]0;owned\x07"), std::string::npos);
  }
}

TEST(FixDocumentTest, NumbersThatAreNotFiniteStayNumbers) {
  RunReport report = patched_report();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  report.seconds = report.result.cpu_seconds = report.result.locations[0].score =
      report.result.patches[0].candidate.score = nan;
  EXPECT_EQ(complaint(read_schema("fix.schema.json"), fix_document(report)), "");
}

TEST(FixDocumentTest, APatchWithoutItsDiffIsAnEmptyString) {
  RunReport report = patched_report();
  report.diffs.resize(1);
  EXPECT_EQ(fix_document(report)["patches"][1]["diff"], "");
}

}  // namespace
}  // namespace tenline

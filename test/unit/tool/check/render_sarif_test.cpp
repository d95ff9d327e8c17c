// Diagnostics as SARIF: validity according to the standard, and values for given diagnostics.
#include "check/render_sarif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../emit/temporary_folder.h"

namespace structured::gen {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::IsSubsetOf;

SourceRange range(std::string file, Position begin, Position end) { return {std::move(file), begin, end}; }

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& [key, value] : object.items()) result.push_back(key);
  return result;
}

// Validates the objects in the output against the standard: required and optional properties, and their values.
class Validator {
 public:
  void expect_log(const Json& log) {
    expect_object(log, {"$schema", "version", "runs"}, {"version", "runs"});
    EXPECT_EQ(log["version"], "2.1.0");
    ASSERT_TRUE(log["runs"].is_array());
    for (const Json& run : log["runs"]) expect_run(run);
  }

 private:
  static void expect_object(const Json& json, const std::vector<std::string>& allowed,
                            const std::vector<std::string>& required) {
    ASSERT_TRUE(json.is_object()) << json;
    EXPECT_THAT(keys(json), IsSubsetOf(allowed));
    for (const std::string& key : required) EXPECT_TRUE(json.contains(key)) << key << " is missing in " << json;
  }

  void expect_run(const Json& run) {
    expect_object(run, {"tool", "columnKind", "originalUriBaseIds", "results"}, {"tool", "results"});
    EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
    const Json& driver = run["tool"]["driver"];
    expect_object(driver, {"name", "version", "rules"}, {"name"});
    for (const Json& rule : driver["rules"]) {
      expect_object(rule, {"id", "shortDescription", "defaultConfiguration"}, {"id"});
      expect_message(rule["shortDescription"]);
      expect_level(rule["defaultConfiguration"]["level"]);
      rules_.push_back(rule["id"].get<std::string>());
    }
    bases_ = run["originalUriBaseIds"];
    for (const Json& result : run["results"]) expect_result(result);
  }

  void expect_result(const Json& result) {
    expect_object(result, {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "fixes"},
                  {"message"});
    expect_message(result["message"]);
    expect_level(result["level"]);
    ASSERT_LT(result["ruleIndex"].get<std::size_t>(), rules_.size());
    EXPECT_EQ(result["ruleId"], rules_[result["ruleIndex"].get<std::size_t>()]);
    for (const Json& location : result["locations"]) expect_location(location);
    for (const Json& location : result.value("relatedLocations", Json::array())) {
      expect_location(location);
      expect_message(location["message"]);
    }
    for (const Json& fix : result.value("fixes", Json::array())) expect_fix(fix);
  }

  void expect_location(const Json& location) {
    expect_object(location, {"id", "physicalLocation", "message"}, {});
    if (!location.contains("physicalLocation")) return;
    const Json& physical = location["physicalLocation"];
    expect_object(physical, {"artifactLocation", "region"}, {"artifactLocation"});
    expect_artifact(physical["artifactLocation"]);
    if (physical.contains("region")) expect_region(physical["region"]);
  }

  void expect_artifact(const Json& artifact) {
    expect_object(artifact, {"uri", "uriBaseId"}, {"uri"});
    const auto uri = artifact["uri"].get<std::string>();
    EXPECT_THAT(uri, testing::MatchesRegex("(file://)?([A-Za-z0-9/._~+-]|%[0-9A-F][0-9A-F])+"));
    if (artifact.contains("uriBaseId")) {
      EXPECT_TRUE(bases_.contains(artifact["uriBaseId"].get<std::string>()));
      EXPECT_NE(uri.front(), '/');
    } else {
      EXPECT_EQ(uri.rfind("file:///", 0), 0u);
    }
  }

  static void expect_region(const Json& region) {
    const std::vector<std::string> all = {"startLine", "startColumn", "endLine", "endColumn"};
    expect_object(region, all, all);
    for (const std::string& key : all) EXPECT_GE(region[key].get<int>(), 1) << key;
    EXPECT_LE(std::pair(region["startLine"].get<int>(), region["startColumn"].get<int>()),
              std::pair(region["endLine"].get<int>(), region["endColumn"].get<int>()));
  }

  void expect_fix(const Json& fix) {
    expect_object(fix, {"description", "artifactChanges"}, {"artifactChanges"});
    expect_message(fix["description"]);
    ASSERT_FALSE(fix["artifactChanges"].empty());
    for (const Json& change : fix["artifactChanges"]) {
      expect_object(change, {"artifactLocation", "replacements"}, {"artifactLocation", "replacements"});
      expect_artifact(change["artifactLocation"]);
      ASSERT_FALSE(change["replacements"].empty());
      for (const Json& replacement : change["replacements"]) {
        expect_object(replacement, {"deletedRegion", "insertedContent"}, {"deletedRegion"});
        expect_region(replacement["deletedRegion"]);
        expect_object(replacement["insertedContent"], {"text"}, {"text"});
      }
    }
  }

  static void expect_message(const Json& message) {
    expect_object(message, {"text"}, {"text"});
    EXPECT_FALSE(message["text"].get<std::string>().empty());
  }
  static void expect_level(const Json& level) { EXPECT_TRUE(level == "error" || level == "warning") << level; }

  std::vector<std::string> rules_;
  Json bases_;
};

class RenderSarif : public testing::Test {
 protected:
  Json render(std::vector<Diagnostic> diagnostics) {
    SourceText sources(folder_.path());
    text_ = render_sarif(diagnostics, sources, "1.2.3");
    Json log = Json::parse(text_, nullptr, /*allow_exceptions=*/false);
    EXPECT_FALSE(log.is_discarded()) << text_;
    Validator().expect_log(log);
    return log;
  }
  Json render_one(Diagnostic diagnostic) { return render({std::move(diagnostic)})["runs"][0]["results"][0]; }

  static Diagnostic at(SourceRange place) { return {DiagnosticKind::impl_mismatch, "message", place, {}, {}}; }

  TemporaryFolder folder_;
  std::string text_;
};

TEST_F(RenderSarif, HasARunWithoutResults) {
  const Json log = render({});
  ASSERT_EQ(log["runs"].size(), 1u);
  EXPECT_EQ(log["runs"][0]["results"], Json::array());
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["name"], "structured-gen");
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["version"], "1.2.3");
  EXPECT_EQ(text_.back(), '\n');
}

TEST_F(RenderSarif, HasARuleForEveryKind) {
  const Json rules = render({})["runs"][0]["tool"]["driver"]["rules"];
  std::size_t index = 0;
#define STRUCTURED_DIAGNOSTIC(identifier, name, severity, summary)     \
  EXPECT_EQ(rules[index]["id"], name);                                 \
  EXPECT_EQ(rules[index]["shortDescription"]["text"], summary);        \
  EXPECT_EQ(rules[index]["defaultConfiguration"]["level"], #severity); \
  ++index;
#include "check/diagnostic_kinds.def"
  EXPECT_EQ(rules.size(), index);
}

TEST_F(RenderSarif, HasKindLevelAndMessage) {
  const Json log = render({{DiagnosticKind::impl_mismatch, "wrong", range("a.cpp", {1, 1}, {1, 2}), {}, {}},
                           {DiagnosticKind::meta_without_impl, "odd", range("a.cpp", {2, 1}, {2, 2}), {}, {}}});
  const Json& results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["ruleId"], "structured-impl-mismatch");
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[0]["message"]["text"], "wrong");
  EXPECT_EQ(results[1]["ruleId"], "structured-meta-without-impl");
  EXPECT_EQ(results[1]["level"], "warning");
  EXPECT_FALSE(results[0].contains("relatedLocations"));
  EXPECT_FALSE(results[0].contains("fixes"));
}

TEST_F(RenderSarif, HasThePlace) {
  const Json location = render_one(at(range("sub/a.cpp", {3, 5}, {4, 7})))["locations"][0]["physicalLocation"];
  EXPECT_EQ(location["artifactLocation"], (Json{{"uri", "sub/a.cpp"}, {"uriBaseId", "SRCROOT"}}));
  EXPECT_EQ(location["region"], (Json{{"startLine", 3}, {"startColumn", 5}, {"endLine", 4}, {"endColumn", 7}}));
}

TEST_F(RenderSarif, CountsColumnsInCodePoints) {
  folder_.write("a.cpp", "\xC3\xA4\xF0\x9F\x98\x80 int x;\n");
  const Json region = render_one(at(range("a.cpp", {1, 8}, {1, 11})))["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startColumn"], 4);
  EXPECT_EQ(region["endColumn"], 7);
}

TEST_F(RenderSarif, HasNoRegionWithoutAPlaceInTheFile) {
  const Json physical = render_one(at(range("a.cpp", {}, {})))["locations"][0]["physicalLocation"];
  EXPECT_FALSE(physical.contains("region"));
}

TEST_F(RenderSarif, HasNoLocationWithoutAFile) {
  EXPECT_EQ(render_one(at({}))["locations"], Json::array({Json::object()}));
}

TEST_F(RenderSarif, EscapesPaths) {
  const auto uri = [&](const char* file) {
    const Json result = render_one(at(range(file, {1, 1}, {1, 1})));
    return result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].get<std::string>();
  };
  EXPECT_EQ(uri("a b#c?d%e.cpp"), "a%20b%23c%3Fd%25e.cpp");
  EXPECT_EQ(uri("\xC3\xA4.cpp"), "%C3%A4.cpp");
  EXPECT_EQ(uri("a-b_c~d+e/f.cpp"), "a-b_c~d+e/f.cpp");
  EXPECT_EQ(uri("c:/a.cpp"), "c%3A/a.cpp");
  EXPECT_EQ(uri("/usr/include/a b.h"), "file:///usr/include/a%20b.h");
}

TEST_F(RenderSarif, HasNotesAsRelatedLocations) {
  Diagnostic diagnostic = at(range("a.cpp", {1, 1}, {1, 2}));
  diagnostic.notes = {{"here", range("b.cpp", {2, 3}, {2, 4})}, {"and here", range("b.cpp", {5, 6}, {5, 7})}};
  const Json related = render_one(diagnostic)["relatedLocations"];
  ASSERT_EQ(related.size(), 2u);
  EXPECT_EQ(related[0]["id"], 0);
  EXPECT_EQ(related[0]["message"]["text"], "here");
  EXPECT_EQ(related[1]["id"], 1);
  EXPECT_EQ(related[1]["physicalLocation"]["region"]["startLine"], 5);
}

TEST_F(RenderSarif, HasEditsAsOneFixByFile) {
  Diagnostic diagnostic = at(range("a.cpp", {1, 1}, {1, 2}));
  diagnostic.fixits = {{range("b.cpp", {1, 1}, {1, 4}), "x"},
                       {range("a.cpp", {2, 1}, {2, 1}), "y"},
                       {range("b.cpp", {3, 1}, {3, 2}), ""}};
  const Json fixes = render_one(diagnostic)["fixes"];
  ASSERT_EQ(fixes.size(), 1u);
  EXPECT_EQ(fixes[0]["description"]["text"], "message");
  const Json& changes = fixes[0]["artifactChanges"];
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0]["artifactLocation"]["uri"], "a.cpp");
  EXPECT_EQ(changes[0]["replacements"].size(), 1u);
  EXPECT_EQ(changes[1]["artifactLocation"]["uri"], "b.cpp");
  ASSERT_EQ(changes[1]["replacements"].size(), 2u);
  EXPECT_EQ(changes[1]["replacements"][0]["insertedContent"]["text"], "x");
  EXPECT_EQ(changes[1]["replacements"][1]["insertedContent"]["text"], "");
}

TEST_F(RenderSarif, ReplacesWhatIsNoUnicode) {
  Diagnostic diagnostic = at(range("a.cpp", {1, 1}, {1, 2}));
  diagnostic.message = "name `\xFF`";
  EXPECT_EQ(render_one(diagnostic)["message"]["text"], "name `\xEF\xBF\xBD`");
}

TEST_F(RenderSarif, KeepsControlCharactersAndQuotes) {
  Diagnostic diagnostic = at(range("a.cpp", {1, 1}, {1, 2}));
  diagnostic.message = std::string("a\"b\\c\nd\0e", 9);
  EXPECT_EQ(render_one(diagnostic)["message"]["text"].get<std::string>(), diagnostic.message);
}

}  // namespace
}  // namespace structured::gen

#include <structured/program/json.h>

#include <cmath>
#include <string>

#include "../../expect_error.h"

namespace structured::test::json_test {
namespace {

using program::JsonDocument;

TEST(Json, ReadsValues) {
  const JsonDocument document(R"({"a": [1, -2.5, "Infinity", "NaN"], "b": {"only": true}, "c": null, "d": "text"})",
                              "file");
  const auto root = document.root();
  EXPECT_EQ(root["a"].size(), 4U);
  EXPECT_EQ(root["a"][0].integer(), 1);
  EXPECT_EQ(root["a"][1].real(), -2.5);
  EXPECT_EQ(root["a"][2].real(), INFINITY);
  EXPECT_TRUE(std::isnan(root["a"][3].real()));
  EXPECT_EQ(root["b"].only_member().first, "only");
  EXPECT_TRUE(root["b"].only_member().second.boolean());
  EXPECT_TRUE(root["c"].is_null());
  EXPECT_EQ(root["d"].string(), "text");
  EXPECT_FALSE(root.has("e"));
}

TEST(Json, LeavesSkippedMembersOut) {
  const JsonDocument document(R"({"skipped": {"deep": [1]}, "kept": 2})", "file", "skipped");
  EXPECT_FALSE(document.root().has("skipped"));
  EXPECT_EQ(document.root()["kept"].integer(), 2);
}

TEST(Json, NamesTheFileAndThePathInErrors) {
  const JsonDocument document(R"({"nodes": [{"name": "x"}, {"name": 3, "big": 18446744073709551615}]})", "file");
  const auto node = document.root()["nodes"][1];
  expect_error([&] { static_cast<void>(node["name"].string()); },
               "file: nodes[1].name: expected a string, found number");
  expect_error([&] { static_cast<void>(node["target"]); }, "file: nodes[1]: expected the member `target`, found none");
  expect_error([&] { static_cast<void>(node["big"].integer()); },
               "file: nodes[1].big: expected an integer that int64 holds, found 18446744073709551615");
  expect_error([&] { static_cast<void>(node[0]); }, "file: nodes[1]: expected an array, found object");
  expect_error([&] { static_cast<void>(document.root()["nodes"][2]); },
               "file: nodes: expected more than 2 elements, found 2");
  expect_error([&] { static_cast<void>(node.only_member()); }, "file: nodes[1]: expected an object with one member");
}

TEST(Json, RejectsMalformedText) {
  const std::string text = R"({"a": [1, {"b": "c"}], "d": -1.5e3})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    expect_error([&] { JsonDocument(text.substr(0, length), "file"); }, "file: expected JSON, found: ");
  }
}

TEST(Json, RejectsDeepNesting) {
  const std::string deep = std::string(100000, '[');
  expect_error([&] { JsonDocument(deep, "file"); }, "file: expected at most 64 nested values, found more");
}

}  // namespace
}  // namespace structured::test::json_test

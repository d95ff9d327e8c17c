// Replay of handwritten cases: passed, failed, rejected, skipped and malformed ones.
#include "replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace structured::replay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// [1, 2] and [3, 4] as float32.
constexpr const char* kOneTwo =
    R"({"tensor": {"dtype": "float32", "shape": [2], "strides": [1], "offset": 0, "storage": "AACAPwAAAEA="}})";
constexpr const char* kTwo =
    R"({"tensor": {"dtype": "float32", "shape": [1], "strides": [1], "offset": 0, "storage": "AAAAQA=="}})";
constexpr const char* kThreeFour =
    R"({"tensor": {"dtype": "float32", "shape": [2], "strides": [1], "offset": 0, "storage": "AABAQAAAgEA="}})";

std::string call(const std::string& op, const std::string& overload, const std::string& args, const std::string& expect,
                 const std::string& rest = "") {
  return R"({"op": "aten::)" + op + R"(", "overload": ")" + overload + R"(", "args": [)" + args +
         R"(], "kwargs": {}, "expect": )" + expect + R"(, "error": null)" + rest + "}";
}

std::string refused(const std::string& op, const std::string& overload, const std::string& args) {
  return R"({"op": "aten::)" + op + R"(", "overload": ")" + overload + R"(", "args": [)" + args +
         R"(], "kwargs": {}, "expect": null, "error": "no"})";
}

struct Outcome {
  Report report;
  std::vector<std::string> complaints;
};

Outcome outcome_of(const std::string& lines, ReplayOptions options = {}) {
  Outcome outcome;
  options.complain = [&](const std::string& text) { outcome.complaints.push_back(text); };
  std::istringstream cases(lines);
  outcome.report = replay(cases, options);
  return outcome;
}

TEST(Replay, PassesWhatGivesTheRecordedResult) {
  const std::string two = R"({"int": 2})";
  const Outcome outcome =
      outcome_of(call("add", "Tensor", std::string(kOneTwo) + ", " + two, "[" + std::string(kThreeFour) + "]"));
  EXPECT_THAT(outcome.complaints, IsEmpty());
  EXPECT_EQ(outcome.report.operators.at("aten::add.Tensor").value_passed, 1);
}

TEST(Replay, TakesAnyByteButZeroForTrue) {
  const auto of_bool = [](const std::string& storage) {
    return R"({"tensor": {"dtype": "bool", "shape": [2], "strides": [1], "offset": 0, "storage": ")" + storage +
           R"("}})";
  };
  const std::string odd = of_bool("PQA=");  // 61, 0
  const std::string negated = of_bool("AAE=");
  EXPECT_THAT(outcome_of(call("logical_not", "", odd, "[" + negated + "]")).complaints, IsEmpty());
  EXPECT_THAT(outcome_of(call("logical_not", "", negated, "[" + odd + "]")).complaints, IsEmpty());
}

TEST(Replay, TellsWhatDiffers) {
  const std::string one = R"({"int": 1})";
  const auto complaint = [&](const std::string& expect) {
    const Outcome outcome = outcome_of(call("add", "Tensor", std::string(kOneTwo) + ", " + one, expect));
    EXPECT_EQ(outcome.report.failed(), 1);
    return outcome.complaints.empty() ? "" : outcome.complaints.front();
  };
  EXPECT_EQ(complaint("[" + std::string(kThreeFour) + "]"), "line 1: aten::add.Tensor: element 0 is 2, expected 3");
  EXPECT_THAT(
      complaint(R"([{"tensor": {"dtype": "float64", "shape": [0], "strides": [1], "offset": 0, "storage": ""}}])"),
      HasSubstr("dtype Float, expected Double"));
  EXPECT_THAT(
      complaint(R"([{"tensor": {"dtype": "float32", "shape": [0], "strides": [1], "offset": 0, "storage": ""}}])"),
      HasSubstr("shape [2], expected [0]"));
  EXPECT_THAT(
      complaint(
          R"([{"tensor": {"dtype": "float32", "shape": [2], "strides": [0], "offset": 0, "storage": "AACAPw=="}}])"),
      HasSubstr("strides [1], expected [0]"));
  EXPECT_THAT(complaint(R"([{"int": 3}])"), HasSubstr("a value of kind `Tensor`, expected `int`"));
  EXPECT_THAT(complaint("[]"), HasSubstr("1 results, expected 0"));
}

TEST(Replay, DoesNotCompareRandomElements) {
  const Outcome outcome =
      outcome_of(call("relu", "", kOneTwo, "[" + std::string(kThreeFour) + "]", R"(, "random": true)"));
  EXPECT_EQ(outcome.report.passed(), 1);
}

TEST(Replay, LooksAtWrittenArguments) {
  const std::string result = "[" + std::string(kThreeFour) + "]";
  const Outcome outcome = outcome_of(call("add_", "Tensor", std::string(kOneTwo) + R"(, {"int": 2})", result,
                                          R"(, "written": {"self": )" + std::string(kOneTwo) + "}"));
  EXPECT_THAT(outcome.complaints,
              ElementsAre("line 1: aten::add_.Tensor: argument `self` after the call: element 0 is 3, expected 1"));
}

TEST(Replay, WantsAnErrorWhereThereWasOne) {
  const std::string bad =
      R"({"tensor": {"dtype": "float32", "shape": [3], "strides": [1], "offset": 0, "storage": "AAAAAAAAAAAAAAAA"}})";
  const Outcome right = outcome_of(refused("add", "Tensor", std::string(kOneTwo) + ", " + bad));
  EXPECT_EQ(right.report.operators.at("aten::add.Tensor").error_passed, 1);
  const Outcome wrong = outcome_of(refused("add", "Tensor", std::string(kOneTwo) + ", " + kOneTwo));
  EXPECT_THAT(wrong.complaints, ElementsAre("line 1: aten::add.Tensor: no error, expected one like: no"));
}

TEST(Replay, AcceptsTheExpectedResultsOfACallThatMayBeRefused) {
  const auto line = [](const std::string& expect) {
    return R"({"op": "aten::add", "overload": "Tensor", "args": [)" + std::string(kOneTwo) +
           R"(, {"int": 2}], "kwargs": {}, "expect": [)" + expect + R"(], "error": "no"})";
  };
  EXPECT_THAT(outcome_of(line(kThreeFour)).complaints, IsEmpty());
  EXPECT_THAT(outcome_of(line(kOneTwo)).complaints,
              ElementsAre("line 1: aten::add.Tensor: element 0 is 3, expected 1"));
}

TEST(Replay, GivesArgumentsTheMemoryThatTheyShared) {
  const auto tensor = [](int offset) {
    return R"({"tensor": {"dtype": "float32", "shape": [1], "strides": [1], "offset": )" + std::to_string(offset) +
           R"(, "storage": "AACAPwAAAEA=", "memory": 0}})";
  };
  const Outcome outcome = outcome_of(R"({"op": "aten::add_", "overload": "Tensor", "args": [)" + tensor(0) + ", " +
                                     tensor(0) + R"(], "kwargs": {}, "expect": [)" + kTwo +
                                     R"(], "written": {"other": )" + kTwo + R"(}, "error": null})");
  EXPECT_THAT(outcome.complaints, IsEmpty());
  EXPECT_THAT(
      outcome_of(R"({"op": "aten::relu", "overload": "", "args": [{"tensor": {"dtype": "float32", "shape": [], )"
                 R"("strides": [], "offset": 0, "storage": "AACAPw==", "memory": "x"}}], "kwargs": {}, "expect": [], )"
                 R"("error": null})")
          .complaints,
      ElementsAre(testing::HasSubstr("expected an integer as `memory`")));
}

TEST(Replay, TakesATensorOfTooManyDimensionsForRefused) {
  nlohmann::json deep = nlohmann::json::parse(kOneTwo);
  deep["tensor"]["shape"] = std::vector<int>(65, 1);
  deep["tensor"]["strides"] = std::vector<int>(65, 1);
  EXPECT_EQ(outcome_of(refused("relu", "", deep.dump())).report.operators.at("aten::relu").error_passed, 1);
  EXPECT_THAT(outcome_of(call("relu", "", deep.dump(), "[]")).complaints, ElementsAre(HasSubstr("at most 64 dim")));
}

TEST(Replay, SkipsWhatIsNotThereAndWhatIsNotWanted) {
  const std::string lines =
      call("frobnicate", "", kOneTwo, "[]") + "\n\n" + call("relu", "", kOneTwo, "[" + std::string(kOneTwo) + "]");
  EXPECT_EQ(outcome_of(lines).report.skipped(), 1);
  EXPECT_EQ(outcome_of(lines).report.passed(), 1);
  for (const char* const name : {"relu", "aten::relu"}) {
    EXPECT_EQ(outcome_of(lines, {.only = name, .known = {}, .complain = {}}).report.skipped(), 0);
    EXPECT_EQ(outcome_of(lines, {.only = name, .known = {}, .complain = {}}).report.passed(), 1);
  }
}

TEST(Replay, SetsKnownDifferencesApart) {
  std::istringstream lines("# comment\n\naten::relu | element 0 | a reason\n");
  const ReplayOptions options{.only = "", .known = read_known_differences(lines), .complain = {}};
  const Outcome outcome = outcome_of(call("relu", "", kOneTwo, "[" + std::string(kThreeFour) + "]"), options);
  EXPECT_EQ(outcome.report.known(), 1);
  EXPECT_EQ(outcome.report.failed(), 0);
  EXPECT_THAT(outcome.report.below(1), ElementsAre("aten::relu")) << "what is known to differ has not passed";
  std::istringstream wrong("aten::relu | no reason\n");
  EXPECT_THROW(read_known_differences(wrong), std::runtime_error);
}

TEST(Replay, NamesOperatorsThatPassTooFewCallsOfEitherKind) {
  const std::string right = call("relu", "", kOneTwo, "[" + std::string(kOneTwo) + "]");
  const std::string wrong = call("relu", "", kOneTwo, "[" + std::string(kThreeFour) + "]");
  const Report report = outcome_of(right + "\n" + right + "\n" + right + "\n" + wrong + "\n" +
                                   refused("neg", "", kOneTwo) + "\n" + call("frobnicate", "", kOneTwo, "[]"))
                            .report;
  EXPECT_THAT(report.below(75), ElementsAre("aten::neg"));
  EXPECT_THAT(report.below(75.1), ElementsAre("aten::neg", "aten::relu"));
  EXPECT_THAT(report.below(0), IsEmpty());
}

TEST(Replay, TakesResultsThatAreNearerToTheExactOnes) {
  const std::string exact = R"(, "exact": [{"tensor": {"dtype": "float64", "shape": [2], "strides": [1], "offset": 0,
                                                      "storage": "AAAAAAAA8D8AAAAAAAAAQA=="}}])";  // [1, 2]
  std::string line = call("relu", "", kOneTwo, "[" + std::string(kThreeFour) + "]", exact);
  std::erase(line, '\n');
  EXPECT_EQ(outcome_of(line).report.passed(), 1);
  EXPECT_THAT(outcome_of(call("relu", "", kOneTwo, "[]", R"(, "exact": 1)")).complaints,
              ElementsAre(HasSubstr("expected a list as `exact`")));
}

// mul(x, x) with x = [1, 2] and the output gradient [1, 2]: gradient, second derivatives and tangent as given.
std::string square(const std::string& gradient, const std::string& rest = "") {
  return R"({"name": "square", "variant": "functional", "inputs": [{"value": )" + std::string(kOneTwo) +
         R"(, "requires_grad": true}], "steps": [{"op": "aten::mul", "overload": "Tensor", "args": [{"ref": 0}, )" +
         R"({"ref": 0}], "kwargs": {}}], "outputs": [{"ref": 1}], "grad_outputs": [)" + std::string(kOneTwo) +
         R"(], "expect_outputs": [{"tensor": {"dtype": "float32", "shape": [2], "strides": [1], "offset": 0, )" +
         R"("storage": "AACAPwAAgEA="}}], "expect_grads": [)" + gradient + "]" + rest + "}";
}

TEST(Replay, ComparesGradientsOfPrograms) {
  // [2, 8] as float32.
  const std::string right =
      R"({"tensor": {"dtype": "float32", "shape": [2], "strides": [1], "offset": 0, "storage": "AAAAQAAAAEE="}})";
  const std::string forward =
      R"(, "forward": {"tangents": [)" + std::string(kOneTwo) + R"(], "expect": [)" + right + "]}";
  const Outcome passed = outcome_of(square(right, forward));
  EXPECT_THAT(passed.complaints, IsEmpty());
  EXPECT_EQ(passed.report.operators.at("functional: square").value_passed, 1);
  EXPECT_EQ(passed.report.operators.at("forward: square").value_passed, 1);
  EXPECT_THAT(outcome_of(square(kThreeFour)).complaints,
              ElementsAre(HasSubstr("functional: square: gradient 0: element 0 is 2, expected 3")));
  EXPECT_THAT(outcome_of(square("null")).complaints, ElementsAre(HasSubstr("gradient 0: not zero, expected none")));
  EXPECT_THAT(outcome_of(R"({"steps": [{}]})").complaints,
              ElementsAre(HasSubstr("malformed case: expected `op`, `overload`, `args` and `kwargs`")));
}

TEST(Replay, ReportsMalformedCasesAndGoesOn) {
  const auto tensor = [](const std::string& content) { return R"({"tensor": {)" + content + "}}"; };
  const std::pair<std::string, const char*> table[] = {
      {"{", "no JSON"},
      {"[]", "expected an object"},
      {"{}", "expected a member `op`"},
      {R"({"op": 1})", "expected a string as `op`"},
      {R"({"op": "relu", "overload": ""})", "expected a namespace in `op`, found `relu`"},
      {R"({"op": "aten::relu", "overload": "", "args": {}, "kwargs": {}, "expect": [], "error": null})",
       "expected a list as `args`"},
      {R"({"op": "aten::relu", "overload": "", "args": [], "kwargs": [], "expect": [], "error": null})",
       "expected an object as `kwargs`"},
      {R"({"op": "aten::relu", "overload": "", "args": [], "kwargs": {}, "expect": 1, "error": null})",
       "expected a list as `expect`"},
      {R"({"op": "aten::relu", "overload": "", "args": [], "kwargs": {}, "expect": [], "error": 1})",
       "expected a string or null as `error`"},
      {call("relu", "", "", "[]"), "argument `self` is missing"},
      {call("relu", "", std::string(kOneTwo) + ", " + kOneTwo, "[]"), "found 2 arguments where the schema has 1"},
      {R"({"op": "aten::relu", "overload": "", "args": [], "kwargs": {"input": 1}, "expect": [], "error": null})",
       "the schema has no argument `input`"},
      {call("relu", "", "1", "[]"), "expected a value with one member"},
      {call("relu", "", R"({"str": "x"})", "[]"), "found a value of kind `str` where the schema has `Tensor`"},
      {call("relu", "", R"({"float": "x"})", "[]"), "expected a floating number, found `x`"},
      {call("relu", "", tensor(""), "[]"), "expected a member `dtype`"},
      {call("relu", "", tensor(R"("dtype": "float33")"), "[]"), "unknown dtype `float33`"},
      {call("relu", "", tensor(R"("dtype": "float32", "shape": 2)"), "[]"), "expected a list of integers as `shape`"},
      {call("relu", "", tensor(R"("dtype": "float32", "shape": [2], "strides": [], "offset": 0, "storage": "")"), "[]"),
       "expected as many strides as sizes"},
      {call("relu", "", tensor(R"("dtype": "float32", "shape": [], "strides": [], "offset": 0, "storage": "AA==")"),
            "[]"),
       "`storage` ends within an element"},
      {call("relu", "", tensor(R"("dtype": "float32", "shape": [], "strides": [], "offset": 0, "storage": "A?")"),
            "[]"),
       "expected base64 as `storage`"},
      {call("relu", "",
            tensor(R"("dtype": "float32", "shape": [9], "strides": [1], "offset": 0, "storage": "AACAPw==")"), "[]"),
       "no tensor: "},
      {call("relu", "", kOneTwo, "[1]"), "expected a value with one member"},
      {call("sum", "dim_IntList", std::string(kOneTwo) + R"(, {"list": [{"str": "x"}]})", "[]"),
       "found a value of kind `str` where the schema has `int`"},
  };
  for (const auto& [line, problem] : table) {
    const Outcome outcome = outcome_of(line + "\n" + call("relu", "", kOneTwo, "[" + std::string(kOneTwo) + "]"));
    EXPECT_EQ(outcome.report.malformed, 1) << line;
    EXPECT_EQ(outcome.report.passed(), 1) << line;
    EXPECT_THAT(outcome.complaints, ElementsAre(HasSubstr(std::string("line 1: malformed case: ") + problem))) << line;
  }
}

}  // namespace
}  // namespace structured::replay

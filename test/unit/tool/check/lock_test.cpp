// Lock files: contents, errors in them, and incompatible changes of a library.
#include "check/lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "check/diagnostic.h"

namespace structured::gen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* header = "# structured operators.lock, format 1\n";

Variant variant(llvm::StringRef schema) {
  Variant result;
  result.schema = llvm::cantFail(parse_schema(schema));
  Function function;
  function.name = "f";
  function.range = {"kernels.cpp", {7, 1}, {7, 2}};
  result.kernels.push_back({"CPU", function, false, {}});
  return result;
}

Library library(std::initializer_list<const char*> schemas, std::string schema_namespace = "aten") {
  Library result;
  result.schema_namespace = std::move(schema_namespace);
  for (const char* schema : schemas) {
    result.operators.emplace_back();
    result.operators.back().variants.push_back(variant(schema));
  }
  return result;
}

std::vector<LockedSchema> lock(llvm::StringRef lines) {
  return llvm::cantFail(parse_lock("operators.lock", (header + lines).str()));
}

// Returns kind and message of each diagnostic.
std::vector<std::string> drift(const char* locked, const char* current, const char* dialect = "native") {
  std::vector<std::string> result;
  Library now = library({current});
  now.dialect = dialect;
  for (const Diagnostic& diagnostic : check_lock(now, {}, lock(locked))) {
    result.push_back(std::string(name_of(diagnostic.kind)).substr(std::strlen("structured-")) + ": " +
                     diagnostic.message);
  }
  return result;
}

struct Malformed {
  const char* what;
  std::string text;
  std::string error;
};

void PrintTo(const Malformed& value, std::ostream* out) { *out << value.what; }

class MalformedLock : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedLock, NamesLineExpectedAndFound) {
  auto parsed = parse_lock("operators.lock", GetParam().text);
  ASSERT_FALSE(static_cast<bool>(parsed));
  EXPECT_EQ(llvm::toString(parsed.takeError()), GetParam().error);
}

std::string with_header(const std::string& rest) { return header + rest; }

INSTANTIATE_TEST_SUITE_P(
    files, MalformedLock,
    testing::Values(
        Malformed{"empty", "",
                  "operators.lock:1: expected `# structured operators.lock, format 1`, found an empty line"},
        Malformed{"no header", "add(Tensor self) -> Tensor\n",
                  "operators.lock:1: expected `# structured operators.lock, format 1`, found "
                  "`add(Tensor self) -> Tensor`"},
        Malformed{"no format", "# structured operators.lock, format \n",
                  "operators.lock:1: expected `# structured operators.lock, format 1`, found "
                  "`# structured operators.lock, format`"},
        Malformed{"a format that is no number", "# structured operators.lock, format one\n",
                  "operators.lock:1: expected `# structured operators.lock, format 1`, found "
                  "`# structured operators.lock, format one`"},
        Malformed{"a format too large for a number", "# structured operators.lock, format 99999999999999999999\n",
                  "operators.lock:1: expected `# structured operators.lock, format 1`, found "
                  "`# structured operators.lock, format 99999999999999999999`"},
        Malformed{"a newer format", "# structured operators.lock, format 2\nwhatever stands there",
                  "operators.lock:1: expected format 1, found format 2; it was written by another version of "
                  "structured-gen"},
        Malformed{"truncated in the header", "# structured operators.lo",
                  "operators.lock:1: expected `# structured operators.lock, format 1`, found "
                  "`# structured operators.lo`"},
        Malformed{"truncated in a schema", with_header("add(Tensor self) -> Tensor\nmul(Tensor se"),
                  "operators.lock:3: column 14: expected `,` or `)`, found the end of the text"},
        Malformed{"no schema", with_header("\nthis is none\n"),
                  "operators.lock:3: column 5: expected `(`, `.` or `::`, found ` `"},
        Malformed{"a conflict marker of git", with_header("<<<<<<< ours\n"),
                  "operators.lock:2: column 1: expected an operator name, found `<`"},
        Malformed{"an operator twice", with_header("f(int a) -> ()\ng() -> ()\nf(int b) -> ()\n"),
                  "operators.lock:4: `f` is listed twice, first in line 2"},
        Malformed{"an operator of 10,000 characters twice",
                  with_header(std::string(10000, 'f') + "() -> ()\n" + std::string(10000, 'f') + "() -> ()\n"),
                  "operators.lock:3: `" + std::string(80, 'f') + "` is listed twice, first in line 2"},
        Malformed{
            "a first line of 10,000 characters", std::string(10000, 'f'),
            "operators.lock:1: expected `# structured operators.lock, format 1`, found `" + std::string(80, 'f') + "`"},
        Malformed{"bytes of a binary file", std::string("\0\x01\xFF", 3),
                  "operators.lock:1: expected `# structured operators.lock, format 1`, found `\\00\\01\\FF`"},
        Malformed{"a NUL in a schema", with_header(std::string("f(int\0 a) -> ()\n", 16)),
                  "operators.lock:2: column 6: expected the name of an argument, found byte 0x00"}));

TEST(Lock, ReadsSchemasWithTheirPlaces) {
  const auto parsed = lock("# a comment\n\n  add(Tensor self) -> Tensor\nmul(Tensor self) -> Tensor");
  ASSERT_EQ(parsed.size(), 2u);
  EXPECT_EQ(to_string(parsed[0].schema), "add(Tensor self) -> Tensor");
  EXPECT_EQ(parsed[0].range, (SourceRange{"operators.lock", {4, 3}, {4, 29}}));
  EXPECT_EQ(parsed[1].range, (SourceRange{"operators.lock", {5, 1}, {5, 27}}));
}

TEST(Lock, MayBeEmpty) { EXPECT_THAT(lock(""), IsEmpty()); }

TEST(Lock, MayHaveLineEndsOfWindows) {
  auto parsed = parse_lock("l", "# structured operators.lock, format 1\r\nadd(Tensor self) -> Tensor\r\n");
  ASSERT_TRUE(static_cast<bool>(parsed));
  ASSERT_EQ(parsed->size(), 1u);
  EXPECT_EQ(to_string(parsed->front().schema), "add(Tensor self) -> Tensor");
}

TEST(Lock, ReadsNamesOf10000Characters) {
  const std::string name(10000, 'f');
  const auto parsed = lock(name + "(int " + name + ") -> ()\n");
  ASSERT_EQ(parsed.size(), 1u);
  EXPECT_EQ(parsed[0].schema.name.base, name);
}

TEST(Lock, IsPrintedSortedAndReadBack) {
  Library two = library({"mul(Tensor self) -> Tensor", "add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"});
  two.operators[0].variants.push_back(variant("mul_(Tensor(a!) self) -> Tensor(a!)"));
  const std::string text = print_lock(two);
  EXPECT_EQ(text, with_header("add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\nmul(Tensor self) -> Tensor\n"
                              "mul_(Tensor(a!) self) -> Tensor(a!)\n"));
  EXPECT_THAT(check_lock(two, {}, llvm::cantFail(parse_lock("operators.lock", text))), IsEmpty());
}

TEST(Lock, OfAnEmptyLibraryIsAHeader) { EXPECT_EQ(print_lock(Library{}), header); }

TEST(Drift, TakesAdditions) {
  EXPECT_THAT(check_lock(library({"f() -> ()", "g() -> ()"}), {}, lock("f() -> ()\n")), IsEmpty());
  EXPECT_THAT(drift("f(Tensor self) -> ()", "f(Tensor self, int dim=0) -> ()"), IsEmpty());
  EXPECT_THAT(drift("f(Tensor self) -> ()", "f(Tensor self, *, int dim=0) -> ()"), IsEmpty());
  EXPECT_THAT(drift("f(*, int a=0) -> ()", "f(*, int a=0, int b=1) -> ()"), IsEmpty());
}

TEST(Drift, TakesANewDefault) { EXPECT_THAT(drift("f(int dim) -> ()", "f(int dim=0) -> ()"), IsEmpty()); }

TEST(Drift, TakesAnotherOrderOfKeywordsWhereCallersNameThem) {
  EXPECT_THAT(drift("f(*, int a, int b) -> ()", "f(*, int b, int a) -> ()", "aten"), IsEmpty());
  EXPECT_THAT(drift("f(*, int b=1) -> ()", "f(*, int a=0, int b=1) -> ()", "aten"), IsEmpty());
  EXPECT_THAT(drift("f(*, int b=1) -> ()", "f(int a=0, *, int b=1) -> ()", "aten"), IsEmpty());
}

TEST(Drift, NamesKeywordsThatMovedWhereCallersPassThemByPosition) {
  EXPECT_THAT(
      drift("f(*, int a=1, int b=2) -> ()", "f(*, int b=2, int a=1) -> ()"),
      ElementsAre("lock-argument: keyword-only argument of `f` changed from `int a` to `int b`, which breaks its "
                  "callers",
                  "lock-argument: keyword-only argument of `f` changed from `int b` to `int a`, which breaks its "
                  "callers"));
  EXPECT_THAT(
      drift("f(*, int b=1) -> ()", "f(*, int a=0, int b=1) -> ()"),
      ElementsAre("lock-argument: keyword-only argument of `f` changed from `int b` to `int a`, which breaks its "
                  "callers"));
  EXPECT_THAT(
      drift("f(*, int b=1) -> ()", "f(int a=0, *, int b=1) -> ()"),
      ElementsAre("lock-argument: argument `a` of `f` is new and in front of keyword-only ones, which breaks its "
                  "callers"));
}

TEST(Drift, NamesAnOperatorThatIsGone) {
  EXPECT_THAT(drift("g(Tensor self) -> Tensor", "f(Tensor self) -> Tensor"),
              ElementsAre("lock-operator: `g` was removed, which breaks its callers"));
  EXPECT_THAT(drift("f.Tensor(Tensor self) -> Tensor", "f(Tensor self) -> Tensor"),
              ElementsAre("lock-operator: `f.Tensor` was removed, which breaks its callers"));
}

TEST(Drift, NamesAnArgumentThatIsGone) {
  EXPECT_THAT(drift("f(Tensor self, int dim) -> ()", "f(Tensor self) -> ()"),
              ElementsAre("lock-argument: argument `dim` of `f` was removed, which breaks its callers"));
  EXPECT_THAT(drift("f(Tensor self, *, int dim) -> ()", "f(Tensor self) -> ()"),
              ElementsAre("lock-argument: keyword-only argument `dim` of `f` was removed, which breaks its callers"));
  EXPECT_THAT(drift("f(*, Tensor(a!) out, Tensor(b!) two) -> ()", "f(*, Tensor(a!) out) -> ()"),
              ElementsAre("lock-argument: out argument `two` of `f` was removed, which breaks its callers"));
}

TEST(Drift, NamesAnArgumentThatIsAnother) {
  EXPECT_THAT(drift("f(Tensor self, int dim) -> ()", "f(Tensor self, int axis) -> ()"),
              ElementsAre("lock-argument: argument of `f` changed from `int dim` to `int axis`, which breaks its "
                          "callers"));
  EXPECT_THAT(drift("f(*, int dim=0) -> ()", "f(*, float dim=0) -> ()"),
              ElementsAre("lock-argument: keyword-only argument of `f` changed from `int dim` to `float dim`, which "
                          "breaks its callers"));
  EXPECT_THAT(drift("f(Tensor self) -> ()", "f(Tensor(a!) self) -> ()"),
              ElementsAre("lock-argument: argument of `f` changed from `Tensor self` to `Tensor(a!) self`, which "
                          "breaks its callers"));
}

TEST(Drift, NamesAnArgumentThatCallersLack) {
  EXPECT_THAT(drift("f(Tensor self) -> ()", "f(Tensor self, int dim) -> ()"),
              ElementsAre("lock-argument: argument `dim` of `f` is new and has no default, which breaks its callers"));
  EXPECT_THAT(drift("f(Tensor self) -> ()", "f(Tensor self, *, int dim) -> ()"),
              ElementsAre("lock-argument: keyword-only argument `dim` of `f` is new and has no default, which breaks "
                          "its callers"));
}

TEST(Drift, NamesArgumentsThatMoved) {
  EXPECT_THAT(drift("f(int dim) -> ()", "f(*, int dim) -> ()"),
              ElementsAre("lock-argument: argument `dim` of `f` was removed, which breaks its callers",
                          "lock-argument: keyword-only argument `dim` of `f` is new and has no default, which breaks "
                          "its callers"));
}

TEST(Drift, NamesADefaultThatIsGoneOrAnother) {
  EXPECT_THAT(drift("f(int dim=0) -> ()", "f(int dim=1) -> ()"),
              ElementsAre("lock-default: the default of argument `dim` of `f` changed from `0` to `1`, which breaks "
                          "its callers"));
  EXPECT_THAT(drift("f(*, int dim=0) -> ()", "f(*, int dim) -> ()"),
              ElementsAre("lock-default: the default of keyword-only argument `dim` of `f` changed from `0` to none, "
                          "which breaks its callers"));
}

TEST(Drift, NamesResultsThatAreOthers) {
  EXPECT_THAT(drift("f() -> Tensor", "f() -> (Tensor, Tensor)"),
              ElementsAre("lock-result: the results of `f` changed from `Tensor` to `(Tensor, Tensor)`, which breaks "
                          "its callers"));
  EXPECT_THAT(drift("f() -> (Tensor values, Tensor indices)", "f() -> (Tensor values, Tensor index)"),
              ElementsAre("lock-result: the results of `f` changed from `(Tensor values, Tensor indices)` to `(Tensor "
                          "values, Tensor index)`, which breaks its callers"));
}

TEST(Drift, KnowsTheNamespaceOfTheLibrary) {
  EXPECT_THAT(check_lock(library({"aten::f() -> ()"}), {}, lock("f() -> ()\n")), IsEmpty());
  EXPECT_THAT(check_lock(library({"f() -> ()"}), {}, lock("aten::f() -> ()\n")), IsEmpty());
  EXPECT_EQ(check_lock(library({"f() -> ()"}, "mine"), {}, lock("aten::f() -> ()\n")).size(), 1u);
}

TEST(Drift, PointsAtTheFunctionAndAtTheLockFile) {
  const auto diagnostics = check_lock(library({"f(int dim) -> ()"}), {}, lock("f(int dim=0) -> ()\n"));
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].range, (SourceRange{"kernels.cpp", {7, 1}, {7, 2}}));
  EXPECT_THAT(diagnostics[0].notes,
              ElementsAre(Note{"the lock file promises it here", {"operators.lock", {2, 1}, {2, 19}}}));
  EXPECT_THAT(diagnostics[0].fixits, IsEmpty());
  const auto removed = check_lock(library({}), {}, lock("f() -> ()\n"));
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0].range, (SourceRange{"operators.lock", {2, 1}, {2, 10}}));
}

TEST(Drift, PointsAtTheParameterWhereThereIsOne) {
  Parameter dim;
  dim.name = "dim";
  dim.range = {"kernels.cpp", {7, 3}, {7, 20}};
  dim.default_argument = DefaultArgument{"1", {}, {"kernels.cpp", {7, 19}, {7, 20}}};
  Fragment fragment;
  fragment.declarations.emplace_back();
  fragment.declarations.front().name_range = {"kernels.cpp", {7, 1}, {7, 2}};
  fragment.declarations.front().parameters.push_back(dim);
  const auto place = [&](const char* current, const char* locked) {
    return check_lock(library({current}), fragment, lock(locked)).at(0).range;
  };
  EXPECT_EQ(place("f(int dim) -> ()", "f(int axis) -> ()\n"), dim.range);
  EXPECT_EQ(place("f(int? dim) -> ()", "f(int dim) -> ()\n"), dim.range);
  EXPECT_EQ(place("f(int dim) -> ()", "f() -> ()\n"), dim.range);
  EXPECT_EQ(place("f(*, int dim) -> ()", "f() -> ()\n"), dim.range);
  EXPECT_EQ(place("f(int dim=1) -> ()", "f(int dim=0) -> ()\n"), dim.default_argument->range);
  EXPECT_EQ(place("f(int n) -> ()", "f(int dim) -> ()\n"), (SourceRange{"kernels.cpp", {7, 1}, {7, 2}}));
  EXPECT_EQ(place("f(int dim) -> ()", "f(int dim, int n) -> ()\n"), (SourceRange{"kernels.cpp", {7, 1}, {7, 2}}));
}

TEST(Drift, NamesAllVariantsThatShareAChange) {
  Library now = library({"f(int dim=1) -> ()", "f_(int dim=1) -> ()"});
  for (Operator& op : now.operators) op.variants.front().kernels.front().function.range = {"f.cpp", {1, 1}, {1, 2}};
  const auto diagnostics =
      check_lock(now, {}, lock("f(int dim=0) -> ()\nf_(int dim=0) -> ()\n"), "build the target `my_update_lock`");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].message,
            "the default of argument `dim` of `f` and `f_` changed from `0` to `1`, which breaks their callers; "
            "to accept the change, build the target `my_update_lock`");
  EXPECT_EQ(diagnostics[0].notes.size(), 2u);
}

TEST(Drift, PointsAtMetaFunctionsAndScalarFunctions) {
  Library structured = library({"f(int dim) -> ()"});
  Operator& op = structured.operators.front();
  op.variants.front().kernels.clear();
  op.structured.emplace();
  op.structured->meta.range = {"meta.cpp", {3, 6}, {3, 12}};
  const auto locked = lock("f(int dim=0) -> ()\n");
  EXPECT_EQ(check_lock(structured, {}, locked).front().range, op.structured->meta.range);
  op.structured.reset();
  op.pointwise.emplace();
  op.pointwise->function.range = {"exp.h", {5, 3}, {5, 6}};
  EXPECT_EQ(check_lock(structured, {}, locked).front().range, op.pointwise->function.range);
}

}  // namespace
}  // namespace structured::gen

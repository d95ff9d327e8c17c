#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialect/dialect.h"

namespace structured::gen::native_cpp_types_test {
namespace {

const CppTypes& native() { return *find_dialect("native")->cpp_types(); }

Type type(llvm::StringRef text) { return llvm::cantFail(parse_type(text)); }

std::string argument(llvm::StringRef text) { return native().argument(type(text), /*is_mutable=*/false); }

std::string default_of(llvm::StringRef type_text, llvm::StringRef value) {
  const std::optional<CppDefault> spelled = native().default_value(type(type_text), value);
  return spelled ? spelled->expression : "none";
}

TEST(Dialects, AreFoundByName) {
  ASSERT_NE(find_dialect("native"), nullptr);
  EXPECT_EQ(find_dialect("native")->types().tensor(), "structured::Tensor");
  ASSERT_NE(find_dialect("aten"), nullptr);
  EXPECT_EQ(find_dialect("aten")->types().tensor(), "at::Tensor");
  EXPECT_EQ(find_dialect("aten")->cpp_types(), nullptr);
  EXPECT_EQ(find_dialect("Native"), nullptr);
  EXPECT_EQ(find_dialect(""), nullptr);
}

TEST(NativeSpelling, Arguments) {
  EXPECT_EQ(argument("Tensor"), "const ::structured::Tensor&");
  EXPECT_EQ(native().argument(type("Tensor"), /*is_mutable=*/true), "::structured::Tensor&");
  EXPECT_EQ(argument("Tensor?"), "const std::optional<::structured::Tensor>&");
  EXPECT_EQ(argument("Tensor[]"), "::structured::TensorList");
  EXPECT_EQ(native().argument(type("Tensor[]"), /*is_mutable=*/true), "::structured::TensorList");
  EXPECT_EQ(argument("Tensor?[]"), "::structured::ArrayRef<std::optional<::structured::Tensor>>");
  EXPECT_EQ(argument("Scalar"), "const ::structured::Scalar&");
  EXPECT_EQ(argument("Scalar?"), "const std::optional<::structured::Scalar>&");
  EXPECT_EQ(argument("Scalar[]"), "::structured::ArrayRef<::structured::Scalar>");
  EXPECT_EQ(argument("int"), "int64_t");
  EXPECT_EQ(argument("SymInt?"), "std::optional<int64_t>");
  EXPECT_EQ(argument("int[2]"), "::structured::IntArrayRef");
  EXPECT_EQ(argument("SymInt[]"), "::structured::IntArrayRef");
  EXPECT_EQ(argument("int[1]?"), "::structured::OptionalIntArrayRef");
  EXPECT_EQ(argument("float[]?"), "std::optional<::structured::ArrayRef<double>>");
  EXPECT_EQ(argument("bool[3]"), "std::array<bool, 3>");
  EXPECT_EQ(argument("str?"), "std::optional<std::string_view>");
  EXPECT_EQ(argument("Device?"), "std::optional<::structured::Device>");
  EXPECT_EQ(argument("Dimname[]?"), "std::optional<::structured::DimnameList>");
}

// The emitted spelling of every type in the table is read as the same type.
TEST(NativeSpelling, IsReadBackByTheTypeTable) {
  const TypeTable& types = find_dialect("native")->types();
  for (const char* text : {"Tensor", "Tensor?", "Scalar", "Scalar?", "float", "bool", "float?", "bool?", "ScalarType",
                           "ScalarType?", "Layout?", "Device", "MemoryFormat?", "bool[3]", "Tensor?[]"}) {
    std::string canonical = argument(text);
    for (std::size_t at = canonical.find("::structured"); at != std::string::npos;
         at = canonical.find("::structured")) {
      canonical.erase(at, 2);
    }
    if (canonical.back() == '&') {
      canonical.insert(canonical.size() - 1, " ");
    }
    const std::optional<TypeTable::Classified> classified = types.argument(canonical);
    ASSERT_TRUE(classified) << canonical;
    EXPECT_EQ(to_string(classified->type), text);
  }
}

TEST(NativeSpelling, Results) {
  EXPECT_EQ(native().result(type("Tensor"), false), "::structured::Tensor");
  EXPECT_EQ(native().result(type("Tensor"), true), "::structured::Tensor&");
  EXPECT_EQ(native().result(type("Tensor[]"), false), "std::vector<::structured::Tensor>");
  EXPECT_EQ(native().result(type("int[]"), false), "std::vector<int64_t>");
  const Schema schema = llvm::cantFail(parse_schema("f(Tensor a) -> (Tensor, float, int)"));
  EXPECT_EQ(result_type(native(), schema.returns), "std::tuple<::structured::Tensor, double, int64_t>");
  EXPECT_EQ(result_type(native(), {}), "void");
}

TEST(NativeSpelling, Defaults) {
  EXPECT_EQ(default_of("Tensor?", "None"), "std::nullopt");
  EXPECT_EQ(default_of("int", "-1"), "-1");
  EXPECT_EQ(default_of("int", "-9223372036854775808"), "std::numeric_limits<int64_t>::min()");
  EXPECT_EQ(default_of("int", "9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(default_of("int", "Mean"), "::structured::Reduction::Mean");
  EXPECT_EQ(default_of("int?", "3"), "3");
  EXPECT_EQ(default_of("float", "1e-05"), "1e-05");
  EXPECT_EQ(default_of("float", "-inf"), "-std::numeric_limits<double>::infinity()");
  EXPECT_EQ(default_of("float", "nan"), "std::numeric_limits<double>::quiet_NaN()");
  EXPECT_EQ(default_of("bool", "True"), "true");
  EXPECT_EQ(default_of("Scalar", "1.5"), "1.5");
  EXPECT_EQ(default_of("int[2]", "0"), "0");
  EXPECT_EQ(default_of("int[]", "[]"), "{}");
  EXPECT_EQ(default_of("int[2]", "[0,1]"), "{0, 1}");
  EXPECT_EQ(default_of("int[1]?", "None"), "std::nullopt");
  EXPECT_EQ(default_of("str", "\"mean\""), "\"mean\"");
  EXPECT_EQ(default_of("str", "'mean'"), "\"mean\"");
  EXPECT_EQ(default_of("str", R"('say "no" \"\\')"), R"("say \"no\" \"\\")");
  EXPECT_EQ(default_of("str[]", R"(["a,b",'c'])"), R"({"a,b", "c"})");
  EXPECT_EQ(default_of("ScalarType", "long"), "::structured::ScalarType::Long");
  EXPECT_EQ(default_of("ScalarType?", "float"), "::structured::ScalarType::Float");
  EXPECT_EQ(default_of("MemoryFormat", "contiguous_format"), "::structured::MemoryFormat::Contiguous");
  EXPECT_EQ(default_of("ScalarType", "complex_float"), "::structured::ScalarType::ComplexFloat");
  EXPECT_EQ(default_of("ScalarType", "complex64"), "::structured::ScalarType::ComplexFloat");
  EXPECT_EQ(default_of("Layout?", "strided"), "::structured::Layout::Strided");
  EXPECT_EQ(default_of("Layout", "mkldnn"), "::structured::Layout::Mkldnn");
  EXPECT_EQ(default_of("Layout", "_mkldnn"), "::structured::Layout::Mkldnn");
  EXPECT_EQ(default_of("Device", "privateuseone"), "::structured::DeviceType::PrivateUse1");
}

TEST(NativeSpelling, ListsOfDefaultsHaveTheHeadersOfTheirElements) {
  const std::optional<CppDefault> list = native().default_value(type("int[]"), "[Mean,0]");
  ASSERT_TRUE(list);
  EXPECT_EQ(list->header, "<structured/core/reduction.h>");
}

TEST(NativeSpelling, GivesADoubleADefaultThatNoIntegerHolds) {
  EXPECT_EQ(default_of("float", "18446744073709551615"), "18446744073709551615.0");
  EXPECT_EQ(default_of("float", "-9007199254740993"), "-9007199254740993.0");
  EXPECT_EQ(default_of("float", "100000"), "100000");
}

// Bare braces would initialize an optional without a value.
TEST(NativeSpelling, NamesTheTypeOfAListForAnOptional) {
  EXPECT_EQ(default_of("int[]?", "[]"), "::structured::IntArrayRef{}");
  EXPECT_EQ(default_of("float[]?", "[1.5,2]"), "::structured::ArrayRef<double>{1.5, 2}");
  EXPECT_EQ(default_of("int[2]?", "3"), "3");
}

TEST(NativeSpelling, SaysWhereItHasNoConstantForADefault) {
  EXPECT_EQ(default_of("int", "None"), "none");
  EXPECT_EQ(default_of("int", "word"), "none");
  EXPECT_EQ(default_of("int[]", "[word]"), "none");
  EXPECT_EQ(default_of("ScalarType", "float8"), "none");
  EXPECT_EQ(default_of("Tensor", "1"), "none");
  EXPECT_EQ(default_of("str", "mean"), "none");
}

TEST(NativeSpelling, EveryBackendOfTheTypeTableButTheCompositesHasOne) {
  for (const llvm::StringRef name : find_dialect("native")->types().backends()) {
    const std::optional<CppBackend> backend = native().backend(name);
    EXPECT_EQ(backend.has_value(), !is_composite_backend(name)) << name.str();
    if (backend) {
      EXPECT_EQ(backend->enumerator, "::structured::Backend::" + name.str());
      EXPECT_EQ(backend->has_devices, name != "Meta" && !name.ends_with("CPU")) << name.str();
    }
  }
  EXPECT_FALSE(native().backend("MPS"));
}

TEST(NativeSpelling, HeadersOfTypes) {
  std::set<std::string> headers;
  native().add_headers(type("Tensor?[]"), headers);
  EXPECT_THAT(headers,
              testing::ElementsAre("<optional>", "<structured/core/array_ref.h>", "<structured/core/tensor.h>"));
  headers.clear();
  native().add_headers(type("bool[2]"), headers);
  EXPECT_THAT(headers, testing::ElementsAre("<array>"));
}

}  // namespace
}  // namespace structured::gen::native_cpp_types_test

// Defaults of every schema type as default arguments in C++.
#include <gtest/gtest.h>

#include <set>

#include "dialect/dialect.h"

namespace structured::gen::defaults_test {
namespace {

struct Row {
  llvm::StringRef type;
  llvm::StringRef schema_default;
  llvm::StringRef native;
  llvm::StringRef torch;
};

constexpr Row rows[] = {
    {"Tensor?", "None", "std::nullopt", "{}"},
    {"Tensor[]", "[]", "{}", "{}"},
    {"Tensor[]?", "None", "std::nullopt", "{}"},
    {"Tensor[]?", "[]", "::structured::TensorList{}", "::at::TensorList{}"},
    {"Tensor?[]", "[]", "{}", "::c10::List<::c10::optional<::at::Tensor>>{}"},
    {"Tensor?[]", "[None,None]", "{std::nullopt, std::nullopt}",
     "::c10::List<::c10::optional<::at::Tensor>>{::c10::nullopt, ::c10::nullopt}"},
    {"Scalar", "1", "1", "1"},
    {"Scalar", "True", "true", "true"},
    {"Scalar", "18446744073709551615", "18446744073709551615.0", "18446744073709551615.0"},
    {"Scalar?", "1.5", "1.5", "1.5"},
    {"Scalar[]", "[1,1.5,True]", "{1, 1.5, true}", "{1, 1.5, true}"},
    {"Scalar[]?", "[1]", "::structured::ArrayRef<::structured::Scalar>{1}", "::c10::ArrayRef<::c10::Scalar>{1}"},
    {"Scalar[2]?", "1", "::structured::ArrayRef<::structured::Scalar>{1, 1}", "::c10::ArrayRef<::c10::Scalar>{1, 1}"},
    {"int", "Mean", "::structured::Reduction::Mean", "::at::Reduction::Mean"},
    {"int?", "None", "std::nullopt", "{}"},
    {"int?", "3", "3", "3"},
    {"int[]", "[]", "{}", "{}"},
    {"int[]", "[1,2]", "{1, 2}", "{1, 2}"},
    {"int[2]", "0", "0", "0"},
    {"int[2]", "[0,1]", "{0, 1}", "{0, 1}"},
    {"int[]?", "[]", "::structured::IntArrayRef{}", "::at::IntArrayRef{}"},
    {"int[2]?", "3", "3", "::at::IntArrayRef{3, 3}"},
    {"int[2]?", "[3,4]", "::structured::IntArrayRef{3, 4}", "::at::IntArrayRef{3, 4}"},
    {"SymInt", "3", "3", "3"},
    {"SymInt?", "None", "std::nullopt", "{}"},
    {"SymInt[2]", "0", "0", "{0, 0}"},
    {"SymInt[]?", "[]", "::structured::IntArrayRef{}", "::c10::ArrayRef<::c10::SymInt>{}"},
    {"SymInt[2]?", "3", "3", "::c10::ArrayRef<::c10::SymInt>{3, 3}"},
    {"float", "1e-05", "1e-05", "1e-05"},
    {"float?", "1", "1", "1"},
    {"float[]", "[1.5,2]", "{1.5, 2}", "{1.5, 2}"},
    {"float[2]", "1.5", "1.5", "1.5"},
    {"float[]?", "[]", "::structured::ArrayRef<double>{}", "::c10::ArrayRef<double>{}"},
    {"float[]?", "[1.0]", "::structured::ArrayRef<double>{1.0}", "::c10::ArrayRef<double>{1.0}"},
    {"float[2]?", "1", "::structured::ArrayRef<double>{1, 1}", "::c10::ArrayRef<double>{1, 1}"},
    {"bool", "True", "true", "true"},
    {"bool?", "False", "false", "false"},
    {"bool[]", "[]", "{}", "::c10::List<bool>{}"},
    {"bool[]", "[True,False]", "{true, false}", "::c10::List<bool>{true, false}"},
    {"bool[]?", "[True]", "::structured::ArrayRef<bool>{true}", "::c10::List<bool>{true}"},
    {"bool[2]", "True", "{true, true}", "{true, true}"},
    {"bool[2]", "[True,False]", "{true, false}", "{true, false}"},
    {"bool[2]?", "None", "std::nullopt", "{}"},
    {"bool[2]?", "True", "std::array<bool, 2>{true, true}", "std::array<bool, 2>{true, true}"},
    {"bool[2]", "[True]", "none", "none"},
    {"str", "'mean'", "\"mean\"", "\"mean\""},
    {"str?", "\"mean\"", "\"mean\"", "\"mean\""},
    {"str[]", "[]", "{}", "::c10::List<std::string>{}"},
    {"str[2]", "'a'", "{\"a\", \"a\"}", "::c10::List<std::string>{\"a\", \"a\"}"},
    {"str[]?", "['a']", "::structured::ArrayRef<std::string_view>{\"a\"}", "::c10::List<std::string>{\"a\"}"},
    {"ScalarType", "long", "::structured::ScalarType::Long", "::at::ScalarType::Long"},
    {"ScalarType?", "None", "std::nullopt", "{}"},
    {"Layout", "strided", "::structured::Layout::Strided", "::at::Layout::Strided"},
    {"Layout?", "None", "std::nullopt", "{}"},
    {"Device", "cpu", "::structured::DeviceType::CPU", "::at::DeviceType::CPU"},
    {"Device?", "None", "std::nullopt", "{}"},
    {"MemoryFormat", "channels_last", "::structured::MemoryFormat::ChannelsLast", "::at::MemoryFormat::ChannelsLast"},
    {"MemoryFormat?", "None", "std::nullopt", "{}"},
    {"Generator?", "None", "std::nullopt", "{}"},
    {"Storage?", "None", "std::nullopt", "{}"},
    {"Stream?", "None", "std::nullopt", "{}"},
    {"QScheme?", "None", "std::nullopt", "{}"},
    {"Dimname?", "None", "std::nullopt", "{}"},
    {"Dimname[]", "[]", "{}", "{}"},
    {"Dimname[]?", "[]", "::structured::DimnameList{}", "::at::DimnameList{}"},
};

Type type(llvm::StringRef text) { return llvm::cantFail(parse_type(text)); }

std::string default_of(llvm::StringRef dialect, const Row& row) {
  const std::optional<CppDefault> spelled =
      find_dialect(dialect)->cpp_types()->default_value(type(row.type), row.schema_default);
  return spelled ? spelled->expression : "none";
}

TEST(Defaults, OfEveryTypeInBothDialects) {
  for (const Row& row : rows) {
    EXPECT_EQ(default_of("native", row), row.native.str()) << row.type.str() << " = " << row.schema_default.str();
    EXPECT_EQ(default_of("torch", row), row.torch.str()) << row.type.str() << " = " << row.schema_default.str();
  }
}

TEST(Defaults, EveryRegisteredTypeHasARow) {
  std::set<Type::Base> found;
  std::set<Type::Base> lists;
  for (const Row& row : rows) {
    found.insert(type(row.type).base);
    if (contains_list(type(row.type))) lists.insert(type(row.type).base);
  }
#define STRUCTURED_VALUE_TYPE(enumerator, schema, ...) EXPECT_TRUE(found.count(Type::Base::enumerator)) << schema;
#define STRUCTURED_BASE_TYPE(enumerator, schema, ...) EXPECT_TRUE(found.count(Type::Base::enumerator)) << schema;
#define STRUCTURED_LIST_TYPE(enumerator, value) EXPECT_TRUE(lists.count(Type::Base::enumerator)) << #enumerator;
#include "structured/schema/types.def"
}

}  // namespace
}  // namespace structured::gen::defaults_test

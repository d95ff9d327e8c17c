#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialect/dialect.h"

namespace structured::gen::aten_cpp_types_test {
namespace {

const CppTypes& torch() { return *find_dialect("torch")->cpp_types(); }

Type type(llvm::StringRef text) { return llvm::cantFail(parse_type(text)); }

std::string default_of(llvm::StringRef type_text, llvm::StringRef value) {
  const std::optional<CppDefault> spelled = torch().default_value(type(type_text), value);
  return spelled ? spelled->expression : "none";
}

TEST(AtenSpelling, DefaultsThatAreEnumerators) {
  EXPECT_EQ(default_of("ScalarType", "long"), "::at::ScalarType::Long");
  EXPECT_EQ(default_of("MemoryFormat", "contiguous_format"), "::at::MemoryFormat::Contiguous");
  EXPECT_EQ(default_of("int", "Mean"), "::at::Reduction::Mean");
}

TEST(AtenSpelling, DefaultsThatAreLiterals) {
  EXPECT_EQ(default_of("str", "'say \"no\"'"), R"("say \"no\"")");
  EXPECT_EQ(default_of("str", "\"mean\""), "\"mean\"");
  EXPECT_EQ(default_of("int[2]", "[0,1]"), "{0, 1}");
  EXPECT_EQ(default_of("bool?", "None"), "{}");
  EXPECT_EQ(default_of("float", "1e-05"), "1e-05");
  EXPECT_EQ(default_of("float", "inf"), "none");
  EXPECT_EQ(default_of("float", "123456789012345678901"), "123456789012345678901.0");
  EXPECT_EQ(default_of("int", "-9223372036854775808"), "std::numeric_limits<int64_t>::min()");
}

TEST(AtenSpelling, ResultsKeepSymbolicValues) {
  EXPECT_EQ(torch().result(type("SymInt"), /*is_mutable=*/false), "::c10::SymInt");
  EXPECT_EQ(torch().result(type("SymBool"), /*is_mutable=*/false), "::c10::SymBool");
  EXPECT_EQ(torch().argument(type("SymInt"), /*is_mutable=*/false), "int64_t");
  EXPECT_EQ(torch().argument(type("DeviceIndex"), /*is_mutable=*/false), "::c10::DeviceIndex");
}

}  // namespace
}  // namespace structured::gen::aten_cpp_types_test

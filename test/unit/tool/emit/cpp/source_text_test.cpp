#include "emit/cpp/source_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace structured::gen {
namespace {

using testing::ElementsAre;

TEST(Includes, AreGroupedAndSorted) {
  Writer writer;
  writer.line("#pragma once");
  write_includes(writer,
                 {"\"mine/base.h\"", "<vector>", "<structured/core/tensor.h>", "<optional>", "<acme/ops/add.h>"});
  EXPECT_EQ(writer.text(),
            "#pragma once\n\n#include <optional>\n#include <vector>\n\n#include <acme/ops/add.h>\n#include "
            "<structured/core/tensor.h>\n\n#include \"mine/base.h\"\n");
}

TEST(Includes, QuoteTheHeadersOfTheAuthor) {
  EXPECT_EQ(include_spelling("structured/kernel/meta_base.h"), "<structured/kernel/meta_base.h>");
  EXPECT_EQ(include_spelling("base.h"), "\"base.h\"");
}

TEST(Declarations, StandOnceInTheirNamespaces) {
  const Function a{"k::a", false, "void", {"structured::MetaBase &", "long"}, "s.cpp", {}};
  const Function overload{"k::a", false, "void", {"structured::MetaBase &", "double"}, "s.cpp", {}};
  const Function global{"g", true, "structured::Tensor", {}, "s.cpp", {}};
  Writer writer;
  declare_functions(writer, {&a, &global, &overload, &a});
  EXPECT_EQ(writer.text(),
            "extern \"C\" ::structured::Tensor g();\n\n"
            "namespace k {\n\n"
            "void a(::structured::MetaBase&, double);\n"
            "void a(::structured::MetaBase&, long);\n\n"
            "}  // namespace k\n");
}

TEST(StringLiterals, AreEscapedAndBrokenAfterBlanks) {
  EXPECT_THAT(string_literal("a\"b\\c", 100), ElementsAre("\"a\\\"b\\\\c\""));
  EXPECT_THAT(string_literal("a\nb\x1f", 100), ElementsAre("\"a\\012b\\037\""));
  EXPECT_THAT(string_literal("", 100), ElementsAre("\"\""));
  EXPECT_THAT(string_literal("one two three", 10), ElementsAre("\"one two \"", "\"three\""));
  EXPECT_THAT(string_literal("abcdefghij", 6), ElementsAre("\"abcd\"", "\"efgh\"", "\"ij\""));
}

TEST(StringLiterals, KeepCharactersWhole) {
  EXPECT_THAT(string_literal("xééé", 6), ElementsAre("\"xé\"", "\"éé\""));
  EXPECT_THAT(string_literal("日本語", 6), ElementsAre("\"日\"", "\"本\"", "\"語\""));
}

}  // namespace
}  // namespace structured::gen

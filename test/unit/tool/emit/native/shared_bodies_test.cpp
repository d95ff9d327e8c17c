// Printing of bodies that several wrappers share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../../sample_library.h"
#include "emit/native/shared_bodies.h"
#include "emit/native/wrappers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "lower/lowered_library.h"

namespace structured::gen::shared_bodies_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string renamed(llvm::StringRef text, llvm::StringRef from, llvm::StringRef to) {
  std::string result = text.str();
  for (std::size_t at = 0; (at = result.find(from.str(), at)) != std::string::npos; at += to.size()) {
    result.replace(at, from.size(), to.str());
  }
  return result;
}

// Returns the operator `add` of the sample library with another name.
Operator like_add(llvm::StringRef name) {
  std::vector<Operator> all = sample_library().operators;
  Operator op = *llvm::find_if(all, [](const Operator& o) { return o.variants.front().schema.name.base == "add"; });
  for (Variant& variant : op.variants) {
    variant.schema.name.base = renamed(variant.schema.name.base, "add", name);
    variant.kernels.clear();
  }
  op.structured->meta.name = renamed(op.structured->meta.name, "add", name);
  for (Kernel& impl : op.structured->impls) {
    impl.function.name = renamed(impl.function.name, "add", name);
  }
  return op;
}

Library library_of(std::vector<Operator> operators) {
  Library library = sample_library();
  library.operators = std::move(operators);
  library.imported.clear();
  return library;
}

std::string in_one_line(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  return result;
}

LoweredLibrary lowered_of(const Library& library) {
  return llvm::cantFail(lower(library, *find_dialect("native")->cpp_types(),
                              {.sources = {"cpu.cpp", "meta.cpp", "more.cpp", "other.cpp"}}));
}

std::string emitted(const Library& library, llvm::StringRef source) {
  return in_one_line(wrappers_source(lowered_of(library), source));
}

std::string emitted_for_many(const Library& library) { return shared_bodies_source(lowered_of(library)); }

// Returns the operator with its impl in another source.
Operator moved_to(llvm::StringRef source, Operator op) {
  for (Kernel& impl : op.structured->impls) {
    impl.function.source = source.str();
  }
  return op;
}

std::size_t count(const std::string& text, llvm::StringRef part) { return llvm::StringRef(text).count(part); }

const char* const functional = "functional_of_Tensor_Tensor_Scalar_with_TensorIteratorBase";

TEST(SharedBodies, TwoOperatorsOfOneShapeShareTheirBodies) {
  const std::string text = emitted(library_of({like_add("add"), like_add("sub")}), "cpu.cpp");
  const std::string name = functional;
  EXPECT_THAT(text, HasSubstr("using " + name +
                              "_meta = void(::structured::TensorIteratorBase&, const ::structured::Tensor&, "
                              "const ::structured::Tensor&, const ::structured::Scalar&); "
                              "using " +
                              name +
                              "_impl = void(::structured::TensorIteratorBase&, const ::structured::Tensor&, "
                              "const ::structured::Tensor&, const ::structured::Scalar&, const ::structured::Tensor&); "
                              "[[gnu::noinline]] ::structured::Tensor " +
                              name));
  EXPECT_THAT(text, HasSubstr("const ::structured::Tensor& argument_1, const ::structured::Tensor& argument_2, "
                              "const ::structured::Scalar& argument_3, " +
                              name + "_meta* meta, " + name +
                              "_impl* impl, const char* operator_name) { "
                              "::structured::check_same_device(operator_name, argument_1, argument_2); "
                              "::structured::Functional<::structured::TensorIteratorBase, 1> op; "
                              "meta(op, argument_1, argument_2, argument_3); "
                              "impl(op, argument_1, argument_2, argument_3, op.output(0)); "
                              "return std::move(op).take_output(); }"));
  EXPECT_THAT(text, HasSubstr("// sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor "
                              "::structured::Tensor wrapper_cpu_sub_Tensor(const ::structured::Tensor& self, "
                              "const ::structured::Tensor& other, const ::structured::Scalar& alpha) { "
                              "return " +
                              name +
                              "(self, other, alpha, ::acme::kernels::sub_meta, "
                              "::acme::kernels::sub_cpu, \"sub.Tensor\"); }"));
  EXPECT_EQ(count(text, "::structured::Functional<"), 1U);
  EXPECT_EQ(count(text, "::structured::Inplace<"), 1U);
  EXPECT_EQ(count(text, "::structured::Out<"), 2U);  // in the wrapper and in the prepared operator
}

TEST(SharedBodies, PreparedOperatorsKeepTheCalleesOfTheSharedBody) {
  const std::string text = emitted(library_of({like_add("add"), like_add("sub")}), "cpu.cpp");
  EXPECT_EQ(count(text, "static void run("), 1U);
  EXPECT_THAT(text, HasSubstr("return ::structured::prepare<prepared_out_of_Tensor_Tensor_Scalar_Tensor_with_"
                              "TensorIteratorBase_reusing_1_parts>( meta, impl, operator_name, argument_1, argument_2, "
                              "argument_3, argument_4);"));
  EXPECT_THAT(text, HasSubstr("self, other, alpha, out, ::acme::kernels::sub_meta, ::acme::kernels::sub_cpu, "
                              "\"sub.out\");"));
}

TEST(SharedBodies, WrappersViaOutPassTheTableOfTheOutVariant) {
  const std::string text = emitted(library_of({like_add("add"), like_add("sub")}), "meta.cpp");
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("functional_via_out_of_Tensor_Tensor_Scalar_with_TensorIteratorBase_out>& out_variant"),
            HasSubstr("out_variant.call(::structured::LayerSet(), argument_1, argument_2, argument_3, output_0);"),
            HasSubstr("::acme::kernels::sub_meta, op_sub_out, \"sub.Tensor\");")));
}

TEST(SharedBodies, BodiesOfSeveralSourcesAreDefinedInASourceOfTheirOwn) {
  const Library library = library_of({moved_to("more.cpp", like_add("add")), moved_to("other.cpp", like_add("sub"))});
  for (const char* source : {"more.cpp", "other.cpp"}) {
    const std::string text = emitted(library, source);
    EXPECT_THAT(text, HasSubstr("return " + std::string(functional) + "(self, other, alpha, "));
    EXPECT_THAT(text, Not(HasSubstr("::structured::Functional<")));
    EXPECT_THAT(text, Not(HasSubstr("kernel/adaptors.h")));
  }
  const std::string many = in_one_line(emitted_for_many(library));
  EXPECT_THAT(many, HasSubstr("#include <structured/kernel/adaptors.h>"));
  EXPECT_THAT(many, HasSubstr("visibility push(hidden)"));
  EXPECT_EQ(count(many, "::structured::Functional<"), 1U);
  EXPECT_EQ(count(many, "::structured::Inplace<"), 1U);
  EXPECT_EQ(count(many, "::structured::Out<"), 2U);
}

TEST(SharedBodies, MoreUsersDoNotChangeTheSharedSource) {
  const Library two = library_of({moved_to("more.cpp", like_add("add")), moved_to("other.cpp", like_add("sub"))});
  const Library three = library_of({moved_to("cpu.cpp", like_add("abc")), moved_to("more.cpp", like_add("add")),
                                    moved_to("other.cpp", like_add("sub"))});
  EXPECT_EQ(emitted_for_many(two), emitted_for_many(three));
}

TEST(SharedBodies, OneSourceNeedsNoSharedSource) {
  EXPECT_EQ(emitted_for_many(library_of({like_add("add"), like_add("sub")})),
            "// Emitted by structured-gen. Do not edit.\n// No wrappers of different sources share a body.\n");
}

TEST(SharedBodies, OneOperatorKeepsItsOwn) {
  EXPECT_THAT(emitted(library_of({like_add("add")}), "cpu.cpp"), Not(HasSubstr("noinline")));
}

}  // namespace
}  // namespace structured::gen::shared_bodies_test

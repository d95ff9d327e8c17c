// Wrappers that differ in nothing but the functions they call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "lower/plan.h"
#include "emit/native/wrappers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "../sample_library.h"

namespace structured::gen {
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

// The operator `add` of the sample library under another name.
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

// The emitted text in one line, without the numbers in names of shared bodies.
std::string in_one_line(const std::string& text) {
  const std::string one_line = std::regex_replace(text, std::regex("\\s+"), " ");
  return std::regex_replace(one_line, std::regex("(shared_[a-z_]*[a-z])_[0-9a-f]+"), "$1");
}

Plan plan_of(const Library& library) {
  return llvm::cantFail(
      make_plan(library, *find_target("native")->cpp_types(), {"cpu.cpp", "meta.cpp", "more.cpp", "other.cpp"}));
}

std::string emitted(const Library& library, llvm::StringRef source) {
  const Plan plan = plan_of(library);
  return in_one_line(wrappers_source(plan, SharedBodies(plan), source));
}

std::string emitted_for_many(const Library& library) {
  const Plan plan = plan_of(library);
  return SharedBodies(plan).source_for_many(plan);
}

// Its impl stands in another source.
Operator moved_to(llvm::StringRef source, Operator op) {
  for (Kernel& impl : op.structured->impls) {
    impl.function.source = source.str();
  }
  return op;
}

std::size_t count(const std::string& text, llvm::StringRef part) { return llvm::StringRef(text).count(part); }

TEST(SharedBodies, TwoOperatorsOfOneShapeShareTheirBodies) {
  const std::string text = emitted(library_of({like_add("add"), like_add("sub")}), "cpu.cpp");
  EXPECT_THAT(
      text,
      HasSubstr("using shared_functional_meta = void(::structured::TensorIteratorBase&, const ::structured::Tensor&, "
                "const ::structured::Tensor&, const ::structured::Scalar&); "
                "using shared_functional_impl = void(::structured::TensorIteratorBase&, const ::structured::Tensor&, "
                "const ::structured::Tensor&, const ::structured::Scalar&, const ::structured::Tensor&); "
                "[[gnu::noinline]] ::structured::Tensor shared_functional(const ::structured::Tensor& self, "
                "const ::structured::Tensor& other, const ::structured::Scalar& alpha, shared_functional_meta* meta, "
                "shared_functional_impl* impl, const char* name) { "
                "::structured::check_same_device(name, self, other); "
                "::structured::Functional<::structured::TensorIteratorBase, 1> op; "
                "meta(op, self, other, alpha); "
                "impl(op, self, other, alpha, op.output(0)); "
                "return std::move(op).take_output(); }"));
  EXPECT_THAT(text, HasSubstr("// sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor "
                              "::structured::Tensor wrapper_cpu_sub_Tensor(const ::structured::Tensor& self, "
                              "const ::structured::Tensor& other, const ::structured::Scalar& alpha) { "
                              "return shared_functional(self, other, alpha, ::acme::kernels::sub_meta, "
                              "::acme::kernels::sub_cpu, \"sub.Tensor\"); }"));
  EXPECT_EQ(count(text, "::structured::Functional<"), 1U);
  EXPECT_EQ(count(text, "::structured::Inplace<"), 1U);
  EXPECT_EQ(count(text, "::structured::Out<"), 2U);  // of the wrapper, and of the prepared operator
}

TEST(SharedBodies, PreparedOperatorsKeepWhatTheSharedBodyCalls) {
  const std::string text = emitted(library_of({like_add("add"), like_add("sub")}), "cpu.cpp");
  EXPECT_EQ(count(text, "static void run("), 1U);
  EXPECT_THAT(text,
              HasSubstr("return ::structured::prepare<shared_prepare_parts>(meta, impl, name, self, other, alpha, "
                        "out);"));
  EXPECT_THAT(text, HasSubstr("(self, other, alpha, out, ::acme::kernels::sub_meta, ::acme::kernels::sub_cpu, "
                              "\"sub.out\");"));
}

TEST(SharedBodies, TheCommonWrapperTakesTheTableOfTheOutVariant) {
  const std::string text = emitted(library_of({like_add("add"), like_add("sub")}), "meta.cpp");
  EXPECT_THAT(text, AllOf(HasSubstr("shared_common_functional_out>& out_kernels"),
                          HasSubstr("out_kernels.call(::structured::LayerSet(), self, other, alpha, output_0);"),
                          HasSubstr("::acme::kernels::sub_meta, op_sub_out, \"sub.Tensor\");")));
}

TEST(SharedBodies, ThoseOfSeveralSourcesStandInOneOfTheirOwn) {
  const Library library = library_of({moved_to("more.cpp", like_add("add")), moved_to("other.cpp", like_add("sub"))});
  for (const char* source : {"more.cpp", "other.cpp"}) {
    const std::string text = emitted(library, source);
    EXPECT_THAT(text, AllOf(HasSubstr("; ::structured::Tensor shared_functional(const ::structured::Tensor& self, "),
                            HasSubstr("return shared_functional(self, other, alpha, ")));
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

TEST(SharedBodies, OthersThatComeChangeNoNames) {
  const Library two = library_of({moved_to("more.cpp", like_add("add")), moved_to("other.cpp", like_add("sub"))});
  const Library three = library_of({moved_to("cpu.cpp", like_add("abc")), moved_to("more.cpp", like_add("add")),
                                    moved_to("other.cpp", like_add("sub"))});
  EXPECT_EQ(emitted_for_many(two), emitted_for_many(three));
}

TEST(SharedBodies, OneSourceNeedsNoOther) {
  EXPECT_EQ(emitted_for_many(library_of({like_add("add"), like_add("sub")})),
            "// Emitted by structured-gen. Do not edit.\n// No two sources have wrappers that are alike.\n");
}

TEST(SharedBodies, OneOperatorKeepsItsOwn) {
  EXPECT_THAT(emitted(library_of({like_add("add")}), "cpu.cpp"), Not(HasSubstr("shared_")));
}

TEST(SharedBodies, AnotherTypeOfAFunctionIsAnotherBody) {
  Operator other = like_add("sub");
  other.structured->impls[0].function.parameters[3] = "const structured::Scalar";
  const std::string text = emitted(library_of({like_add("add"), other}), "cpu.cpp");
  EXPECT_EQ(count(text, "::structured::Functional<"), 2U);
  EXPECT_THAT(text, Not(HasSubstr("shared_")));
}

TEST(SharedBodies, AnotherNameOfAParameterIsAnotherBody) {
  Operator other = like_add("sub");
  for (Variant& variant : other.variants) {
    for (Argument& argument : variant.schema.positional) {
      if (argument.name == "other") {
        argument.name = "amount";
      }
    }
  }
  EXPECT_EQ(count(emitted(library_of({like_add("add"), other}), "cpu.cpp"), "::structured::Functional<"), 2U);
}

}  // namespace
}  // namespace structured::gen

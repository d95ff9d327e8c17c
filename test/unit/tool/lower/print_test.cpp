// The text of the lowered library.
#include "lower/print.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../sample_library.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen::print_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text_of(const std::string& full_name) {
  const Library library = sample_library();
  LowerOptions options;
  options.shares_bodies = false;
  const LoweredLibrary lowered = llvm::cantFail(lower(library, *find_dialect("native")->cpp_types(), options));
  const auto found =
      llvm::find_if(lowered.variants, [&](const LoweredVariant& variant) { return variant.full_name == full_name; });
  EXPECT_NE(found, lowered.variants.end()) << full_name;
  return to_text(lowered, *found);
}

TEST(LoweredText, HasTheStepsOfEachWrapper) {
  EXPECT_EQ(text_of("acme::add.out"),
            "acme::add.out\n"
            "  functional variant: acme::add.Tensor\n"
            "  cpu: wrapper_cpu_add_out\n"
            "    check_devices self, other, out\n"
            "    make_adaptor out ::structured::TensorIteratorBase, 1 output: out\n"
            "    check_overlap reusable: self; inputs: other\n"
            "    call_meta op, self, other, alpha\n"
            "    call_impl op, self, other, alpha, output 0\n"
            "    finish\n"
            "    return_parameters out\n"
            "    prepared: prepared_wrapper_cpu_add_out\n"
            "      check_devices self, other, out\n"
            "      check_overlap reusable: self; inputs: other\n"
            "      call_meta op, self, other, alpha\n"
            "      at each run\n"
            "        call_impl op, self, other, alpha, output 0\n"
            "        finish\n"
            "  meta: wrapper_meta_add_out\n"
            "    check_devices self, other, out\n"
            "    make_adaptor out ::structured::TensorIteratorBase, 1 output: out\n"
            "    call_meta op, self, other, alpha\n"
            "    finish\n"
            "    return_parameters out\n");
}

TEST(LoweredText, NamesKernelsThatNeedNoWrapper) {
  EXPECT_THAT(text_of("acme::view"), HasSubstr("cpu: kernel ::acme::kernels::view\n"));
}

TEST(LoweredText, TellsWhatPrecomputedValuesReplace) {
  const std::string text = text_of("acme::mean.dim");
  EXPECT_THAT(text, HasSubstr("call_meta op, self, dim, keepdim, keep\n"));
  EXPECT_THAT(text, HasSubstr("call_impl self, keepdim, precomputed, output 0\n"));
}

TEST(LoweredText, TellsWhichVariantsAreServedViaOut) {
  EXPECT_THAT(text_of("acme::add.Tensor"), HasSubstr("via out= of op_add_out: wrapper_via_out_add_Tensor\n"));
  EXPECT_THAT(text_of("acme::add.out"), Not(HasSubstr("via out=")));
}

}  // namespace
}  // namespace structured::gen::print_test

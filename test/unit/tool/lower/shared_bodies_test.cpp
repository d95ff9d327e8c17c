// Sharing of bodies between wrappers, and names of shared bodies.
#include "lower/shared_bodies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../sample_library.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen::shared_bodies_test {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

// Returns the operator `add` of the sample library with another base name.
Operator like_add(const std::string& name) {
  std::vector<Operator> all = sample_library().operators;
  Operator op = *llvm::find_if(all, [](const Operator& o) { return o.variants.front().schema.name.base == "add"; });
  for (Variant& variant : op.variants) {
    variant.schema.name.base = name + (variant.kind == Variant::Kind::inplace ? "_" : "");
    variant.kernels.clear();
  }
  return op;
}

Library library_of(std::vector<Operator> operators) {
  Library library = sample_library();
  library.operators = std::move(operators);
  return library;
}

std::vector<std::string> names_in(const Library& library) {
  const LoweredLibrary lowered = llvm::cantFail(lower(library, *find_dialect("native")->cpp_types(), LowerOptions()));
  std::vector<std::string> names;
  for (const SharedBody& body : lowered.shared_bodies) {
    names.push_back(body.name);
  }
  return names;
}

const char* const functional = "functional_of_Tensor_Tensor_Scalar_with_TensorIteratorBase";

TEST(SharedBodies, AreNamedAfterTheirSignatures) {
  EXPECT_THAT(names_in(library_of({like_add("add"), like_add("sub")})),
              testing::ElementsAre("functional_of_Tensor_Tensor_Scalar_with_TensorIteratorBase",
                                   "functional_of_Tensor_Tensor_Scalar_with_TensorIteratorBase_for_Meta",
                                   "functional_via_out_of_Tensor_Tensor_Scalar_with_TensorIteratorBase",
                                   "inplace_of_Tensor_Tensor_Scalar_with_TensorIteratorBase",
                                   "inplace_of_Tensor_Tensor_Scalar_with_TensorIteratorBase_for_Meta",
                                   "inplace_via_out_of_Tensor_Tensor_Scalar_with_TensorIteratorBase",
                                   "out_of_Tensor_Tensor_Scalar_Tensor_with_TensorIteratorBase_for_Meta",
                                   "out_of_Tensor_Tensor_Scalar_Tensor_with_TensorIteratorBase_reusing_1",
                                   "prepared_out_of_Tensor_Tensor_Scalar_Tensor_with_TensorIteratorBase_reusing_1"));
}

TEST(SharedBodies, NamesOfParametersDoNotMatter) {
  Operator other = like_add("sub");
  for (Variant& variant : other.variants) {
    for (Argument& argument : variant.schema.positional) {
      argument.name = argument.name == "other" ? "amount" : argument.name;
    }
  }
  EXPECT_THAT(names_in(library_of({like_add("add"), other})), Contains(functional));
}

TEST(SharedBodies, OneUserSharesNothing) { EXPECT_THAT(names_in(library_of({like_add("add")})), IsEmpty()); }

TEST(SharedBodies, AnotherTypeOfACalleeIsAnotherBody) {
  Operator other = like_add("sub");
  other.structured->impls[0].function.parameters[3] = "const structured::Scalar";
  EXPECT_THAT(names_in(library_of({like_add("add"), other})), Not(Contains(functional)));
}

TEST(SharedBodies, BodiesThatDifferWhereTheirNamesDoNotAreNotShared) {
  Operator by_value = like_add("mul");
  by_value.structured->impls[0].function.parameters[3] = "const structured::Scalar";
  const Library library = library_of({like_add("add"), by_value, like_add("sub")});
  EXPECT_THAT(names_in(library), Not(Contains(functional)));
}

TEST(SharedBodies, OtherOperatorsDoNotChangeNames) {
  const std::vector<std::string> two = names_in(library_of({like_add("add"), like_add("sub")}));
  Library library = sample_library();
  library.operators.push_back(like_add("abc"));
  library.operators.push_back(like_add("xyz"));
  EXPECT_THAT(names_in(library), testing::IsSupersetOf(two));
}

TEST(SharedBodies, DifferentStepsGiveDifferentNames) {
  const Library library = library_of({like_add("add")});
  const LoweredLibrary lowered = llvm::cantFail(lower(library, *find_dialect("native")->cpp_types(), LowerOptions()));
  const auto wrapper = llvm::find_if(
      lowered.wrappers, [](const LoweredWrapper& candidate) { return candidate.name == "wrapper_cpu_add_out"; });
  ASSERT_NE(wrapper, lowered.wrappers.end());
  const Body body = wrapper->find(WrapperPart::call)->body;
  const auto edited = [&](auto edit) {
    Body copy = body;
    edit(copy);
    return body_name(copy);
  };
  const std::string name = "out_of_Tensor_Tensor_Scalar_Tensor_with_TensorIteratorBase";
  EXPECT_EQ(body_name(body), name + "_reusing_1");
  EXPECT_EQ(edited([](Body& b) { std::get<CheckOverlap>(b.steps[2]).reusable.reset(); }), name);
  EXPECT_EQ(edited([](Body& b) { b.steps.erase(b.steps.begin()); }), name + "_reusing_1_on_any_devices");
  EXPECT_EQ(edited([](Body& b) { b.steps.insert(b.steps.begin(), GuardDevice{{0}}); }),
            name + "_on_a_device_reusing_1");
  EXPECT_EQ(edited([](Body& b) { b.adaptor->base = "::acme::Base"; }),
            "out_of_Tensor_Tensor_Scalar_Tensor_with_acme_Base_reusing_1");
  EXPECT_EQ(edited([](Body& b) { b.adaptor->outputs = 2; }), name + "_and_2_outputs_reusing_1");
  EXPECT_EQ(edited([](Body& b) { b.precomputed = "::acme::Dims"; }), name + "_precomputing_acme_Dims_reusing_1");
}

}  // namespace
}  // namespace structured::gen::shared_bodies_test

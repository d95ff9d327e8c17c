// Scalar functions on the backends of the model.
#include "lower/pointwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llvm/ADT/STLExtras.h"
#include "lower/lowered_library.h"

namespace structured::gen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Operator scaled(std::vector<std::string> backends) {
  Operator op;
  for (const auto& [kind, schema] :
       {std::pair{Variant::Kind::functional, "scaled(Tensor self, *, Scalar factor=1) -> Tensor"},
        std::pair{Variant::Kind::out, "scaled.out(Tensor self, *, Scalar factor=1, Tensor(a!) out) -> Tensor(a!)"}}) {
    Variant& variant = op.variants.emplace_back();
    variant.kind = kind;
    variant.schema = llvm::cantFail(parse_schema(schema));
    variant.input_types = {"const structured::Tensor &", "const structured::Scalar &"};
  }
  Pointwise pointwise;
  pointwise.function = {"acme::scaled", false, "T", {"T", "T"}, "scaled.h", {}};
  pointwise.function.range.file = "scaled.h";
  pointwise.type_parameter = "T";
  pointwise.roles = {Pointwise::Role::element, Pointwise::Role::scalar};
  pointwise.promotion = "default";
  pointwise.dtypes = {"bool", "floating"};
  pointwise.backends = std::move(backends);
  op.pointwise = std::move(pointwise);
  return op;
}

class PointwiseLowering : public testing::Test {
 protected:
  LoweredLibrary lowered(std::vector<std::string> backends) {
    library_.schema_namespace = library_.cpp_namespace = "acme";
    library_.dialect = "native";
    library_.operators = {scaled(std::move(backends))};
    return llvm::cantFail(lower(library_, *find_dialect("native")->cpp_types(), LowerOptions()));
  }

 private:
  Library library_;
};

std::vector<std::string> wrapper_names(const LoweredLibrary& lowered) {
  std::vector<std::string> names;
  for (const LoweredWrapper& wrapper : lowered.wrappers) {
    names.push_back(wrapper.name);
  }
  return names;
}

TEST_F(PointwiseLowering, TwoBackendsGetTwoKernelsAndWrappersEach) {
  const LoweredLibrary library = lowered({"CPU", "CUDA"});
  EXPECT_THAT(wrapper_names(library),
              ElementsAre("wrapper_cpu_scaled", "wrapper_cuda_scaled", "wrapper_meta_scaled", "wrapper_cpu_scaled_out",
                          "wrapper_cuda_scaled_out", "wrapper_meta_scaled_out"));
  const PointwiseFunctions& functions = *library.variants.front().pointwise;
  ASSERT_EQ(functions.kernels.size(), 2u);
  EXPECT_EQ(functions.kernels[0].backend, "CPU");
  EXPECT_EQ(functions.kernels[0].function, "cpu_of_scaled");
  EXPECT_EQ(functions.kernels[1].backend, "CUDA");
  EXPECT_EQ(functions.kernels[1].function, "cuda_of_scaled");
  const LoweredFunction* cuda = library.wrappers[1].find(WrapperPart::call);
  ASSERT_NE(cuda, nullptr);
  EXPECT_EQ(cuda->body.steps.front(), Step(GuardDevice{{0}}));
  EXPECT_EQ(cuda->callees.impl, "::acme::emitted::cuda_of_scaled");
}

TEST_F(PointwiseLowering, NoBackendLeavesMeta) {
  const LoweredLibrary library = lowered({});
  EXPECT_THAT(wrapper_names(library), ElementsAre("wrapper_meta_scaled", "wrapper_meta_scaled_out"));
  EXPECT_THAT(library.variants.front().pointwise->kernels, IsEmpty());
}

TEST_F(PointwiseLowering, MetaAndKernelFollowTheRolesOfParameters) {
  const LoweredLibrary library = lowered({"CPU"});
  const PointwiseFunctions& functions = *library.variants.front().pointwise;
  EXPECT_EQ(functions.operator_name, "scaled");
  EXPECT_EQ(functions.meta.function, "meta_of_scaled");
  EXPECT_EQ(functions.meta.builder, "build_unary_op");
  EXPECT_THAT(functions.meta.tensors, ElementsAre("self"));
  EXPECT_THAT(functions.meta.checked_scalars, ElementsAre("factor"));
  EXPECT_THAT(functions.meta.dtypes, ElementsAre(find_dtype("floating"), find_dtype("bool"))) << "sets come first";
  const PointwiseKernel& kernel = functions.kernels.front();
  using Parameter = PointwiseKernel::Parameter;
  EXPECT_THAT(kernel.parameters, ElementsAre(Parameter{"self", "const ::structured::Tensor&", /*is_element=*/true,
                                                       false, false, PointwiseKernel::Conversion::none},
                                             Parameter{"factor", "const ::structured::Scalar&", /*is_element=*/false,
                                                       false, false, PointwiseKernel::Conversion::exact}));
  EXPECT_EQ(kernel.signature.names().back(), "out");
  EXPECT_EQ(kernel.scalar_function, "::acme::scaled");
}

TEST_F(PointwiseLowering, WrappersOfScalarFunctionsKeepTheirBodies) {
  EXPECT_THAT(lowered({"CPU", "CUDA"}).shared_bodies, IsEmpty());
}

}  // namespace
}  // namespace structured::gen

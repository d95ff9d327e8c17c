// The emitted text of each form of operator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../../sample_library.h"
#include "emit/native/boxed.h"
#include "emit/native/headers.h"
#include "emit/native/operators_index.h"
#include "emit/native/tables.h"
#include "emit/native/wrappers.h"
#include "lower/lowered_library.h"

namespace structured::gen {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class EmittedText : public testing::Test {
 protected:
  const Library library_ = sample_library();
  const LoweredLibrary lowered_ = llvm::cantFail(lower(library_, *find_dialect("native")->cpp_types(),
                                                       {.sources = {"cpu.cpp", "meta.cpp", "plain.cpp", "empty.cpp"}}));
  const std::string cpu_ = wrappers_source(lowered_, "cpu.cpp");
  const std::string meta_ = wrappers_source(lowered_, "meta.cpp");
  const std::string plain_ = wrappers_source(lowered_, "plain.cpp");
  const std::string meta_tables_ = tables_source(lowered_, "meta.cpp", /*boxed=*/true);
  const std::string plain_tables_ = tables_source(lowered_, "plain.cpp", /*boxed=*/true);
};

TEST_F(EmittedText, FunctionalWrapper) {
  EXPECT_THAT(cpu_, HasSubstr(R"(
// add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
::structured::Tensor wrapper_cpu_add_Tensor(const ::structured::Tensor& self, const ::structured::Tensor& other,
                                            const ::structured::Scalar& alpha) {
  ::structured::check_same_device("add.Tensor", self, other);
  ::structured::Functional<::structured::TensorIteratorBase, 1> op;
  ::acme::kernels::add_meta(op, self, other, alpha);
  ::acme::kernels::add_cpu(op, self, other, alpha, op.output(0));
  return std::move(op).take_output();
}
)"));
}

TEST_F(EmittedText, InplaceWrapper) {
  EXPECT_THAT(cpu_, HasSubstr(R"(
  ::structured::check_same_device("add_.Tensor", self, other);
  ::structured::Inplace<::structured::TensorIteratorBase> op(self);
  op.check_inputs(other);
  ::acme::kernels::add_meta(op, self, other, alpha);
  ::acme::kernels::add_cpu(op, self, other, alpha, op.output(0));
  op.finish();
  return self;
}
)"));
}

TEST_F(EmittedText, OutWrapper) {
  EXPECT_THAT(cpu_, HasSubstr(R"(
  ::structured::check_same_device("add.out", self, other, out);
  ::structured::Out<::structured::TensorIteratorBase, 1> op(out);
  op.check_self(self);
  op.check_inputs(other);
  ::acme::kernels::add_meta(op, self, other, alpha);
  ::acme::kernels::add_cpu(op, self, other, alpha, op.output(0));
  op.finish();
  return out;
}
)"));
}

TEST_F(EmittedText, PreparedOperatorInTwoParts) {
  EXPECT_THAT(cpu_, HasSubstr(R"(
// Two halves: `begin` runs once, `run` at each run.
struct prepared_wrapper_cpu_add_out {
  using Adaptor = ::structured::Out<::structured::TensorIteratorBase, 1>;
  static void begin(Adaptor& op, [[maybe_unused]] const ::structured::Tensor& self,
                    [[maybe_unused]] const ::structured::Tensor& other,
                    [[maybe_unused]] const ::structured::Scalar& alpha, [[maybe_unused]] ::structured::Tensor& out) {
    ::structured::check_same_device("add.out", self, other, out);
    op.check_self(self);
    op.check_inputs(other);
    ::acme::kernels::add_meta(op, self, other, alpha);
  }
  static void run(Adaptor& op, [[maybe_unused]] const ::structured::Tensor& self,
                  [[maybe_unused]] const ::structured::Tensor& other,
                  [[maybe_unused]] const ::structured::Scalar& alpha, [[maybe_unused]] ::structured::Tensor& out) {
    ::acme::kernels::add_cpu(op, self, other, alpha, op.output(0));
    op.finish();
  }
};
)"));
  EXPECT_THAT(cpu_, HasSubstr(R"(
::structured::PreparedOperator prepare_add_out(::structured::Tensor& out, const ::structured::Tensor& self,
                                               const ::structured::Tensor& other, const ::structured::Scalar& alpha) {
  return ::structured::prepare<::acme::emitted::prepared_wrapper_cpu_add_out>(self, other, alpha, out);
}
)"));
}

TEST_F(EmittedText, PreparedOperatorKeepsWhatMetaComputed) {
  EXPECT_THAT(cpu_, HasSubstr("    return ::acme::kernels::mean_meta(op, self, dim, keepdim);\n"));
  EXPECT_THAT(cpu_, HasSubstr("const ::acme::MeanDims& precomputed) {\n"
                              "    ::acme::kernels::mean_cpu(self, keepdim, precomputed, op.output(0));\n"
                              "    op.finish();\n"));
}

TEST_F(EmittedText, PreparedOperatorChoosesItsDeviceAtEachRun) {
  EXPECT_THAT(cpu_, HasSubstr(R"(
    const ::structured::DeviceGuard guard_(::structured::device_of(op, max, max_values));
    ::acme::kernels::max_cuda(op, guard, keepdim, op_.output(0), op_.output(1));
    op_.finish();
)"));
}

TEST_F(EmittedText, MetaWrapperRunsMetaAlone) {
  EXPECT_THAT(meta_, HasSubstr(R"(
  ::structured::check_same_device("add.Tensor", self, other);
  ::structured::Functional<::structured::TensorIteratorBase, 1> op;
  ::acme::kernels::add_meta(op, self, other, alpha);
  return std::move(op).take_output();
}
)"));
}

TEST_F(EmittedText, SeveralOutputsAndNamesThatArgumentsHave) {
  EXPECT_THAT(cpu_, HasSubstr(R"(
  const ::structured::DeviceGuard guard_(::structured::device_of(op));
  ::structured::Functional<::structured::MetaBase, 2> op_;
  ::acme::kernels::max_meta(op_, op, guard, keepdim);
  ::acme::kernels::max_cuda(op, guard, keepdim, op_.output(0), op_.output(1));
  return std::move(op_).take_outputs();
}
)"));
  EXPECT_THAT(cpu_, HasSubstr(R"(
  ::structured::Out<::structured::MetaBase, 2> op_(max, max_values);
  op_.check_inputs(op);
  ::acme::kernels::max_meta(op_, op, guard, keepdim);
  ::acme::kernels::max_cpu(op, guard, keepdim, op_.output(0), op_.output(1));
  op_.finish();
  return {max, max_values};
}
)"));
}

TEST_F(EmittedText, MetaWritesNothingThatCouldOverlap) {
  EXPECT_THAT(
      meta_,
      AllOf(
          HasSubstr("::structured::Out<::structured::TensorIteratorBase, 1> op(out);\n  ::acme::kernels::add_meta("),
          HasSubstr("::structured::Inplace<::structured::TensorIteratorBase> op(self);\n  ::acme::kernels::add_meta("),
          Not(HasSubstr("check_self"))));
}

TEST_F(EmittedText, PrecomputedValues) {
  EXPECT_THAT(cpu_, HasSubstr(R"(
  const auto precomputed = ::acme::kernels::mean_meta(op, self, dim, keepdim);
  ::acme::kernels::mean_cpu(self, keepdim, precomputed, op.output(0));
)"));
  EXPECT_THAT(cpu_, HasSubstr("#include \"acme/mean_dims.h\"\n"));
  EXPECT_THAT(meta_, HasSubstr("\n  ::acme::kernels::mean_meta(op, self, dim, keepdim);\n"));
}

TEST_F(EmittedText, AKernelThatWritesBumpsVersions) {
  EXPECT_THAT(plain_, HasSubstr(R"(
  decltype(auto) result = ::acme::kernels::copy_(self, src, non_blocking);
  ::structured::bump_versions(self);
  return result;
}
)"));
  EXPECT_THAT(plain_, HasSubstr(R"(
  decltype(auto) result = ::acme::kernels::ones_out(size, out);
  ::structured::bump_versions(out);
  return result;
}
)"));
}

TEST_F(EmittedText, AKernelThatWritesAListAndReturnsNothing) {
  EXPECT_THAT(plain_, HasSubstr(R"(
void wrapper_cpu__foreach_add__Scalar(::structured::TensorList self, const ::structured::Scalar& scalar) {
  ::acme::kernels::foreach_add_(self, scalar);
  ::structured::bump_versions(self);
}
)")) << "the operator asks for no device check";
}

TEST_F(EmittedText, AKernelThatNeedsNothingAroundItHasNoWrapper) {
  EXPECT_THAT(plain_, Not(HasSubstr("wrapper_cpu_view"))) << "a view is no write";
  EXPECT_THAT(plain_, HasSubstr(R"(
::structured::Tensor view(const ::structured::Tensor& self, ::structured::IntArrayRef size) {
  return ::acme::kernels::view(self, size);
}
)"));
  EXPECT_THAT(plain_tables_, HasSubstr(R"(
namespace acme::kernels {
)"));
  EXPECT_THAT(plain_tables_, HasSubstr(R"(
::structured::Tensor view(const ::structured::Tensor&, ::structured::ArrayRef<long>);
)"));
  EXPECT_THAT(plain_tables_, HasSubstr(R"(
        {::structured::Backend::CPU, ::acme::kernels::view},
)"));
  // Kernels with types that emitted code and Clang spell differently.
  EXPECT_THAT(plain_tables_, HasSubstr(" ::acme::kernels::defaults"));
  EXPECT_THAT(plain_tables_, HasSubstr(" ::acme::kernels::split"));
}

TEST_F(EmittedText, AKernelOfOtherTypesThanTheDispatchersHasAWrapper) {
  Library library = sample_library();
  for (Operator& op : library.operators) {
    if (op.variants.front().schema.name.base == "view") {
      op.variants.front().kernels.front().function.parameters[1] = "structured::OptionalIntArrayRef";
    }
  }
  const LoweredLibrary lowered =
      llvm::cantFail(lower(library, *find_dialect("native")->cpp_types(), {.sources = {"plain.cpp"}}));
  EXPECT_THAT(wrappers_source(lowered, "plain.cpp"), HasSubstr(R"(
::structured::Tensor wrapper_cpu_view(const ::structured::Tensor& self, ::structured::IntArrayRef size) {
  return ::acme::kernels::view(self, size);
}
)"));
  EXPECT_THAT(tables_source(lowered, "plain.cpp", /*boxed=*/true),
              HasSubstr("{::structured::Backend::CPU, wrapper_cpu_view},"));
}

TEST_F(EmittedText, AFactoryRunsOnTheDeviceThatItIsAskedFor) {
  EXPECT_THAT(plain_, HasSubstr(R"(
  const ::structured::DeviceGuard guard(::structured::device_of(device));
  return ::acme::kernels::empty(size, dtype, layout, device, pin_memory, memory_format);
)")) << "on a backend with devices; the host has none to choose";
  EXPECT_THAT(plain_, HasSubstr(R"(
[[gnu::noinline]] static ::structured::Tensor empty_with_options(
    ::structured::IntArrayRef size, ::structured::TensorOptions options,
    std::optional<::structured::MemoryFormat> memory_format) {
  return ::acme::kernels::empty(size, options.dtype_opt(), options.layout_opt(), options.device_opt(),
                                options.pinned_memory_opt(),
                                memory_format ? memory_format : options.memory_format_opt());
}

::structured::Tensor empty(::structured::IntArrayRef size, ::structured::TensorOptions options,
                           std::optional<::structured::MemoryFormat> memory_format) {
  if (options.is_empty()) {
    return ::acme::kernels::empty(size, std::nullopt, std::nullopt, std::nullopt, std::nullopt, memory_format);
  }
  return empty_with_options(size, options, memory_format);
}
)"));
}

TEST_F(EmittedText, ACompositeChecksNothingItself) { EXPECT_THAT(plain_, Not(HasSubstr("linear"))); }

TEST_F(EmittedText, OnlyTheFunctionsOfTheBackendsInASourceAreInIt) {
  EXPECT_THAT(cpu_, AllOf(HasSubstr("\nnamespace acme::cpu {\n"), Not(HasSubstr("namespace acme::meta"))));
  EXPECT_THAT(meta_, AllOf(HasSubstr("\nnamespace acme::meta {\n"), Not(HasSubstr("namespace acme::cpu"))));
  EXPECT_THAT(plain_, HasSubstr("\nnamespace acme::sparse_cpu {\n"));
}

TEST_F(EmittedText, Table) {
  EXPECT_THAT(meta_tables_, HasSubstr(R"(
// add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
using signature_add_Tensor = ::structured::Tensor(const ::structured::Tensor& self, const ::structured::Tensor& other,
                                                  const ::structured::Scalar& alpha);
signature_add_Tensor wrapper_cpu_add_Tensor;
signature_add_Tensor wrapper_meta_add_Tensor;
signature_add_Tensor wrapper_sparse_cpu_add_Tensor;
::structured::SlowPath<signature_add_Tensor> slow_path_add_Tensor;
signature_add_Tensor wrapper_via_out_add_Tensor;
extern const ::structured::Variants variants_add_Tensor;
constinit ::structured::Operator<signature_add_Tensor> op_add_Tensor{
    "acme::add.Tensor",
    "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    {
        {::structured::Backend::CPU, wrapper_cpu_add_Tensor},
        {::structured::Backend::Meta, wrapper_meta_add_Tensor},
        {::structured::Backend::SparseCPU, wrapper_sparse_cpu_add_Tensor},
    },
    {.slow_path = slow_path_add_Tensor, .common = wrapper_via_out_add_Tensor, .variants = &variants_add_Tensor},
};
)"));
  EXPECT_THAT(plain_tables_, HasSubstr(R"(
    {},
    ::acme::kernels::linear,
    {.slow_path = slow_path_linear, .autograd = ::acme::kernels::linear},
};
)"));
}

TEST_F(EmittedText, VariantsServedViaOut) {
  EXPECT_THAT(meta_tables_, HasSubstr(R"(
constinit const ::structured::Variants variants_add_Tensor{&op_add_out, op_add_Tensor.as_variant(),
                                                           op_add__Tensor.as_variant()};

constinit const ::structured::Variants variants_max_dim{&op_max_dim_max, op_max_dim.as_variant(), {}};
)"));
  EXPECT_THAT(meta_, HasSubstr(R"(
// Used by backends that implement only `add.out`.
::structured::Tensor& wrapper_via_out_add__Tensor(::structured::Tensor& self, const ::structured::Tensor& other,
                                                  const ::structured::Scalar& alpha) {
  ::structured::check_same_device("add_.Tensor", self, other);
  const ::structured::DeviceGuard guard(::structured::device_of(self, other));
  ::structured::Inplace<::structured::TensorIteratorBase> op(self);
  op.check_inputs(other);
  ::acme::kernels::add_meta(op, self, other, alpha);
  ::structured::Tensor output_0 = op.output(0);
  op_add_out.call(::structured::LayerSet(), self, other, alpha, output_0);
  op.finish();
  return self;
}
)"));
}

TEST_F(EmittedText, TableWithoutBoxedCalls) {
  EXPECT_THAT(tables_source(lowered_, "plain.cpp", /*boxed=*/false), HasSubstr(R"(
    {},
    ::acme::kernels::linear,
    {.autograd = ::acme::kernels::linear},
};
)"));
}

TEST_F(EmittedText, DispatchingFunctions) {
  EXPECT_THAT(meta_tables_, HasSubstr(R"(
namespace acme {

::structured::Tensor add(const ::structured::Tensor& self, const ::structured::Tensor& other,
                         const ::structured::Scalar& alpha) {
  return ::acme::emitted::op_add_Tensor(self, other, alpha);
}

::structured::Tensor& add_out(::structured::Tensor& out, const ::structured::Tensor& self,
                              const ::structured::Tensor& other, const ::structured::Scalar& alpha) {
  return ::acme::emitted::op_add_out(self, other, alpha, out);
}
)"));
}

TEST_F(EmittedText, Boxed) {
  const std::string boxed = boxed_source(lowered_, "plain.cpp");
  EXPECT_THAT(boxed, HasSubstr(R"(
extern ::structured::Operator<signature_view> op_view;
void boxed_view(::structured::Stack& stack) { ::structured::call_boxed(op_view, stack); }
::structured::Tensor slow_path_view(::structured::DispatchState state, const ::structured::Tensor& self,
                                    ::structured::IntArrayRef size) {
  return ::structured::run_slow_path(op_view, state, self, size);
}
)"));
}

TEST_F(EmittedText, Header) {
  const std::string header = ops_headers(lowered_).at("acme/ops/add.h");
  EXPECT_EQ(header, R"(// Emitted by structured-gen. Do not edit.
#pragma once

#include <acme/export.h>
#include <structured/core/tensor.h>
#include <structured/kernel/prepared.h>
#include <structured/number/scalar.h>

namespace acme {

/// `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`
ACME_OPS_API ::structured::Tensor add(const ::structured::Tensor& self, const ::structured::Tensor& other,
                                      const ::structured::Scalar& alpha = 1);

/// `add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)`
ACME_OPS_API ::structured::Tensor& add_out(::structured::Tensor& out, const ::structured::Tensor& self,
                                           const ::structured::Tensor& other, const ::structured::Scalar& alpha = 1);
inline ::structured::Tensor add_out(::structured::Tensor&& out, const ::structured::Tensor& self,
                                    const ::structured::Tensor& other, const ::structured::Scalar& alpha = 1) {
  return std::move(add_out(out, self, other, alpha));
}

/// `add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)`
ACME_OPS_API ::structured::Tensor& add_(::structured::Tensor& self, const ::structured::Tensor& other,
                                        const ::structured::Scalar& alpha = 1);
inline ::structured::Tensor add_(::structured::Tensor&& self, const ::structured::Tensor& other,
                                 const ::structured::Scalar& alpha = 1) {
  return std::move(add_(self, other, alpha));
}

}  // namespace acme

namespace acme::cpu {

// Call the kernels of one backend without dispatching.
ACME_OPS_API ::structured::Tensor add(const ::structured::Tensor& self, const ::structured::Tensor& other,
                                      const ::structured::Scalar& alpha = 1);
ACME_OPS_API ::structured::Tensor& add_out(::structured::Tensor& out, const ::structured::Tensor& self,
                                           const ::structured::Tensor& other, const ::structured::Scalar& alpha = 1);
ACME_OPS_API ::structured::PreparedOperator prepare_add_out(::structured::Tensor& out, const ::structured::Tensor& self,
                                                            const ::structured::Tensor& other,
                                                            const ::structured::Scalar& alpha = 1);
ACME_OPS_API ::structured::Tensor& add_(::structured::Tensor& self, const ::structured::Tensor& other,
                                        const ::structured::Scalar& alpha = 1);

}  // namespace acme::cpu

namespace acme::meta {

// Call the kernels of one backend without dispatching.
ACME_OPS_API ::structured::Tensor add(const ::structured::Tensor& self, const ::structured::Tensor& other,
                                      const ::structured::Scalar& alpha = 1);
ACME_OPS_API ::structured::Tensor& add_out(::structured::Tensor& out, const ::structured::Tensor& self,
                                           const ::structured::Tensor& other, const ::structured::Scalar& alpha = 1);
ACME_OPS_API ::structured::Tensor& add_(::structured::Tensor& self, const ::structured::Tensor& other,
                                        const ::structured::Scalar& alpha = 1);

}  // namespace acme::meta

namespace acme::sparse_cpu {

// Call the kernels of one backend without dispatching.
ACME_OPS_API ::structured::Tensor add(const ::structured::Tensor& self, const ::structured::Tensor& other,
                                      const ::structured::Scalar& alpha = 1);

}  // namespace acme::sparse_cpu
)");
}

TEST_F(EmittedText, Documentation) {
  EXPECT_THAT(documentation_header(lowered_), HasSubstr(R"(
#pragma once

#include <acme/operators.h>

namespace acme {

/// Adds `alpha * other` to `self`.
///
/// `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`
ACME_OPS_API ::structured::Tensor add(const ::structured::Tensor& self, const ::structured::Tensor& other,
                                      const ::structured::Scalar& alpha);
)"));
}

TEST_F(EmittedText, HandlesAreSortedByName) {
  const std::string text = operators_source(lowered_, /*boxed=*/true);
  const std::string first = "{\"acme::_foreach_add_.Scalar\", &op__foreach_add__Scalar, boxed__foreach_add__Scalar},";
  const std::string last = "{\"acme::view\", &op_view, boxed_view},";
  ASSERT_THAT(text, AllOf(HasSubstr(first), HasSubstr(last)));
  EXPECT_LT(text.find(first), text.find(last));
  EXPECT_LT(text.find("{\"acme::add.out\""), text.find("{\"acme::add_.Tensor\"")) << "the order is that of bytes";
}

TEST_F(EmittedText, ExportMacro) {
  EXPECT_THAT(export_header(lowered_), HasSubstr("#define ACME_OPS_API __attribute__((visibility(\"default\")))\n"));
}

}  // namespace
}  // namespace structured::gen

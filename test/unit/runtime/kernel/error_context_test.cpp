// Operators and arguments in the messages of shared code, for operators in the form that the generator emits.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "structured/core/factory.h"
#include "structured/core/tensor.h"
#include "structured/core/wrap_dim.h"
#include "structured/dispatch/boxed.h"
#include "structured/dispatch/library.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/slow_path.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/kernel/adaptors.h"
#include "test_support.h"

namespace structured {
namespace {

using Binary = Tensor(const Tensor& self, const Tensor& other);
using BinaryOut = Tensor&(const Tensor& self, const Tensor& other, Tensor& out);
using OfDim = Tensor(const Tensor& self, int64_t dim);
using OfTwoDims = Tensor(const Tensor& self, int64_t dim0, int64_t dim1);
using Split = std::tuple<Tensor, Tensor>(const Tensor& self);

__attribute__((noinline)) void plus_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other) {
  op.build_binary_op(op.maybe_get_output(), self, other);
}

__attribute__((noinline)) Tensor plus(const Tensor& self, const Tensor& other) {
  Functional<TensorIteratorBase> op;
  plus_meta(op, self, other);
  return std::move(op).take_output();
}

__attribute__((noinline)) Tensor& plus_out(const Tensor& self, const Tensor& other, Tensor& out) {
  Out<TensorIteratorBase> op(out);
  plus_meta(op, self, other);
  op.finish();
  return out;
}

// The output has the dtype of `self`.
__attribute__((noinline)) void first_meta(MetaBase& op, const Tensor& self, const Tensor& other) {
  op.set_output_raw_strided(0, other.sizes(), {}, self.options());
}

__attribute__((noinline)) Tensor& first_out(const Tensor& self, const Tensor& other, Tensor& out) {
  Out<MetaBase> op(out);
  first_meta(op, self, other);
  op.finish();
  return out;
}

__attribute__((noinline)) Tensor rows(const Tensor& self, int64_t dim) {
  return as_strided(self, {self.size(wrap_dim(dim, self.dim()))}, {1});
}

__attribute__((noinline)) Tensor swap(const Tensor& self, int64_t dim0, int64_t dim1) {
  return as_strided(self, {self.size(wrap_dim(dim0, self.dim())), self.size(wrap_dim(dim1, self.dim()))}, {1, 1});
}

__attribute__((noinline)) void split_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}

__attribute__((noinline)) std::tuple<Tensor, Tensor> split(const Tensor& self) {
  Functional<MetaBase, 2> op;
  split_meta(op, self);
  return std::move(op).take_outputs();
}

#define OPERATOR(variable, Signature, schema, kernel)   \
  constinit Operator<Signature> variable {              \
    "test::" #variable, schema, {                       \
      {Backend::CPU, kernel}, { Backend::Meta, kernel } \
    }                                                   \
  }
OPERATOR(op_plus, Binary, "plus(Tensor self, Tensor other) -> Tensor", plus);
OPERATOR(op_plus_out, BinaryOut, "plus.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", plus_out);
OPERATOR(op_first_out, BinaryOut, "first.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", first_out);
OPERATOR(op_rows, OfDim, "rows(Tensor self, int dim) -> Tensor", rows);
OPERATOR(op_swap, OfTwoDims, "swap(Tensor self, int dim0, int dim1) -> Tensor", swap);
OPERATOR(op_split, Split, "split(Tensor self) -> (Tensor values, Tensor indices)", split);
#undef OPERATOR

// Composites.
__attribute__((noinline)) Tensor total(const Tensor& self, const Tensor& other) {
  const Tensor sum = op_plus(self, other);
  return op_rows(sum, 3);
}
constinit Operator<Binary> op_total{
    "test::total", "total(Tensor self, Tensor other) -> Tensor", {{Backend::CPU, total}}};
__attribute__((noinline)) Tensor outer(const Tensor& self, const Tensor& other) {
  const Tensor result = op_total(self, other);
  return result;
}
constinit Operator<Binary> op_outer{
    "test::outer", "outer(Tensor self, Tensor other) -> Tensor", {{Backend::CPU, outer}}};

constexpr OperatorHandle handles[] = {
    {"test::first.out", &op_first_out, &call_boxed<op_first_out>},
    {"test::outer", &op_outer, &call_boxed<op_outer>},
    {"test::plus", &op_plus, &call_boxed<op_plus>},
    {"test::plus.out", &op_plus_out, nullptr},
    {"test::rows", &op_rows, &call_boxed<op_rows>},
    {"test::split", &op_split, &call_boxed<op_split>},
    {"test::swap", &op_swap, nullptr},
    {"test::total", &op_total, nullptr},
};
STRUCTURED_ANNOUNCE_OPERATORS("test", handles);

Tensor ones(int64_t size, ScalarType dtype = kFloat) { return full({size}, 1, dtype); }

std::string boxed_message(const Operator<Binary>& op, const Tensor& self, const Tensor& other) {
  Stack stack{self, other};
  return message_of([&] { call_boxed(op, stack); });
}

TEST(ErrorContext, NamesTheInputThatIsUndefined) {
  const std::string expected = "in plus: `other`: expected input 1 to be a tensor, got an undefined one";
  EXPECT_EQ(message_of([] { op_plus(ones(2), Tensor()); }), expected);
  EXPECT_EQ(boxed_message(op_plus, ones(2), Tensor()), expected);
}

TEST(ErrorContext, NamesAllTensorsIfAKernelUsesAnUndefinedOne) {
  Tensor out = ones(1);
  EXPECT_EQ(message_of([&] { op_first_out(ones(2), Tensor(), out); }),
            "in first: `self` or `other`: expected a defined tensor, got an undefined one");
  EXPECT_EQ(message_of([&] { op_rows(Tensor(), 0); }),
            "in rows: `self`: expected a defined tensor, got an undefined one");
}

TEST(ErrorContext, NamesTheInputThatDoesNotBroadcast) {
  const std::string expected =
      "in plus: `other`: shapes [8] and [3] do not broadcast: expected sizes in dimension 0 to be equal or 1, got 8 "
      "and "
      "3";
  EXPECT_EQ(message_of([] { op_plus(ones(8), ones(3)); }), expected);
  EXPECT_EQ(boxed_message(op_plus, ones(8), ones(3)), expected);
}

TEST(ErrorContext, NamesTheDimension) {
  const std::string expected = "in rows: `dim`: expected a dimension from -1 to 0, got 5";
  EXPECT_EQ(message_of([] { op_rows(ones(2), 5); }), expected);
  Stack stack{ones(2), 5};
  EXPECT_EQ(message_of([&] { call_boxed(op_rows, stack); }), expected);
}

TEST(ErrorContext, NamesAllDimensionsIfItMayBeAnyOfThem) {
  EXPECT_EQ(message_of([] { op_swap(ones(2), 0, 5); }),
            "in swap: `dim0` or `dim1`: expected a dimension from -1 to 0, got 5");
}

TEST(ErrorContext, NamesTheOutput) {
  Tensor out = ones(2, kInt);
  EXPECT_EQ(message_of([&] { op_first_out(ones(2, kDouble), ones(2), out); }),
            "in first: `out`: expected output 0 of dtype Double, got Int");
  EXPECT_EQ(message_of([&] { op_plus_out(ones(2), ones(2), out); }),
            "in plus: `out`: the result has dtype Float, which output 0 of dtype Int cannot hold");
}

TEST(ErrorContext, NamesTheResultThatWasNotSet) {
  const std::string expected = "in split: `indices`: output 1 was not set by the meta function";
  EXPECT_EQ(message_of([] { op_split(ones(2)); }), expected);
  Stack stack{ones(2)};
  EXPECT_EQ(message_of([&] { call_boxed(op_split, stack); }), expected);
}

TEST(ErrorContext, IsPartOfWarnings) {
  const CaughtWarnings warnings;
  Tensor out = ones(3);
  op_first_out(ones(2), ones(2), out);
  ASSERT_EQ(warnings.get().size(), 1u);
  EXPECT_EQ(warnings.get()[0],
            "in first: `out`: an output of sizes [3] was resized to [2] although it had elements; pass one of those "
            "sizes, or one without elements");
}

TEST(ErrorContext, ListsComposites) {
  EXPECT_EQ(message_of([] { op_outer(ones(2), ones(2)); }),
            "in outer: in total: in rows: `dim`: expected a dimension from -1 to 0, got 3");
  EXPECT_EQ(boxed_message(op_outer, ones(8), Tensor()),
            "in outer: in total: in plus: `other`: expected input 1 to be a tensor, got an undefined one");
}

TEST(ErrorContext, IsEmptyOutsideOperators) {
  EXPECT_EQ(message_of([] { ones(2).size(5); }), "expected a dimension from -1 to 0, got 5");
  EXPECT_EQ(message_of([] { rows(ones(2), 5); }).substr(0, 3), "in ");  // a kernel, however it was called
}

TEST(Error, HasOperatorAndArgument) {
  try {
    op_outer(ones(2), ones(2));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.op(), "test::rows");
    EXPECT_STREQ(error.argument(), "dim");
  }
  const Error plain("text");
  EXPECT_STREQ(plain.op(), "");
  EXPECT_STREQ(plain.argument(), "");
}

}  // namespace
}  // namespace structured

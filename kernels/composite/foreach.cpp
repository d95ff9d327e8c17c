// Operators on lists of tensors: `_foreach_add` and the others call an operator for the tensors at each index.
#include <structured/base/error.h>
#include <structured/core/array_ref.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/abs.h>
#include <structured/ops/acos.h>
#include <structured/ops/add.h>
#include <structured/ops/addcdiv.h>
#include <structured/ops/addcmul.h>
#include <structured/ops/asin.h>
#include <structured/ops/atan.h>
#include <structured/ops/ceil.h>
#include <structured/ops/clamp_max.h>
#include <structured/ops/clamp_min.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/cos.h>
#include <structured/ops/cosh.h>
#include <structured/ops/div.h>
#include <structured/ops/erf.h>
#include <structured/ops/erfc.h>
#include <structured/ops/exp.h>
#include <structured/ops/expm1.h>
#include <structured/ops/floor.h>
#include <structured/ops/frac.h>
#include <structured/ops/lerp.h>
#include <structured/ops/lgamma.h>
#include <structured/ops/linalg__powsum.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/log.h>
#include <structured/ops/log10.h>
#include <structured/ops/log1p.h>
#include <structured/ops/log2.h>
#include <structured/ops/max.h>
#include <structured/ops/mm.h>
#include <structured/ops/mul.h>
#include <structured/ops/neg.h>
#include <structured/ops/pow.h>
#include <structured/ops/reciprocal.h>
#include <structured/ops/round.h>
#include <structured/ops/rsqrt.h>
#include <structured/ops/select.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/sign.h>
#include <structured/ops/sin.h>
#include <structured/ops/sinh.h>
#include <structured/ops/sqrt.h>
#include <structured/ops/sub.h>
#include <structured/ops/tan.h>
#include <structured/ops/tanh.h>
#include <structured/ops/trunc.h>
#include <structured/ops/zero.h>
#include <structured/ops/zeros_like.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace structured::kernels {
namespace {

// Checks that the argument `other` of the operator `name` has one item for each of `count` tensors.
void check_count(const char* name, std::size_t count, TensorList other) {
  STRUCTURED_CHECK(other.size() == count, name, ": Tensor lists must have the same number of tensors, got ", count,
                   " and ", other.size());
}

void check_count(const char* name, std::size_t count, ArrayRef<Scalar> scalars) {
  STRUCTURED_CHECK(scalars.size() == count, name,
                   ": Tensor list must have same number of elements as scalar list, got ", count, " tensors and ",
                   scalars.size(), " scalars");
}

void check_count(const char* name, std::size_t, const Tensor& scalar) {
  STRUCTURED_CHECK(scalar.dim() == 0, name, ": scalar tensor expected to be 0 dim but it has ", scalar.dim(),
                   " dimensions and ", scalar.numel(), " elements.");
}

template <class Common>
void check_count(const char*, std::size_t, const Common&) {}

template <class... Others>
void check_lists(const char* name, TensorList self, const Others&... others) {
  STRUCTURED_CHECK(!self.empty(), name, ": Tensor list must have at least one tensor.");
  (check_count(name, self.size(), others), ...);
}

// The argument for the tensors at `index`: an item of a list, or a value that all tensors share.
const Tensor& item(TensorList list, std::size_t index) { return list[index]; }
const Scalar& item(ArrayRef<Scalar> list, std::size_t index) { return list[index]; }
template <class Common>
const Common& item(const Common& value, std::size_t) {
  return value;  // NOLINT(bugprone-return-const-ref-from-parameter): an argument of the operator
}

// Results of `call` for the arguments at each index.
template <class Call, class... Others>
std::vector<Tensor> results_of(const char* name, const Call& call, TensorList self, const Others&... others) {
  check_lists(name, self, others...);
  std::vector<Tensor> results;
  results.reserve(self.size());
  for (std::size_t i = 0; i < self.size(); ++i) results.push_back(call(self[i], item(others, i)...));
  return results;
}

// Calls `call`, which writes to its first argument, for the arguments at each index.
template <class Call, class... Others>
void update_each(const char* name, const Call& call, TensorList self, const Others&... others) {
  check_lists(name, self, others...);
  for (std::size_t i = 0; i < self.size(); ++i) {
    Tensor tensor = self[i];
    call(tensor, item(others, i)...);
  }
}

// The elements of the vector `scalars` of the operator `name`, one for each of `count` tensors.
std::vector<Scalar> scalars_of(const char* name, const Tensor& scalars, std::size_t count) {
  STRUCTURED_CHECK(scalars.dim() == 1, name, ": Expected packed scalar Tensor to be of dimension 1. Got ",
                   scalars.dim(), " instead.");
  STRUCTURED_CHECK(scalars.is_contiguous(), name, ": Expected scalars to be contiguous.");
  STRUCTURED_CHECK(scalars.numel() == static_cast<int64_t>(count), name,
                   ": Expected length of scalars to match input of length ", count, " but got ", scalars.numel(),
                   " instead.");
  std::vector<Scalar> result;
  for (int64_t i = 0; i < scalars.numel(); ++i) result.push_back(structured::select(scalars, 0, i).item());
  return result;
}

}  // namespace

#define STRUCTURED_REST(...) __VA_OPT__(, ) __VA_ARGS__

// Defines `_foreach_NAME` with its out= variant and `_foreach_NAME_`, which call `operation` and `operation_`.
// `parameters` and `arguments` are those after `self`, in parentheses.
#define STRUCTURED_FOREACH_VARIANTS(name, operation, overload, out_overload, parameters, arguments)                  \
  [[                                                                                                                 \
    structured::composite("_foreach_" #name overload), structured::variants("_foreach_" #name out_overload),         \
    structured::device_check(false)                                                                                  \
  ]] std::vector<Tensor>                                                                                             \
      foreach_##name(TensorList self STRUCTURED_REST parameters) {                                                   \
    return results_of(                                                                                               \
        "_foreach_" #name,                                                                                           \
        [](const Tensor& tensor, const auto&... others) { return structured::operation(tensor, others...); },        \
        self STRUCTURED_REST arguments);                                                                             \
  }                                                                                                                  \
  [[structured::composite("_foreach_" #name "_" overload), structured::device_check(false)]] void foreach_##name##_( \
      [[structured::alias("a!")]] TensorList self STRUCTURED_REST parameters) {                                      \
    update_each(                                                                                                     \
        "_foreach_" #name "_",                                                                                       \
        [](Tensor& tensor, const auto&... others) { structured::operation##_(tensor, others...); },                  \
        self STRUCTURED_REST arguments);                                                                             \
  }

#define STRUCTURED_FOREACH_UNARY(name) STRUCTURED_FOREACH_VARIANTS(name, name, "", ".out", (), ())

// NOLINTBEGIN(bugprone-macro-parentheses): `argument` is declared
// Overloads with a scalar for all tensors, with one tensor for each and with one scalar for each.
#define STRUCTURED_FOREACH_SCALAR(name, operation, argument) \
  STRUCTURED_FOREACH_VARIANTS(name, operation, ".Scalar", ".Scalar_out", (const Scalar& argument), (argument))
#define STRUCTURED_FOREACH_LIST(name, operation, argument) \
  STRUCTURED_FOREACH_VARIANTS(name, operation, ".List", ".List_out", (TensorList argument), (argument))
#define STRUCTURED_FOREACH_SCALARS(name, operation, argument)                                                 \
  STRUCTURED_FOREACH_VARIANTS(name, operation, ".ScalarList", ".ScalarList_out", (ArrayRef<Scalar> argument), \
                              (argument))
// NOLINTEND(bugprone-macro-parentheses)

// Overloads of `add` and `sub` whose second operand, of the type `type`, is multiplied by `alpha`.
#define STRUCTURED_FOREACH_ALPHA(name, overload, type)               \
  STRUCTURED_FOREACH_VARIANTS(name, name, overload, overload "_out", \
                              (type other, [[structured::kwonly]] const Scalar& alpha = 1), (other, alpha))

// Overloads of `addcmul` and `addcdiv` with a scalar for all tensors, or one for each in a list or in a tensor.
#define STRUCTURED_FOREACH_MULTIPLY_ADD(name)                                                                \
  STRUCTURED_FOREACH_VARIANTS(name, name, ".Scalar", ".Scalar_out",                                          \
                              (TensorList tensor1, TensorList tensor2, const Scalar& value = 1),             \
                              (tensor1, tensor2, value))                                                     \
  STRUCTURED_FOREACH_VARIANTS(name, name, ".ScalarList", ".ScalarList_out",                                  \
                              (TensorList tensor1, TensorList tensor2, ArrayRef<Scalar> scalars),            \
                              (tensor1, tensor2, scalars))                                                   \
  STRUCTURED_FOREACH_VARIANTS(                                                                               \
      name, name, ".Tensor", ".Tensor_out", (TensorList tensor1, TensorList tensor2, const Tensor& scalars), \
      (tensor1, tensor2, ArrayRef<Scalar>(scalars_of("_foreach_" #name, scalars, self.size()))))

// clang-format off: one line for each operator.

/// Absolute values of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(abs)
/// Arc cosines of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(acos)
/// Arc sines of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(asin)
/// Arc tangents of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(atan)
/// Elements of each tensor in `self`, rounded up.
STRUCTURED_FOREACH_UNARY(ceil)
/// Cosines of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(cos)
/// Hyperbolic cosines of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(cosh)
/// Error function of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(erf)
/// Complementary error function of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(erfc)
/// Exponentials of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(exp)
/// `exp(x) - 1` for each element x of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(expm1)
/// Elements of each tensor in `self`, rounded down.
STRUCTURED_FOREACH_UNARY(floor)
/// Fractional parts of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(frac)
/// Logarithms of the absolute values of the gamma function of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(lgamma)
/// Natural logarithms of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(log)
/// Decimal logarithms of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(log10)
/// `log(1 + x)` for each element x of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(log1p)
/// Binary logarithms of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(log2)
/// Negated elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(neg)
/// Reciprocals of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(reciprocal)
/// Elements of each tensor in `self`, rounded to the nearest integer, and to the even one if two are equally near.
STRUCTURED_FOREACH_UNARY(round)
/// Reciprocals of the square roots of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(rsqrt)
/// Logistic function `1 / (1 + exp(-x))` of the elements x of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(sigmoid)
/// Signs, -1, 0 or 1, of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(sign)
/// Sines of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(sin)
/// Hyperbolic sines of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(sinh)
/// Square roots of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(sqrt)
/// Tangents of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(tan)
/// Hyperbolic tangents of the elements of each tensor in `self`.
STRUCTURED_FOREACH_UNARY(tanh)
/// Elements of each tensor in `self`, rounded towards zero.
STRUCTURED_FOREACH_UNARY(trunc)

/// Sums of `scalar` and each tensor in `self`.
STRUCTURED_FOREACH_SCALAR(add, add, scalar)
/// Sums of each tensor in `self` and `alpha` times the tensor at the same index of `other`.
STRUCTURED_FOREACH_ALPHA(add, ".List", TensorList)
/// Sums of each tensor in `self` and the scalar at the same index of `scalars`.
STRUCTURED_FOREACH_SCALARS(add, add, scalars)
/// Sums of each tensor in `self` and `alpha` times the tensor `other`, which has no dimensions.
STRUCTURED_FOREACH_ALPHA(add, ".Tensor", const Tensor&)
/// Differences of each tensor in `self` and `scalar`.
STRUCTURED_FOREACH_SCALAR(sub, sub, scalar)
/// Differences of each tensor in `self` and `alpha` times the tensor at the same index of `other`.
STRUCTURED_FOREACH_ALPHA(sub, ".List", TensorList)
/// Differences of each tensor in `self` and the scalar at the same index of `scalars`.
STRUCTURED_FOREACH_SCALARS(sub, sub, scalars)
/// Products of `scalar` and each tensor in `self`.
STRUCTURED_FOREACH_SCALAR(mul, mul, scalar)
/// Products of each tensor in `self` and the tensor at the same index of `other`.
STRUCTURED_FOREACH_LIST(mul, mul, other)
/// Products of each tensor in `self` and the scalar at the same index of `scalars`.
STRUCTURED_FOREACH_SCALARS(mul, mul, scalars)
/// Products of each tensor in `self` and the tensor `other`, which has no dimensions.
STRUCTURED_FOREACH_VARIANTS(mul, mul, ".Tensor", ".Tensor_out", (const Tensor& other), (other))
/// Quotients of each tensor in `self` and `scalar`.
STRUCTURED_FOREACH_SCALAR(div, div, scalar)
/// Quotients of each tensor in `self` and the tensor at the same index of `other`.
STRUCTURED_FOREACH_LIST(div, div, other)
/// Quotients of each tensor in `self` and the scalar at the same index of `scalars`.
STRUCTURED_FOREACH_SCALARS(div, div, scalars)
/// Quotients of each tensor in `self` and the tensor `other`, which has no dimensions.
STRUCTURED_FOREACH_VARIANTS(div, div, ".Tensor", ".Tensor_out", (const Tensor& other), (other))

/// Elements of each tensor in `self`, or `scalar` if smaller.
STRUCTURED_FOREACH_SCALAR(clamp_max, clamp_max, scalar)
/// Smaller elements of each tensor in `self` and the tensor at the same index of `other`.
STRUCTURED_FOREACH_LIST(clamp_max, clamp_max, other)
/// Elements of each tensor in `self`, or the scalar at the same index of `scalars` if smaller.
STRUCTURED_FOREACH_SCALARS(clamp_max, clamp_max, scalars)
/// Elements of each tensor in `self`, or `scalar` if larger.
STRUCTURED_FOREACH_SCALAR(clamp_min, clamp_min, scalar)
/// Larger elements of each tensor in `self` and the tensor at the same index of `other`.
STRUCTURED_FOREACH_LIST(clamp_min, clamp_min, other)
/// Elements of each tensor in `self`, or the scalar at the same index of `scalars` if larger.
STRUCTURED_FOREACH_SCALARS(clamp_min, clamp_min, scalars)
/// Elements of each tensor in `self`, or `scalar` if larger.
STRUCTURED_FOREACH_SCALAR(maximum, clamp_min, scalar)
/// Larger elements of each tensor in `self` and the tensor at the same index of `other`.
STRUCTURED_FOREACH_LIST(maximum, clamp_min, other)
/// Elements of each tensor in `self`, or the scalar at the same index of `scalars` if larger.
STRUCTURED_FOREACH_SCALARS(maximum, clamp_min, scalars)
/// Elements of each tensor in `self`, or `scalar` if smaller.
STRUCTURED_FOREACH_SCALAR(minimum, clamp_max, scalar)
/// Smaller elements of each tensor in `self` and the tensor at the same index of `other`.
STRUCTURED_FOREACH_LIST(minimum, clamp_max, other)
/// Elements of each tensor in `self`, or the scalar at the same index of `scalars` if smaller.
STRUCTURED_FOREACH_SCALARS(minimum, clamp_max, scalars)

/// Each tensor in `self`, raised to the power `exponent`.
STRUCTURED_FOREACH_SCALAR(pow, pow, exponent)
/// Each tensor in `self`, raised to the powers in the tensor at the same index of `exponent`.
STRUCTURED_FOREACH_LIST(pow, pow, exponent)
/// Each tensor in `self`, raised to the power at the same index of `exponent`.
STRUCTURED_FOREACH_SCALARS(pow, pow, exponent)

/// `self + value * tensor1 * tensor2` for the tensors at each index of the lists. `value` is a scalar for all indices,
/// or an element of `scalars`.
STRUCTURED_FOREACH_MULTIPLY_ADD(addcmul)
/// `self + value * tensor1 / tensor2` for the tensors at each index of the lists. `value` is a scalar for all indices,
/// or an element of `scalars`.
STRUCTURED_FOREACH_MULTIPLY_ADD(addcdiv)

/// Linear interpolation `self + weights * (tensors1 - self)` for the tensors at each index of the lists.
STRUCTURED_FOREACH_VARIANTS(lerp, lerp, ".List", ".List_out", (TensorList tensors1, TensorList weights),
                            (tensors1, weights))
/// Linear interpolation `self + weight * (tensors1 - self)` for the tensors at each index of the lists.
STRUCTURED_FOREACH_VARIANTS(lerp, lerp, ".Scalar", ".Scalar_out", (TensorList tensors1, const Scalar& weight),
                            (tensors1, weight))
/// Linear interpolation `self + weight * (tensors1 - self)` for the tensors and the scalar at each index of the lists.
STRUCTURED_FOREACH_VARIANTS(lerp, lerp, ".ScalarList", ".ScalarList_out",
                            (TensorList tensors1, ArrayRef<Scalar> weight), (tensors1, weight))

// clang-format on

/// `self` raised to the powers in each tensor in `exponent`.
[[structured::composite("_foreach_pow.ScalarAndTensor"), structured::device_check(false)]]
std::vector<Tensor> foreach_scalar_pow(const Scalar& self, TensorList exponent) {
  return results_of("_foreach_pow", [&self](const Tensor& each) { return structured::pow(self, each); }, exponent);
}

/// Largest element of each tensor in `self`, without dimensions.
[[structured::composite("_foreach_max"), structured::variants("_foreach_max.out"), structured::device_check(false)]]
std::vector<Tensor> foreach_max(TensorList self) {
  return results_of("_foreach_max", [](const Tensor& each) { return structured::max(each); }, self);
}

/// Norm of order `ord` of the elements of each tensor in `self`, without dimensions, computed in `dtype` if given.
[[structured::composite("_foreach_norm.Scalar"), structured::variants("_foreach_norm.Scalar_out"),
  structured::device_check(false)]]
std::vector<Tensor> foreach_norm(TensorList self, const Scalar& ord = 2,
                                 std::optional<ScalarType> dtype = std::nullopt) {
  return results_of(
      "_foreach_norm",
      [&](const Tensor& each) { return structured::linalg_vector_norm(each, ord, std::nullopt, false, dtype); }, self);
}

/// Sum of `abs(x) ** ord` over the elements x of each tensor in `self`, without dimensions, computed in `dtype` if
/// given.
[[structured::composite("_foreach_powsum.Scalar"), structured::variants("_foreach_powsum.Scalar_out"),
  structured::device_check(false)]]
std::vector<Tensor> foreach_powsum(TensorList self, const Scalar& ord = 2,
                                   std::optional<ScalarType> dtype = std::nullopt) {
  return results_of(
      "_foreach_powsum",
      [&](const Tensor& each) { return structured::linalg__powsum(each, ord, std::nullopt, false, dtype); }, self);
}

/// Zeros of the sizes and dtype of each tensor in `self`.
[[structured::composite("_foreach_zero"), structured::variants("_foreach_zero.out"),
  structured::returns("_foreach_zero", "self_out"), structured::device_check(false)]]
std::vector<Tensor> foreach_zero(TensorList self) {
  return results_of("_foreach_zero", [](const Tensor& each) { return structured::zeros_like(each); }, self);
}

/// Sets the elements of each tensor in `self` to 0.
[[structured::composite("_foreach_zero_"), structured::device_check(false)]]
void foreach_zero_([[structured::alias("a!")]] TensorList self) {
  update_each("_foreach_zero_", [](Tensor& each) { structured::zero_(each); }, self);
}

/// Copy of each tensor in `self` in the memory format `memory_format`, by default its own.
[[structured::composite("_foreach_clone"), structured::variants("_foreach_clone.out"), structured::device_check(false)]]
std::vector<Tensor> foreach_clone(TensorList self,
                                  [[structured::kwonly]] std::optional<MemoryFormat> memory_format = std::nullopt) {
  return results_of("_foreach_clone", [&](const Tensor& each) { return structured::clone(each, memory_format); }, self);
}

/// Copy of each tensor in `src`, broadcast to the sizes and converted to the dtype of the tensor at the same index of
/// `self`.
[[structured::composite("_foreach_copy"), structured::variants("_foreach_copy.out"),
  structured::returns("_foreach_copy", "self_out"), structured::device_check(false)]]
std::vector<Tensor> foreach_copy(TensorList self, TensorList src, bool non_blocking = false) {
  if (self.empty() && src.empty()) return {};
  return results_of(
      "_foreach_copy",
      [&](const Tensor& each, const Tensor& from) { return structured::copy(each, from, non_blocking); }, self, src);
}

/// Copies each tensor in `src` to the tensor at the same index of `self`.
[[structured::composite("_foreach_copy_"), structured::device_check(false)]]
void foreach_copy_([[structured::alias("a!")]] TensorList self, TensorList src, bool non_blocking = false) {
  update_each(
      "_foreach_copy_", [&](Tensor& each, const Tensor& from) { structured::copy_(each, from, non_blocking); }, self,
      src);
}

/// Matrix product of each matrix in `self` and the matrix at the same index of `mat2`.
[[structured::composite("_foreach_mm"), structured::device_check(false)]]
std::vector<Tensor> foreach_mm(TensorList self, TensorList mat2) {
  return results_of("_foreach_mm", [](const Tensor& a, const Tensor& b) { return structured::mm(a, b); }, self, mat2);
}

}  // namespace structured::kernels

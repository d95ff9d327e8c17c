#pragma once
// An operator as C++ knows it, found by name: to register kernels by hand, and to call it without a stack.
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "structured/core/array_ref.h"
#include "structured/core/export.h"
#include "structured/core/scalar.h"
#include "structured/core/tensor.h"
#include "structured/dispatch/boxed.h"
#include "structured/dispatch/library.h"
#include "structured/dispatch/operator.h"

namespace structured {
namespace detail {

/// A C++ type in words of a schema, a written tensor as `Tensor(!)`.
template <class T>
struct SchemaType {
  static std::string text() {
    if constexpr (std::is_same_v<T, Tensor&>) {
      return "Tensor(!)";
    } else {
      return Argument<std::remove_cvref_t<T>>::expected();
    }
  }
};
template <class T>
struct SchemaType<std::vector<T>> {
  static std::string text() { return Argument<ArrayRef<T>>::expected(); }
};

template <class R>
struct SchemaResults {
  static std::vector<std::string> texts() { return {SchemaType<R>::text()}; }
};
template <>
struct SchemaResults<void> {
  static std::vector<std::string> texts() { return {}; }
};
template <class... T>
struct SchemaResults<std::tuple<T...>> {
  static std::vector<std::string> texts() { return {SchemaType<T>::text()...}; }
};

// A schema type is one C++ type, as emission spells it: others, though they serve a caller as well, are passed in other
// registers.
template <class T>
constexpr bool is_passed_by_reference = std::is_same_v<T, Tensor> || std::is_same_v<T, std::optional<Tensor>> ||
                                        std::is_same_v<T, Scalar> || std::is_same_v<T, std::optional<Scalar>>;

/// Whether kernels of some operator have a parameter of just this type.
template <class T>
constexpr bool is_kernel_parameter =
    is_passed_by_reference<std::remove_cvref_t<T>>
        ? std::is_same_v<T, const std::remove_cvref_t<T>&> || std::is_same_v<T, Tensor&>
        : std::is_same_v<T, std::remove_cvref_t<T>> && !std::is_same_v<T, std::optional<IntArrayRef>>;

/// The same of a result.
template <class T>
constexpr bool is_kernel_result = std::is_same_v<T, std::remove_cvref_t<T>> || std::is_same_v<T, Tensor&>;
template <class T>
constexpr bool is_kernel_result<ArrayRef<T>> = false;
template <class T>
constexpr bool is_kernel_result<std::optional<ArrayRef<T>>> = false;
template <>
inline constexpr bool is_kernel_result<OptionalIntArrayRef> = false;
template <class... T>
constexpr bool is_kernel_result<std::tuple<T...>> = (is_kernel_result<T> && ...);

/// Throws Error unless the operator's schema has these types.
STRUCTURED_API void check_signature(const OperatorBase& op, const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& results);

template <class Signature>
struct SignatureCheck;
template <class R, class... A>
struct SignatureCheck<R(A...)> {
  static_assert((is_kernel_parameter<A> && ...),
                "expected parameters as kernels have them: `const T&` for a tensor, a scalar and an optional of these, "
                "`Tensor&` for a tensor that is written, OptionalIntArrayRef for `int[]?`, and values for all else");
  static_assert(is_kernel_result<R>,
                "expected results as kernels have them: `Tensor&` for a tensor that is written, std::vector for a "
                "list, and values for all else");

  static void check(const OperatorBase& op) {
    check_signature(op, {SchemaType<A>::text()...}, SchemaResults<R>::texts());
  }
};

}  // namespace detail

/// The operator behind a handle, whose kernels are of type `Signature`: arguments in schema order, of the types that
/// <structured/operators.h> has.
///
///     auto& relu = typed_operator<Tensor(const Tensor&)>(*structured::find_operator("aten::relu"));
///     relu.register_kernel(Backend::PrivateUse1, my_relu, __FILE__, __LINE__);
///
/// Throws Error, which quotes the schema, if the operator's kernels are of another type; does not compile if no
/// operator's are of this one.
template <class Signature>
Operator<Signature>& typed_operator(const OperatorHandle& handle) {
  detail::SignatureCheck<Signature>::check(*handle.op);
  // Handles are constant, the operators behind them are not: their tables are there to be filled.
  return static_cast<Operator<Signature>&>(const_cast<OperatorBase&>(*handle.op));
}

}  // namespace structured

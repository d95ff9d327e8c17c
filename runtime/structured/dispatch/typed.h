#pragma once
// Typed access to an operator that was found by name: to register kernels by hand, and to call it without a stack.
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/dispatch/boxed.h"
#include "structured/dispatch/library.h"
#include "structured/dispatch/operator.h"
#include "structured/number/scalar.h"

namespace structured {
namespace detail {

/// Whether results have this type and arguments another one.
template <class T>
constexpr bool is_result_list = std::is_same_v<T, std::string>;
template <class T>
constexpr bool is_result_list<std::vector<T>> = true;

/// Schema type of a C++ type; a mutable tensor is `Tensor(!)`.
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
template <>
struct SchemaType<std::string> {
  static std::string text() { return "str"; }
};
template <class T>
struct SchemaType<std::vector<T>> {
  static std::string text() { return SchemaType<T>::text() + "[]"; }
};
template <class T>
  requires is_result_list<T>
struct SchemaType<std::optional<T>> {
  static std::string text() { return SchemaType<T>::text() + "?"; }
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

// Each schema type has exactly one C++ type, the one that emitted code uses. Similar types that callers may pass are
// rejected here, since they are passed in other registers.
template <class T>
constexpr bool is_passed_by_reference = std::is_same_v<T, Tensor> || std::is_same_v<T, std::optional<Tensor>> ||
                                        std::is_same_v<T, Scalar> || std::is_same_v<T, std::optional<Scalar>>;

/// Whether kernels can have a parameter of this type.
template <class T>
constexpr bool is_kernel_parameter =
    is_passed_by_reference<std::remove_cvref_t<T>>
        ? std::is_same_v<T, const std::remove_cvref_t<T>&> || std::is_same_v<T, Tensor&>
        : std::is_same_v<T, std::remove_cvref_t<T>> && !std::is_same_v<T, std::optional<IntArrayRef>>;

/// Whether kernels can have a result of this type.
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

/// Throws Error unless the schema of the operator has these types.
STRUCTURED_API void check_signature(const OperatorBase& op, const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& results);

template <class Signature>
struct SignatureCheck;
template <class R, class... A>
struct SignatureCheck<R(A...)> {
  static_assert((is_kernel_parameter<A> && ...),
                "expected parameters as kernels have them: `const T&` for a tensor, a scalar and an optional of these, "
                "`Tensor&` for a mutable tensor, OptionalIntArrayRef for `int[]?`, and values for all else");
  static_assert(is_kernel_result<R>,
                "expected results as kernels have them: `Tensor&` for a mutable tensor, std::vector for a "
                "list, and values for all else");

  static void check(const OperatorBase& op) {
    check_signature(op, {SchemaType<A>::text()...}, SchemaResults<R>::texts());
  }
};

}  // namespace detail

/// Operator of a handle, whose kernels have type `Signature`: arguments in schema order, with the types of
/// <structured/operators.h>.
///
///     auto& relu = typed_operator<Tensor(const Tensor&)>(*structured::find_operator("aten::relu"));
///     relu.register_kernel(Backend::PrivateUse1, my_relu, __FILE__, __LINE__);
///
/// Throws Error, with the schema, if the kernels of the operator have another type. A type that no kernel can have does
/// not compile.
template <class Signature>
Operator<Signature>& typed_operator(const OperatorHandle& handle) {
  detail::SignatureCheck<Signature>::check(handle.table());
  // Handles are constant; the operators that they refer to are not.
  return static_cast<Operator<Signature>&>(const_cast<OperatorBase&>(handle.table()));
}

}  // namespace structured

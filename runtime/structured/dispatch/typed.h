#pragma once
// An operator as C++ knows it, found by name: to register kernels by hand, and to call it without a stack.
#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "structured/core/array_ref.h"
#include "structured/core/export.h"
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

/// Throws Error unless the operator's schema has these types.
STRUCTURED_API void check_signature(const OperatorBase& op, const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& results);

template <class Signature>
struct SignatureCheck;
template <class R, class... A>
struct SignatureCheck<R(A...)> {
  static void check(const OperatorBase& op) {
    check_signature(op, {SchemaType<A>::text()...}, SchemaResults<R>::texts());
  }
};

}  // namespace detail

/// The operator behind a handle, whose kernels are of type `Signature`: arguments in schema order, those that are
/// written as `Tensor&`.
///
///     auto& relu = typed_operator<Tensor(const Tensor&)>(*structured::find_operator("aten::relu"));
///     relu.register_kernel(Backend::PrivateUse1, my_relu, __FILE__, __LINE__);
///
/// Throws Error, which quotes the schema, if the operator's kernels are of another type.
template <class Signature>
Operator<Signature>& typed_operator(const OperatorHandle& handle) {
  detail::SignatureCheck<Signature>::check(*handle.op);
  // Handles are constant, the operators behind them are not: their tables are there to be filled.
  return static_cast<Operator<Signature>&>(const_cast<OperatorBase&>(*handle.op));
}

}  // namespace structured

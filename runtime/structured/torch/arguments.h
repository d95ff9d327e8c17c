#pragma once
// Tensors among the arguments of a call, and conversions of arguments.
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/util/OptionalArrayRef.h>

#include <type_traits>

#if __has_include(<c10/util/Optional.h>)
#include <c10/util/Optional.h>
#else  // libtorch removed its alias of std::optional
#include <optional>
namespace c10 {
using std::nullopt;
using std::optional;
}  // namespace c10
#endif

namespace structured::torch {

/// Whether arguments of this type are lists of tensors, or optional tensors or lists. The schema says whether an
/// operator writes to such an argument; its type does not.
template <class Argument>
inline constexpr bool is_collection_of_tensors =
    std::is_same_v<Argument, at::TensorList> || std::is_same_v<Argument, at::ITensorListRef> ||
    std::is_same_v<Argument, c10::List<c10::optional<at::Tensor>>>;
template <class Element>
inline constexpr bool is_collection_of_tensors<c10::optional<Element>> =
    std::is_same_v<Element, at::Tensor> || is_collection_of_tensors<Element>;

/// Calls `visit(tensor)` for the tensors of an argument of any type. Skips empty optionals.
template <class Argument, class Visit>
void visit_tensors(const Argument& argument, const Visit& visit) {
  if constexpr (std::is_same_v<Argument, at::Tensor>) {
    visit(argument);
  } else if constexpr (requires {
                         argument.has_value();
                         *argument;
                       }) {
    if (argument.has_value()) visit_tensors(*argument, visit);
  } else if constexpr (std::is_same_v<Argument, at::TensorList> || std::is_same_v<Argument, at::ITensorListRef>) {
    for (const at::Tensor& tensor : argument) visit(tensor);
  } else if constexpr (std::is_same_v<Argument, c10::List<c10::optional<at::Tensor>>>) {
    for (const c10::optional<at::Tensor>& tensor : argument.vec()) {
      if (tensor.has_value()) visit(*tensor);
    }
  }
}

/// Returns the device of the first defined tensor or of the first device among the arguments.
template <class... Arguments>
c10::optional<at::Device> device_of(const Arguments&... arguments) {
  c10::optional<at::Device> device;
  const auto look_at = [&](const auto& argument) {
    using Argument = std::remove_cvref_t<decltype(argument)>;
    if constexpr (std::is_same_v<Argument, at::Device> || std::is_same_v<Argument, c10::optional<at::Device>>) {
      if (!device) device = argument;
    } else {
      visit_tensors(argument, [&](const at::Tensor& tensor) {
        if (!device && tensor.defined()) device = tensor.device();
      });
    }
  };
  (look_at(arguments), ...);
  return device;
}

/// Returns a reference to the tensor, empty if there is none or it is undefined.
inline at::OptionalTensorRef reference_to(const c10::optional<at::Tensor>& tensor) {
  return tensor.has_value() && tensor->defined() ? at::OptionalTensorRef(*tensor) : at::OptionalTensorRef();
}
inline at::OptionalScalarRef reference_to(const c10::optional<at::Scalar>& scalar) {
  return scalar.has_value() ? at::OptionalScalarRef(&*scalar) : at::OptionalScalarRef();
}
template <class T>
c10::optional<c10::ArrayRef<T>> reference_to(c10::OptionalArrayRef<T> list) {
  return list.has_value() ? c10::optional<c10::ArrayRef<T>>(*list) : c10::nullopt;
}

}  // namespace structured::torch

// Calls of the CPU's operators with tensors of the device.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <structured/torch.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "device.h"

namespace delegates {

/// Boxes arguments. A tensor that is an argument twice is one tensor on the host, too.
class HostArguments {
 public:
  c10::IValue box(const at::Tensor& tensor) {
    for (const auto& [device, host] : tensors_) {
      if (device.is_same(tensor)) return host;
    }
    tensors_.emplace_back(tensor, host_device::on_host(tensor));
    return tensors_.back().second;
  }
  c10::IValue box(at::OptionalTensorRef tensor) { return tensor.has_value() ? box(*tensor) : c10::IValue(); }
  c10::IValue box(const at::ITensorListRef& tensors) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& tensor : tensors) list.push_back(box(tensor).toTensor());
    return list;
  }
  c10::IValue box(const at::IOptTensorListRef& tensors) {
    c10::List<std::optional<at::Tensor>> list;
    for (const at::OptionalTensorRef& tensor : tensors) {
      list.push_back(tensor.has_value() ? std::optional(box(*tensor).toTensor()) : std::nullopt);
    }
    return list;
  }
  c10::IValue box(at::OptionalScalarRef number) {
    return number.has_value() ? c10::IValue(number.get()) : c10::IValue();
  }
  c10::IValue box(std::string_view text) { return std::string(text); }
  c10::IValue box(const std::optional<at::Generator>&) { return {}; }
  template <class T>
  c10::IValue box(c10::ArrayRef<T> list) {
    return list.vec();
  }
  template <class T>
  c10::IValue box(c10::OptionalArrayRef<T> list) {
    return list.has_value() ? box(*list) : c10::IValue();
  }
  template <class T>
  c10::IValue box(const std::optional<T>& value) {
    return value.has_value() ? box(*value) : c10::IValue();
  }
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, at::Scalar>)
  c10::IValue box(const T& value) {
    return value;
  }

 private:
  std::vector<std::pair<at::Tensor, at::Tensor>> tensors_;
};

/// Calls the out= operator of the CPU.
template <class... Arguments>
void delegate(const char* name, const char* overload, const Arguments&... arguments) {
  HostArguments host;
  torch::jit::Stack stack;
  (stack.push_back(host.box(arguments)), ...);
  c10::Dispatcher::singleton().findSchemaOrThrow(name, overload).callBoxed(stack);
}

}  // namespace delegates

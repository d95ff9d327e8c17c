#include "structured/iterator/cpu_fallback.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/core/names.h"
#include "structured/dispatch/schema.h"
#include "structured/iterator/copy.h"
#include "structured/kernel/resize.h"

namespace structured {
namespace {

// Keeps the order of dimensions of a dense `tensor`.
Tensor copy_to(Device device, const Tensor& tensor) {
  const TensorOptions options = tensor.options().device(device);
  const Tensor copy = tensor.is_non_overlapping_and_dense()
                          ? detail::empty_strided(tensor.sizes(), tensor.strides(), options)
                          : detail::empty(tensor.sizes(), options);
  copy_into(copy, tensor);
  if (tensor.has_names()) {
    set_names(copy, tensor.names());
  }
  return copy;
}

class CpuCall {
 public:
  CpuCall(const BoxedCall& call, Stack& stack) : call_(call), stack_(stack) {}

  void run() {
    const SchemaText schema = read_schema(call_.op().schema());
    for (const SchemaArgument& result : schema.returns) {
      STRUCTURED_CHECK(result.is_mutable() || result.alias.empty(), "`", call_.op().name(), "` has no kernel on ",
                       call_.intercepted_by(),
                       ", and cpu_fallback cannot compute it: it returns a view of its argument; register a kernel");
    }
    const Stack arguments = stack_;
    for (std::size_t i = 0; i < stack_.size(); ++i) {
      stack_[i] = on_cpu(stack_[i]);
    }
    // The CPU call would return to this fallback.
    STRUCTURED_CHECK(!copies_.empty() || (device_ && !device_->is_cpu()), "`", call_.op().name(), "` has no kernel on ",
                     call_.intercepted_by(), ", and cpu_fallback cannot compute it: its arguments are on cpu already");
    call_.proceed(stack_);
    for (std::size_t i = 0; i < arguments.size() && i < schema.arguments.size(); ++i) {
      if (schema.arguments[i].is_mutable()) {
        write_back(arguments[i]);
      }
    }
    for (Value& result : stack_) {
      result = on_device(result);
    }
  }

 private:
  struct Pair {
    Tensor original;
    Tensor copy;
  };

  // Copies each tensor once, even if several arguments refer to it.
  Tensor on_cpu(const Tensor& tensor) {
    if (!tensor.defined() || tensor.is_cpu()) {
      return tensor;
    }
    if (!device_) {
      device_ = tensor.device();
    }
    const auto found =
        std::find_if(copies_.begin(), copies_.end(), [&](const Pair& pair) { return pair.original.is_same(tensor); });
    return found != copies_.end() ? found->copy : copies_.emplace_back(Pair{tensor, copy_to(kCPU, tensor)}).copy;
  }

  Value on_cpu(const Value& value) {
    switch (value.kind()) {
      case Value::Kind::tensor:
        return on_cpu(value.to_tensor());
      case Value::Kind::tensor_list: {
        std::vector<Tensor> tensors;
        for (const Tensor& tensor : value.to_tensor_list()) tensors.push_back(on_cpu(tensor));
        return tensors;
      }
      case Value::Kind::optional_tensor_list: {
        std::vector<std::optional<Tensor>> tensors;
        for (const std::optional<Tensor>& tensor : value.to_optional_tensor_list()) {
          tensors.push_back(tensor ? std::optional(on_cpu(*tensor)) : std::nullopt);
        }
        return tensors;
      }
      case Value::Kind::device:
        if (!device_) {
          device_ = value.to_device();
        }
        return Device(kCPU);
      default:
        return value;
    }
  }

  void write_back(const Value& argument) {
    if (argument.is(Value::Kind::tensor)) {
      write_back(argument.to_tensor());
    } else if (argument.is(Value::Kind::tensor_list)) {
      for (const Tensor& tensor : argument.to_tensor_list()) write_back(tensor);
    }
  }

  void write_back(const Tensor& original) {
    for (const Pair& pair : copies_) {
      if (pair.original.is_same(original)) {
        if (original.sizes() != pair.copy.sizes()) {  // the CPU kernel has already warned
          resize_strided(original, pair.copy.sizes(), pair.copy.strides());
        }
        copy_into(original, pair.copy);
        if (original.has_names() || pair.copy.has_names()) {
          set_names(original, pair.copy.names());
        }
        original.bump_version();
      }
    }
  }

  // A copy of a mutable argument maps back to the argument.
  Tensor on_device(const Tensor& tensor) const {
    if (!tensor.defined() || !device_ || device_->is_cpu()) {
      return tensor;
    }
    for (const Pair& pair : copies_) {
      if (pair.copy.is_same(tensor)) {
        return pair.original;
      }
    }
    return tensor.is_cpu() ? copy_to(*device_, tensor) : tensor;
  }

  Value on_device(const Value& value) const {
    if (value.is(Value::Kind::tensor)) {
      return on_device(value.to_tensor());
    }
    if (value.is(Value::Kind::tensor_list)) {
      std::vector<Tensor> tensors;
      for (const Tensor& tensor : value.to_tensor_list()) tensors.push_back(on_device(tensor));
      return tensors;
    }
    return value;
  }

  const BoxedCall& call_;
  Stack& stack_;
  std::optional<Device> device_;
  std::vector<Pair> copies_;
};

}  // namespace

void cpu_fallback(const BoxedCall& call, Stack& stack) { CpuCall(call, stack).run(); }

}  // namespace structured

#include "on_device.h"

#include <structured/core/factory.h>
#include <structured/core/names.h>
#include <structured/iterator/copy.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace structured::replay {
namespace {

class Mover {
 public:
  explicit Mover(Device device) : device_(device) {}

  Value operator()(const Value& value) {
    if (value.is(Value::Kind::tensor)) return moved(value.to_tensor());
    if (value.is(Value::Kind::tensor_list)) {
      std::vector<Tensor> tensors;
      for (const Tensor& tensor : value.to_tensor_list()) tensors.push_back(moved(tensor));
      return tensors;
    }
    if (value.is(Value::Kind::optional_tensor_list)) {
      std::vector<std::optional<Tensor>> tensors;
      for (const std::optional<Tensor>& tensor : value.to_optional_tensor_list()) {
        tensors.push_back(tensor ? std::optional(moved(*tensor)) : std::nullopt);
      }
      return tensors;
    }
    return value;
  }

 private:
  // Wrapped numbers stay on the CPU, as the numbers that they stand for.
  Tensor moved(const Tensor& tensor) {
    if (!tensor.defined() || tensor.device() == device_ || tensor.is_wrapped_number()) return tensor;
    const auto known = std::ranges::find_if(moved_, [&](const auto& pair) { return pair.first.is_same(tensor); });
    if (known != moved_.end()) return known->second;
    // The bytes before the first element and between elements move, too, so that the layout stays.
    std::int64_t count = tensor.numel() == 0 ? 0 : 1;
    for (std::size_t d = 0; d < tensor.sizes().size() && count != 0; ++d) {
      count += (tensor.sizes()[d] - 1) * tensor.strides()[d];
    }
    count += tensor.storage_offset();
    const auto stored = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
    count = std::min(count, stored);
    const Tensor base = empty({count}, tensor.options().device(device_));
    if (count != 0) copy_into(base, as_strided(tensor, {count}, {1}, 0));
    const Tensor result = as_strided(base, tensor.sizes(), tensor.strides(), tensor.storage_offset());
    if (tensor.has_names()) set_names(result, tensor.names());
    moved_.emplace_back(tensor, result);
    return result;
  }

  Device device_;
  std::vector<std::pair<Tensor, Tensor>> moved_;
};

}  // namespace

Stack on_device(const Stack& values, Device device) {
  Mover mover(device);
  Stack result;
  for (const Value& value : values) result.push_back(mover(value));
  return result;
}

Stack arguments_on_device(const Stack& arguments, const std::vector<SchemaArgument>& schema, Device device) {
  Stack result = on_device(arguments, device);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (std::string_view(schema[i].type).starts_with("Device")) result[i] = device;
  }
  return result;
}

}  // namespace structured::replay

#include "on_device.h"

#include <structured/core/factory.h>
#include <structured/core/names.h>
#include <structured/core/tensor_impl.h>
#include <structured/iterator/copy.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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
    const auto known = std::ranges::find_if(tensors_, [&](const auto& pair) { return pair.first.is_same(tensor); });
    if (known != tensors_.end()) return known->second;
    const Tensor base = in_storage_of(moved_bytes(tensor), tensor.scalar_type());
    const Tensor result = as_strided(base, tensor.sizes(), tensor.strides(), tensor.storage_offset());
    if (tensor.has_names()) set_names(result, tensor.names());
    tensors_.emplace_back(tensor, result);
    return result;
  }

  // Moves all bytes of a storage once, so that the layout stays and tensors that share memory still do.
  Tensor moved_bytes(const Tensor& tensor) {
    const auto known =
        std::ranges::find_if(bytes_, [&](const auto& pair) { return pair.first.storage().is_same(tensor.storage()); });
    if (known != bytes_.end()) return known->second;
    const auto count = static_cast<int64_t>(tensor.storage().nbytes());
    const Tensor bytes = empty({count}, TensorOptions(kByte).device(device_));
    if (count != 0) copy_into(bytes, as_strided(in_storage_of(tensor, kByte), {count}, {1}, 0));
    bytes_.emplace_back(tensor, bytes);
    return bytes;
  }

  // Returns a tensor of this dtype without dimensions, at the beginning of the storage of `tensor`.
  static Tensor in_storage_of(const Tensor& tensor, ScalarType dtype) {
    return Tensor::adopt(TensorImpl::create(tensor.storage(), tensor.device(), dtype));
  }

  Device device_;
  std::vector<std::pair<Tensor, Tensor>> tensors_;
  std::vector<std::pair<Tensor, Tensor>> bytes_;  // the first tensor of each storage, and the bytes on the device
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
    if (schema[i].base == schema::Type::Base::Device) result[i] = device;
  }
  return result;
}

}  // namespace structured::replay

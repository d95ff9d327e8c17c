#include "structured/check/copied_arguments.h"

#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "structured/core/tensor.h"

namespace structured::detail {
namespace {

class Copier {
 public:
  explicit Copier(DeviceType type) : device_(type) {}

  Value copy(const Value& value) {
    switch (value.kind()) {
      case Value::Kind::tensor:
        return copy(value.to_tensor());
      case Value::Kind::tensor_list: {
        std::vector<Tensor> copies;
        for (const Tensor& tensor : value.to_tensor_list()) copies.push_back(copy(tensor));
        return copies;
      }
      case Value::Kind::optional_tensor_list: {
        std::vector<std::optional<Tensor>> copies;
        for (const std::optional<Tensor>& tensor : value.to_optional_tensor_list()) {
          copies.push_back(tensor ? std::optional(copy(*tensor)) : std::nullopt);
        }
        return copies;
      }
      case Value::Kind::device:
        return device_.is_meta() ? Value(device_) : value;
      default:
        return value;
    }
  }

 private:
  Tensor copy(const Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    const auto [found, is_new] = tensors_.try_emplace(tensor.impl());
    if (is_new) {
      Tensor made = Tensor::adopt(TensorImpl::create(copy(tensor.storage()), device_, tensor.dtype()));
      made.impl()->set_sizes_and_strides(tensor.sizes(), tensor.strides());
      made.impl()->set_storage_offset(tensor.storage_offset());
      made.impl()->set_wrapped_number(tensor.is_wrapped_number());
      if (tensor.has_names()) made.impl()->set_names(tensor.names());
      found->second = std::move(made);
    }
    return found->second;
  }

  Storage copy(const Storage& storage) {
    for (const auto& [original, made] : storages_) {
      if (original.is_same(storage)) return made;
    }
    Storage made(storage.nbytes(), device_);
    if (!device_.is_meta() && storage.nbytes() != 0) std::memcpy(made.data(), storage.data(), storage.nbytes());
    storages_.emplace_back(storage, made);
    return made;
  }

  Device device_;
  std::map<const TensorImpl*, Tensor> tensors_;
  std::vector<std::pair<Storage, Storage>> storages_;
};

}  // namespace

Stack copied_arguments(const Stack& arguments, DeviceType type) {
  Copier copier(type);
  Stack copies;
  for (const Value& value : arguments) copies.push_back(copier.copy(value));
  return copies;
}

}  // namespace structured::detail

#include "structured/program/unpickle.h"

#include <string_view>
#include <utility>

#include "structured/base/error.h"
#include "structured/core/dim_vector.h"
#include "structured/core/quantizer.h"
#include "structured/program/storage_class.h"
#include "structured/program/stored_tensor.h"

namespace structured::program {
namespace {

using Index = PickleValue::Index;
using Kind = PickleValue::Kind;

}  // namespace

const Storage& ArchiveStorages::read(const std::string& member) {
  const auto known = storages_.find(member);
  if (known != storages_.end()) return known->second;
  return storages_.emplace(member, stored_bytes(file_, archive_.read(member))).first->second;
}

template <class... Parts>
void Unpickler::fail_here(const Parts&... parts) const {
  fail(pickle_.name(), ": ", parts...);
}

const PickleValue& Unpickler::expect(Index index, Kind kind, const char* what) const {
  const PickleValue& value = pickle_[index];
  if (value.kind != kind) fail_here("expected ", what);
  return value;
}

void Unpickler::take(std::size_t bytes) const {
  if (!storages_.budget().take(bytes)) fail_here("expected fewer values that share the bytes of the file");
}

std::vector<DynamicValue> Unpickler::read_all(const std::vector<Index>& indices) {
  std::vector<DynamicValue> values;
  values.reserve(indices.size());
  for (const Index index : indices) values.push_back(read(index));
  return values;
}

DynamicValue Unpickler::read(Index index) {
  const auto [entry, is_new] = made_.try_emplace(index);
  std::optional<DynamicValue>& made = entry->second;
  if (!is_new) {
    if (!made) fail_here("expected values that do not contain themselves");
    return *made;
  }
  if (++depth_ > kMaxNestedValues) fail_here("expected at most ", kMaxNestedValues, " nested values, found more");
  made = make(index);
  --depth_;
  return *made;
}

DynamicValue Unpickler::make(Index index) {
  const PickleValue& value = pickle_[index];
  switch (value.kind) {
    case Kind::none:
      return {};
    case Kind::boolean:
      return value.integer != 0;
    case Kind::integer:
      return value.integer;
    case Kind::real:
      return value.real;
    case Kind::string:
      return value.text;
    case Kind::tuple:
      return make_tuple(read_all(value.children));
    case Kind::list:
      return make_list(read_all(value.children));
    case Kind::dict: {
      const auto dict = std::make_shared<DynamicDict>();
      for (std::size_t i = 0; i + 1 < value.children.size(); i += 2) {
        const DynamicValue key = read(value.children[i]);
        dict->items.emplace_back(key, read(value.children[i + 1]));
      }
      return dict;
    }
    case Kind::object:
      return object(value);
    case Kind::call:
      return call(value);
    case Kind::global:
    case Kind::persistent:
      break;
  }
  fail_here("expected a value, found the name of a class or a storage");
}

DynamicValue Unpickler::object(const PickleValue& value) {
  const PickleValue& name = pickle_[value.children[0]];
  const auto object = std::make_shared<DynamicObject>();
  take(name.module.size() + name.text.size());
  object->class_name = std::string(name.module) + "." + std::string(name.text);
  if (value.children.size() == 2) return object;
  const PickleValue& state = pickle_[value.children[2]];
  if (state.kind != Kind::dict) {
    if (!restore_) {
      fail_here("objects of class `", object->class_name,
                "` are not supported: expected attributes, found a state for `__setstate__`");
    }
    return restore_(object, read(value.children[2]));
  }
  for (std::size_t i = 0; i + 1 < state.children.size(); i += 2) {
    const std::string_view attribute = expect(state.children[i], Kind::string, "names of attributes").text;
    take(sizeof(std::string) + attribute.size() + sizeof(DynamicValue));
    object->names.emplace_back(attribute);
    object->attributes.push_back(read(state.children[i + 1]));
  }
  return object;
}

DynamicValue Unpickler::call(const PickleValue& value) {
  const PickleValue& function = pickle_[value.children[0]];
  const std::vector<Index>& arguments = pickle_[value.children[1]].children;
  const std::string name = std::string(function.module) + "." + std::string(function.text);
  if (name == "torch._utils._rebuild_tensor_v2") return tensor(arguments, kAllTypes);
  if (name == "torch._utils._rebuild_parameter" && arguments.size() >= 2) {
    const DynamicValue parameter = read(arguments[0]);
    mark(parameter.to_tensor(), arguments[1]);
    return parameter;
  }
  if (name == "torch.Size" && arguments.size() == 1) return read(arguments[0]);
  if (name == "torch._utils._rebuild_qtensor") return quantized_tensor(arguments);
  if (name == "collections.OrderedDict" && arguments.empty()) return std::make_shared<DynamicDict>();
  if (name == "torch.device" && !arguments.empty()) {
    return stored_device(expect(arguments[0], Kind::string, "the name of a device").text, pickle_.name());
  }
  if (name == "torch.jit._pickle.restore_type_tag" && arguments.size() == 2) return read(arguments[0]);
  if (name.starts_with("torch.jit._pickle.build_") && name.ends_with("list") && arguments.size() == 1) {
    return read(arguments[0]);
  }
  fail_here("calls of `", name, "` are not supported");
}

std::vector<int64_t> Unpickler::dims(Index index) const {
  std::vector<int64_t> result;
  const std::vector<Index>& children = expect(index, Kind::tuple, "a tuple of sizes or strides").children;
  if (children.size() > kMaxDims) fail_here("expected at most ", kMaxDims, " dimensions, found ", children.size());
  for (const Index child : children) {
    result.push_back(expect(child, Kind::integer, "integers as sizes and strides").integer);
  }
  return result;
}

Tensor Unpickler::tensor(const std::vector<Index>& arguments, ScalarTypeSet types) {
  // (storage, offset, sizes, strides, requires_grad, hooks)
  if (arguments.size() < 4) fail_here("expected a tensor's storage, offset, sizes and strides");
  const PickleValue& reference = expect(arguments[0], Kind::persistent, "a reference to a storage");
  // ("storage", class, key, device, number of elements)
  const PickleValue& identifier = expect(reference.children[0], Kind::tuple, "a tuple that names a storage");
  if (identifier.children.size() != 5) fail_here("expected 5 values that name a storage");
  const std::string_view class_name = expect(identifier.children[1], Kind::global, "the class of a storage").text;
  const std::string key(expect(identifier.children[2], Kind::string, "the name of a storage").text);
  const ScalarType dtype = dtype_of_storage(class_name);
  if (dtype == ScalarType::Undefined) fail_here("storages of class `", class_name, "` are not supported");
  if (!types.contains(dtype)) fail_here("expected a tensor of another dtype than ", dtype);
  const int64_t offset = expect(arguments[1], Kind::integer, "an integer as storage offset").integer;
  const Tensor result = stored_tensor(storages_.read(folder_ + key), dtype, dims(arguments[2]), dims(arguments[3]),
                                      offset, pickle_.name() + ": tensor in `" + key + "`");
  if (arguments.size() > 4 && !kQuantizedTypes.contains(dtype)) mark(result, arguments[4]);
  return result;
}

void Unpickler::mark(const Tensor& tensor, Index requires_grad) const {
  if (require_gradient_ == nullptr) return;
  if (expect(requires_grad, Kind::boolean, "whether a tensor requires gradients").integer == 0) return;
  if (!is_floating(tensor.dtype()) && !is_complex(tensor.dtype())) {
    fail_here("expected a floating-point or complex tensor that requires gradients, found ", tensor.dtype());
  }
  require_gradient_(tensor);
}

Tensor Unpickler::quantized_tensor(const std::vector<Index>& arguments) {
  // (storage, offset, sizes, strides, parameters, requires_grad, hooks)
  if (arguments.size() < 5) fail_here("expected a scale and a zero point of a quantized tensor");
  const Tensor result = tensor(arguments, kQuantizedTypes);
  const std::vector<Index>& parameters =
      expect(arguments[4], Kind::tuple, "a tuple of a scale and a zero point").children;
  if (parameters.empty()) fail_here("expected the scheme of a quantized tensor");
  const std::string_view scheme = expect(parameters[0], Kind::global, "the scheme of a quantized tensor").text;
  try {
    if (scheme == "per_tensor_affine" && parameters.size() == 3) {
      set_quantizer(result, expect(parameters[1], Kind::real, "a scale").real,
                    expect(parameters[2], Kind::integer, "a zero point").integer);
    } else if (scheme == "per_channel_affine" && parameters.size() == 4) {
      set_quantizer(result, read(parameters[1]).to_tensor(), read(parameters[2]).to_tensor(),
                    expect(parameters[3], Kind::integer, "a dimension").integer);
    } else {
      structured::fail("tensors quantized by `", scheme, "` with ", parameters.size() - 1,
                       " parameters are not supported");
    }
  } catch (const Error& error) {
    fail_here(error.what());
  }
  return result;
}

}  // namespace structured::program

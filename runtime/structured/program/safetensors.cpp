#include "structured/program/safetensors.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "structured/base/error.h"
#include "structured/core/dim_vector.h"
#include "structured/program/json.h"
#include "structured/program/stored_tensor.h"

namespace structured {
namespace program {
namespace {

Tensor read_entry(const JsonValue& entry, const std::shared_ptr<detail::FileBytes>& file, std::string_view data,
                  const std::string& where) {
  const std::string_view name = entry["dtype"].string();
  const schema::Dtype* const dtype = schema::find_dtype(
      [&](const schema::Dtype& row) { return row.safetensors != nullptr && row.safetensors == name; });
  if (dtype == nullptr) entry["dtype"].fail_here("expected a dtype that tensors have, found `", name, "`");
  const JsonValue shape = entry["shape"], offsets = entry["data_offsets"];
  if (shape.size() > kMaxDims) shape.fail_here("expected at most ", kMaxDims, " dimensions, found ", shape.size());
  DimVector sizes(shape.size(), 0), strides(shape.size(), 1);
  int64_t stride = 1;
  bool is_too_much = false;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    sizes[d] = shape[d].integer();
    strides[d] = stride;
    is_too_much |= __builtin_mul_overflow(stride, std::max<int64_t>(sizes[d], 1), &stride);
  }
  if (is_too_much) shape.fail_here("expected a number of elements that int64 holds, found more");
  const int64_t begin = offsets[0].integer(), end = offsets[1].integer();
  if (begin < 0 || end < begin || static_cast<std::size_t>(end) > data.size()) {
    offsets.fail_here("expected offsets within ", data.size(), " bytes, found ", begin, " and ", end);
  }
  const std::string_view bytes = data.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  const Storage storage = stored_bytes(file, bytes);
  return stored_tensor(storage, scalar_type_of_row(dtype), sizes, strides, 0, where);
}

}  // namespace

NamedTensors read_safetensors(const std::shared_ptr<detail::FileBytes>& file, const std::string& name) {
  constexpr std::size_t kLengthBytes = 8;
  const std::string_view bytes = file->view();
  STRUCTURED_CHECK(bytes.size() >= kLengthBytes, name, ": expected a safetensors file of at least ", kLengthBytes,
                   " bytes, found ", bytes.size());
  uint64_t header_bytes = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) header_bytes = header_bytes << 8 | static_cast<unsigned char>(bytes[i]);
  STRUCTURED_CHECK(header_bytes <= bytes.size() - kLengthBytes, name, ": expected a header of at most ",
                   bytes.size() - kLengthBytes, " bytes, found ", header_bytes);
  const JsonDocument header(bytes.substr(kLengthBytes, header_bytes), name);
  const std::string_view data = bytes.substr(kLengthBytes + header_bytes);
  NamedTensors result;
  header.root().for_each_member([&](std::string_view key, const JsonValue& entry) {
    if (key == "__metadata__") return;
    const std::string where = name + ": tensor `" + std::string(key) + "`";
    result.emplace_back(std::string(key), read_entry(entry, file, data, where));
  });
  return result;
}

}  // namespace program

NamedTensors load_safetensors(const std::string& path) {
  return program::read_safetensors(detail::FileBytes::map(path), path);
}

}  // namespace structured

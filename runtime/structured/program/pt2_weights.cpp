#include "structured/program/pt2_weights.h"

#include <utility>

#include "structured/base/error.h"
#include "structured/core/dim_vector.h"
#include "structured/program/stored_tensor.h"

namespace structured::program {
namespace {

DimVector dims(const JsonValue& list) {
  if (list.size() > kMaxDims) list.fail_here("expected at most ", kMaxDims, " dimensions, found ", list.size());
  DimVector result;
  for (std::size_t i = 0; i < list.size(); ++i) result.push_back(list[i]["as_int"].integer());
  return result;
}

}  // namespace

ScalarType pt2_dtype(const JsonValue& number) {
  const int64_t found = number.integer();
  const schema::Dtype* const dtype =
      schema::find_dtype([&](const schema::Dtype& row) { return row.exported >= 0 && row.exported == found; });
  if (dtype == nullptr) number.fail_here("expected the number of a dtype that tensors have, found ", found);
  return scalar_type_of_row(dtype);
}

Layout pt2_layout(const JsonValue& number) {
  const int64_t index = number.integer();
  if (index != 7) number.fail_here("expected the number 7 of the layout Strided, found ", index);
  return kStrided;
}

MemoryFormat pt2_memory_format(const JsonValue& number) {
  switch (const int64_t found = number.integer()) {
#define STRUCTURED_MEMORY_FORMAT(enumerator, word, exported) \
  case exported:                                             \
    return MemoryFormat::enumerator;
#include "structured/schema/enumerations.def"
    default:
      number.fail_here("expected the number of a memory format from 1 to 4, found ", found);
  }
}

Device pt2_device(const JsonValue& device) {
  const std::string name(device["type"].string());
  const int64_t index = device.has("index") && !device["index"].is_null() ? device["index"].integer() : -1;
  if (index < -1 || index > 127) device.fail_here("expected a device index from 0 to 127, found ", index);
  try {
    return Device(Device(name.c_str()).type(), static_cast<int8_t>(index));
  } catch (const Error& error) {
    device.fail_here(error.what());
  }
}

Pt2Weights::Pt2Weights(const detail::ZipArchive& archive, std::shared_ptr<detail::FileBytes> file, std::string root,
                       std::string_view model)
    : archive_(archive), file_(std::move(file)), root_(std::move(root)) {
  const std::string name(model);
  STRUCTURED_CHECK(archive_.find(root_ + "data/weights/" + name + ".pt") == nullptr, archive_.name(),
                   ": expected weights as raw bytes, found `data/weights/", name,
                   ".pt`: load and save the file by PyTorch 2.9 or later");
  add_group("data/weights/", name + "_weights_config.json");
  add_group("data/constants/", name + "_constants_config.json");
}

void Pt2Weights::add_group(std::string_view folder, std::string_view config) {
  const std::string path = root_ + std::string(folder) + std::string(config);
  if (archive_.find(path) == nullptr) return;
  groups_.push_back({root_ + std::string(folder), JsonDocument(archive_.read(path), archive_.name() + ": " + path)});
}

Tensor Pt2Weights::read(const std::string& name) {
  for (const Group& group : groups_) {
    const JsonValue payloads = group.config.root()["config"];
    if (payloads.has(name)) return read(group, payloads[name], name);
  }
  fail(archive_.name(), ": expected a tensor `", name, "` among weights and constants, found none");
}

Tensor Pt2Weights::read(const Group& group, const JsonValue& payload, const std::string& name) {
  if (payload["use_pickle"].boolean()) {
    payload.fail_here("expected raw bytes, found a pickled object, which is not supported");
  }
  const JsonValue meta = payload["tensor_meta"];
  pt2_layout(meta["layout"]);
  const DimVector sizes = dims(meta["sizes"]), strides = dims(meta["strides"]);
  return stored_tensor(storage(group.folder + std::string(payload["path_name"].string())), pt2_dtype(meta["dtype"]),
                       sizes, strides, meta["storage_offset"]["as_int"].integer(),
                       archive_.name() + ": tensor `" + name + "`");
}

const Storage& Pt2Weights::storage(const std::string& member) {
  const auto at = storages_.find(member);
  if (at != storages_.end()) return at->second;
  return storages_.emplace(member, stored_bytes(file_, archive_.read(member))).first->second;
}

}  // namespace structured::program

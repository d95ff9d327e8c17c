#include "structured/core/exported_memory.h"

#include <utility>

#include "structured/memory/exports.h"

namespace structured {

ExportedMemory::ExportedMemory(Tensor tensor) : tensor_(std::move(tensor)), data_(tensor_.storage().data()) {
  if (data_ != nullptr) detail::add_export(data_);
}

ExportedMemory::~ExportedMemory() {
  if (data_ != nullptr) detail::remove_export(data_);
}

}  // namespace structured

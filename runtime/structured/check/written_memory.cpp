#include "structured/check/written_memory.h"

#include <algorithm>
#include <cstddef>

#include "structured/base/error.h"
#include "structured/check/elements.h"

namespace structured::detail {
namespace {

// Marks the bytes of the tensor's elements in its storage.
void mark_elements(const Tensor& tensor, std::vector<bool>& bytes) {
  const std::size_t item = tensor.element_size();
  const std::size_t first = static_cast<std::size_t>(tensor.storage_offset()) * item;
  for_each_element(tensor, [&](std::size_t element) {
    const std::size_t begin = std::min(first + element, bytes.size());
    const std::size_t end = std::min(begin + item, bytes.size());
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.begin() + static_cast<std::ptrdiff_t>(end),
              true);
  });
}

}  // namespace

WrittenMemory::WrittenMemory(const SchemaText& schema, const Stack& originals, const Stack& copies) {
  const std::size_t count = std::min(schema.arguments.size(), copies.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<Tensor> tensors = tensors_in(originals[i]);
    const std::vector<Tensor> copied = tensors_in(copies[i]);
    for (std::size_t k = 0; k < tensors.size(); ++k) {
      if (!tensors[k].defined()) continue;
      arguments_.push_back({&schema.arguments[i], tensors[k], copied[k], copied[k].storage()});
    }
  }
}

void WrittenMemory::check(const OperatorBase& op) const {
  check_shapes(op);
  for (const Argument& argument : arguments_) check_storage(op, argument);
}

void WrittenMemory::check_shapes(const OperatorBase& op) const {
  for (const Argument& argument : arguments_) {
    const bool is_mutable = std::any_of(arguments_.begin(), arguments_.end(), [&](const Argument& other) {
      return other.description->is_mutable() && other.copy.is_same(argument.copy);
    });
    if (is_mutable) continue;
    const Tensor& before = argument.original;
    const Tensor& after = argument.copy;
    STRUCTURED_CHECK(before.sizes() == after.sizes() && before.strides() == after.strides(), "`", op.name(),
                     "`: the kernel changes the shape of its input `", argument.description->name, "`, from sizes ",
                     before.sizes(), " and strides ", before.strides(), " to sizes ", after.sizes(), " and strides ",
                     after.strides());
    STRUCTURED_CHECK(after.storage().is_same(argument.storage), "`", op.name(), "`: the kernel gives its input `",
                     argument.description->name, "` another storage");
  }
}

void WrittenMemory::check_storage(const OperatorBase& op, const Argument& first) const {
  const Storage& before = first.original.storage();
  const Storage& after = first.storage;
  const std::size_t size = std::min(before.nbytes(), after.nbytes());
  const auto* const old_bytes = static_cast<const unsigned char*>(before.data());
  const auto* const new_bytes = static_cast<const unsigned char*>(after.data());
  if (size == 0 || std::equal(old_bytes, old_bytes + size, new_bytes)) return;

  std::vector<bool> writable(size, false);
  for (const Argument& argument : arguments_) {
    if (!argument.description->is_mutable() || !argument.storage.is_same(after)) continue;
    mark_elements(argument.original, writable);
    if (argument.copy.storage().is_same(after)) mark_elements(argument.copy, writable);
  }
  std::size_t wrong = 0;
  while (wrong < size && (writable[wrong] || old_bytes[wrong] == new_bytes[wrong])) ++wrong;
  if (wrong == size) return;

  for (const Argument& argument : arguments_) {
    if (argument.description->is_mutable() || !argument.storage.is_same(after)) continue;
    std::vector<bool> readable(size, false);
    mark_elements(argument.original, readable);
    STRUCTURED_CHECK(!readable[wrong], "`", op.name(), "`: the kernel writes its input `", argument.description->name,
                     "`, which the schema does not declare as mutable");
  }
  fail("`", op.name(), "`: the kernel writes outside the elements of argument `", first.description->name,
       "`, of sizes ", first.original.sizes(), " and strides ", first.original.strides(), ", at byte ", wrong,
       " of its storage");
}

}  // namespace structured::detail

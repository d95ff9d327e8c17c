#include "structured/program/save_value.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/format/zip_writer.h"
#include "structured/memory/storage.h"
#include "structured/program/storage_class.h"

namespace structured::program {
namespace {

/// Name of a global: a class or a function of a module.
struct Global {
  std::string_view module;
  std::string_view name;
};

/// Pickles a value in protocol 2, with the opcodes that torch.load reads with `weights_only`, and collects its
/// storages.
class ValuePickler {
 public:
  explicit ValuePickler(const DynamicValue& value) {
    text_ = "\x80\x02";
    write(value);
    text_ += '.';
  }

  const std::string& text() const { return text_; }
  const std::vector<Storage>& storages() const { return storages_; }

 private:
  void write(const DynamicValue& value) {
    STRUCTURED_CHECK(++depth_ <= kMaxNestedValues, "save: expected at most ", kMaxNestedValues,
                     " nested values that do not contain themselves, got more");
    if (value.is_none()) {
      text_ += 'N';
    } else if (value.is<bool>()) {
      write_bool(value.to_bool());
    } else if (value.is<int64_t>()) {
      write_integer(value.to_int());
    } else if (value.is<double>()) {
      text_ += 'G';
      append(std::bit_cast<uint64_t>(value.to_double()), 8, std::endian::big);
    } else if (value.is_string()) {
      write_text(value.to_string());
    } else if (value.is<Device>()) {
      write_global({"torch", "device"});
      write_text(to_string(value.to_device().type()));
      text_ += "\x85R";
    } else if (value.is<Tensor>()) {
      write_tensor(value.to_tensor());
    } else if (value.is<DynamicValue::List>()) {
      write_list(value.to_list());
    } else if (value.is<DynamicValue::Tuple>()) {
      write_tuple(value.to_tuple());
    } else if (value.is<DynamicValue::Dict>()) {
      write_dict(value.to_dict());
    } else {
      fail("save: expected tensors, numbers, strings, lists, tuples and dictionaries, got ", value.type_name());
    }
    --depth_;
  }

  void write_list(const DynamicList& list) {
    if (recall(&list)) return;
    text_ += "](";
    for (const DynamicValue& element : list.elements) write(element);
    text_ += 'e';
    remember(&list);
  }

  void write_tuple(const DynamicTuple& tuple) {
    if (recall(&tuple)) return;
    text_ += '(';
    for (const DynamicValue& element : tuple.elements) write(element);
    text_ += 't';
    remember(&tuple);
  }

  void write_dict(const DynamicDict& dict) {
    if (recall(&dict)) return;
    text_ += "}(";
    for (const auto& [key, value] : dict.items) {
      write(key);
      write(value);
    }
    text_ += 'u';
    remember(&dict);
  }

  void write_tensor(const Tensor& tensor) {
    if (recall(tensor.impl())) return;
    STRUCTURED_CHECK(tensor.defined() && tensor.is_cpu(), "save: expected tensors on cpu, got one on ",
                     tensor.device());
    const std::string storage_class = storage_class_of(tensor.dtype());
    STRUCTURED_CHECK(!storage_class.empty() && !kQuantizedTypes.contains(tensor.dtype()), "save: tensors of dtype ",
                     tensor.dtype(), " cannot be written in PyTorch's format");
    write_global({"torch._utils", "_rebuild_tensor_v2"});
    text_ += "((";
    write_text("storage");
    write_global({"torch", storage_class});
    write_text(std::to_string(number_of_storage(tensor)));
    write_text("cpu");
    write_integer(static_cast<int64_t>(tensor.storage().nbytes() / item_size(tensor.dtype())));
    text_ += "tQ";
    write_integer(tensor.storage_offset());
    write_integers(tensor.sizes());
    write_integers(tensor.strides());
    write_bool(tensor.requires_grad());
    write_global({"collections", "OrderedDict"});
    text_ += ")RtR";
    remember(tensor.impl());
  }

  std::size_t number_of_storage(const Tensor& tensor) {
    const auto [entry, is_new] = numbers_.try_emplace(tensor.storage().data(), storages_.size(), tensor.dtype());
    const auto& [number, dtype] = entry->second;
    if (is_new || tensor.storage().nbytes() == 0) {
      storages_.push_back(tensor.storage());
      return storages_.size() - 1;
    }
    STRUCTURED_CHECK(dtype == tensor.dtype(), "save: expected tensors that share a storage to have one dtype, got ",
                     dtype, " and ", tensor.dtype(), "; clone one of them");
    return number;
  }

  void write_bool(bool value) { text_ += value ? '\x88' : '\x89'; }

  void write_integer(int64_t value) {
    if (value >= 0 && value <= 0xff) {
      text_ += 'K';
      append(static_cast<uint64_t>(value), 1);
    } else if (value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max()) {
      text_ += 'J';
      append(static_cast<uint64_t>(value), 4);
    } else {
      text_ += "\x8a\x08";
      append(static_cast<uint64_t>(value), 8);
    }
  }

  void write_integers(IntArrayRef values) {
    text_ += '(';
    for (const int64_t value : values) write_integer(value);
    text_ += 't';
  }

  void write_text(std::string_view text) {
    STRUCTURED_CHECK(text.size() <= std::numeric_limits<uint32_t>::max(),
                     "save: expected strings of less than 4 GiB, got one of ", text.size(), " bytes");
    text_ += 'X';
    append(text.size(), 4);
    text_ += text;
  }

  void write_global(const Global& global) {
    text_ += 'c';
    text_ += global.module;
    text_ += '\n';
    text_ += global.name;
    text_ += '\n';
  }

  /// Stores the value on top of the stack as that at `address`, which outlives this object.
  void remember(const void* address) {
    const std::size_t number = memo_.size();
    memo_.emplace(address, number);
    text_ += 'r';
    append(number, 4);
  }
  /// Writes a reference to a value that has been stored. Returns false if there is none.
  bool recall(const void* address) {
    const auto known = memo_.find(address);
    if (known == memo_.end()) return false;
    text_ += 'j';
    append(known->second, 4);
    return true;
  }

  void append(uint64_t value, int count, std::endian order = std::endian::little) {
    for (int i = 0; i < count; ++i) {
      const int byte = order == std::endian::little ? i : count - 1 - i;
      text_ += static_cast<char>(value >> (8 * byte) & 0xff);
    }
  }

  std::string text_;
  std::vector<Storage> storages_;
  std::unordered_map<const void*, std::pair<std::size_t, ScalarType>> numbers_;  // storages by their data
  std::unordered_map<const void*, std::size_t> memo_;
  int depth_ = 0;
};

}  // namespace

void save_value(const std::string& path, const DynamicValue& value) {
  const ValuePickler pickler(value);
  detail::write_archive(path, detail::kMappedAlignment, [&](detail::ZipWriter& zip) {
    const std::string root = "archive/";
    zip.add(root + "data.pkl", pickler.text());
    zip.add(root + ".format_version", "1");
    zip.add(root + ".storage_alignment", "64");
    zip.add(root + "byteorder", "little");
    for (std::size_t i = 0; i < pickler.storages().size(); ++i) {
      const Storage& storage = pickler.storages()[i];
      zip.add(root + "data/" + std::to_string(i), {static_cast<const char*>(storage.data()), storage.nbytes()});
    }
    zip.add(root + "version", "3\n");
  });
}

}  // namespace structured::program

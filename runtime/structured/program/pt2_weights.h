#pragma once
// Tensors of a `.pt2` archive. Only sources of this folder include this.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "structured/core/tensor.h"
#include "structured/format/files.h"
#include "structured/format/zip.h"
#include "structured/memory/storage.h"
#include "structured/program/json.h"

namespace structured::program {

/// Enumerators of the file format, which differ from those of ATen. Throw Error for numbers without a counterpart.
ScalarType pt2_dtype(const JsonValue& number);
Layout pt2_layout(const JsonValue& number);
MemoryFormat pt2_memory_format(const JsonValue& number);
Device pt2_device(const JsonValue& device);

/// Reads weights and constants by name. Tensors whose names share a file share a storage.
class Pt2Weights {
 public:
  /// `archive` outlives the object. `root` is the folder of all members, with a slash at its end, and `model` the name
  /// of the program.
  Pt2Weights(const detail::ZipArchive& archive, std::shared_ptr<detail::FileBytes> file, std::string root,
             std::string_view model);

  /// The tensor called `name`. Throws Error if there is none.
  Tensor read(const std::string& name);

 private:
  // A configuration file and the folder with its tensors.
  struct Group {
    std::string folder;
    JsonDocument config;
  };

  void add_group(std::string_view folder, std::string_view config);
  Tensor read(const Group& group, const JsonValue& payload, const std::string& name);
  const Storage& storage(const std::string& member);

  const detail::ZipArchive& archive_;
  std::shared_ptr<detail::FileBytes> file_;
  std::string root_;
  std::vector<Group> groups_;
  std::unordered_map<std::string, Storage> storages_;  // by member
};

}  // namespace structured::program

#pragma once
// Pickled data of TorchScript archives, read without executing anything.
#include <string>
#include <string_view>
#include <vector>

#include "structured/program/export.h"
#include "structured/program/pickle_reader.h"

namespace structured::program {

/// Values of a pickle. Values refer to each other by index, and may form cycles: readers limit their depth.
class STRUCTURED_PROGRAM_API Pickle {
 public:
  /// Reads `bytes`, which outlive the object, in protocol 2, with the opcodes that PyTorch writes. `name` names the
  /// pickle in errors. Throws Error, with the position, for other opcodes and for damaged data. Memory is proportional
  /// to the number of bytes.
  Pickle(std::string_view bytes, std::string name);

  const PickleValue& root() const { return values_[root_]; }
  PickleValue::Index root_index() const { return root_; }
  const PickleValue& operator[](PickleValue::Index index) const { return values_[index]; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::vector<PickleValue> values_;
  PickleValue::Index root_ = 0;
};

}  // namespace structured::program

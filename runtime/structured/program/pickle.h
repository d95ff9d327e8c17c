#pragma once
// Pickled data of TorchScript archives, read without executing anything.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "structured/program/export.h"

namespace structured::program {

/// A value in a pickle. Objects and calls are data: the classes and functions that they name are not looked up. The
/// text of all values views the pickle.
struct PickleValue {
  using Index = std::uint32_t;
  enum class Kind : std::uint8_t {
    none,
    boolean,     // integer
    integer,     // integer
    real,        // real
    string,      // text
    tuple,       // children
    list,        // children
    dict,        // children: keys and values in turn
    global,      // module and text
    call,        // children: function, tuple of arguments
    object,      // children: class, tuple of arguments, and the state if there is one
    persistent,  // children: the identifier
  };

  Kind kind = Kind::none;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view module;
  std::string_view text;
  std::vector<Index> children;
};

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
  friend class PickleReader;

  std::string name_;
  std::vector<PickleValue> values_;
  PickleValue::Index root_ = 0;
};

}  // namespace structured::program

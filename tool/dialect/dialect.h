// Dialects: how a target spells what the model says. `native` is our own runtime, `aten` is libtorch.
//
// A dialect has two halves. Its type table says which C++ type is which schema type; scan, check and derive know
// nothing else of it. The rest of this interface goes the other way, from schema types to emitted C++, and is
// what emit asks. Dialects are constants with static storage: they may be used from any thread.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/schema.h"
#include "model/type.h"
#include "model/type_table.h"

namespace structured::gen {

/// How emitted code spells a backend.
struct BackendSpelling {
  std::string enumerator;     ///< `::structured::Backend::QuantizedCPU`
  std::string cpp_namespace;  ///< of its part of the public API, and in names of wrappers: `quantized_cpu`
  bool has_devices = true;    ///< wrappers for it choose a device before they run; Meta has none
};

class Dialect {
 public:
  virtual ~Dialect() = default;

  /// `native` or `aten`
  virtual llvm::StringRef name() const = 0;
  /// The half that check and derive use.
  virtual const TypeTable& types() const = 0;

  /// Whether emit writes C++ for this dialect. Where it does not, the JSON files are all that it writes, and the
  /// functions below must not be called.
  virtual bool emits_cpp() const = 0;

  /// The type of a parameter, fully qualified: `const ::structured::Tensor&`. A written Tensor is a reference to
  /// non-const; a written list is spelled like any other.
  virtual std::string argument(const Type& type, bool is_written) const = 0;
  /// The type of one result. A written Tensor is returned by reference.
  virtual std::string result(const Type& type, bool is_written) const = 0;
  /// The C++ expression for a schema's default, `std::nullopt` for `None`; nothing if it cannot be said.
  virtual std::optional<std::string> default_value(const Type& type, llvm::StringRef schema_default) const = 0;
  /// Adds the headers that a declaration with this type needs, as they follow `#include `: `<optional>`.
  virtual void add_headers(const Type& type, std::set<std::string>& headers) const = 0;
  /// Nothing for a name that is no backend, the composite ones included.
  virtual std::optional<BackendSpelling> backend(llvm::StringRef name) const = 0;
};

/// All results of a function as one C++ type: `void`, the type itself, or `std::tuple<...>`.
std::string result_type(const Dialect& dialect, llvm::ArrayRef<Return> results);

/// Null if there is no dialect of that name.
const Dialect* find_dialect(llvm::StringRef name);

}  // namespace structured::gen

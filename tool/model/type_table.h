// What `check` and `derive` know of a dialect: which canonical C++ type is which schema type, which names a
// backend may have, and what an author probably meant by a type that is neither. The tables themselves live
// in dialect/; how types are spelled in emitted code is no matter of this class.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "model/type.h"

namespace structured::gen {

/// A cheap-to-look-up value; immutable once built, so that it may be read from several threads.
///
/// Canonical spellings are those of CppType::canonical. `long long` counts as `long` (either is `int64_t` on some
/// system), and a top-level `const` of a parameter that is passed by value is no part of its type.
class TypeTable {
 public:
  /// A parameter type.
  struct Row {
    llvm::StringRef canonical;  ///< `structured::ArrayRef<long>`
    llvm::StringRef schema;     ///< `int[]`
    llvm::StringRef written;    ///< what an author writes: `IntArrayRef`
  };
  /// A result type, alone or as an element of a tuple.
  struct ResultRow {
    llvm::StringRef canonical;
    llvm::StringRef schema;
    llvm::StringRef written;
  };
  /// Everything that tells one dialect from another. The arrays outlive the table.
  struct Spec {
    llvm::StringRef tensor;             ///< `structured::Tensor`
    llvm::StringRef written_tensor;     ///< `Tensor`, as an author writes it
    llvm::StringRef meta_base;          ///< `structured::MetaBase`
    llvm::StringRef optional_template;  ///< `std::optional`
    llvm::StringRef list_template;      ///< `structured::ArrayRef`
    llvm::StringRef string_view;        ///< `std::basic_string_view<char>`
    llvm::ArrayRef<Row> parameters;     ///< preferred spelling of a schema type first
    llvm::ArrayRef<ResultRow> results;
    llvm::ArrayRef<llvm::StringRef> backends;  ///< in the dialect's own order
  };
  explicit TypeTable(const Spec& spec);

  struct Classified {
    Type type;
    bool is_written = false;  ///< a non-const `Tensor&`
    friend bool operator==(const Classified&, const Classified&) = default;
  };
  /// The schema type of a parameter: `const structured::Tensor &` is `Tensor`. Attributes (`size`, `symint`) are
  /// not considered. Nothing if the dialect does not support the type.
  std::optional<Classified> argument(llvm::StringRef canonical) const;

  /// The schema types of a result: `void` gives none, `std::tuple<...>` several, `Tensor &` counts as `Tensor`
  /// (see result_is_reference). A tuple is all references or none.
  std::optional<std::vector<Type>> results(llvm::StringRef canonical) const;
  /// Whether the result is `Tensor &`, or a tuple of them: the function returns what it wrote.
  bool result_is_reference(llvm::StringRef canonical) const;

  /// What to write instead of a parameter type that is not supported: `int64_t` for `int`.
  std::optional<std::string> suggestion(llvm::StringRef canonical) const;
  /// The same for a result type: `std::vector<int64_t>` for `structured::ArrayRef<long>`.
  std::optional<std::string> result_suggestion(llvm::StringRef canonical) const;

  /// The qualified name of the class that a meta function's first parameter is, or derives from.
  llvm::StringRef meta_base() const { return spec_.meta_base; }
  /// The qualified name of the tensor class.
  llvm::StringRef tensor() const { return spec_.tensor; }
  /// All names that `impl` and `kernel` accept.
  llvm::ArrayRef<llvm::StringRef> backends() const { return spec_.backends; }
  /// Whether `name` is one of backends().
  bool is_backend(llvm::StringRef name) const;

 private:
  struct Entry {
    Classified classified;
    llvm::StringRef written;
  };
  Spec spec_;
  llvm::StringMap<Entry> parameters_;
  llvm::StringMap<Entry> results_;
};

/// `CompositeImplicitAutograd` and its like: kernels for every backend, which have no out-kernel of their own.
bool is_composite_backend(llvm::StringRef name);

}  // namespace structured::gen

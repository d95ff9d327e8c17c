// A dialect as `check` and `derive` know it: the schema type of each canonical C++ type, the names that a
// backend may have, and suggestions for unsupported types. The tables themselves are
// in tool/target/; C++ types in emitted code are a matter of CppTypes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "model/type.h"

namespace structured::gen {

struct CppTypeTree;

/// A value that is immutable once built, so that it may be read from several threads.
///
/// Canonical spellings are those of CppType::canonical, evened out as parse_cpp_type says: `long long` counts
/// as `long` but in lists, and a `const` on a parameter that is passed by value is not a part of its type.
class TypeTable {
 public:
  /// One C++ type that stands for a schema type.
  struct Row {
    llvm::StringRef canonical;  ///< `structured::ArrayRef<long>`
    llvm::StringRef schema;     ///< `int[]`
    llvm::StringRef written;    ///< what an author writes: `IntArrayRef`
  };
  /// The properties of a dialect. The arrays and strings must outlive the table.
  struct Spec {
    llvm::StringRef tensor;          ///< `structured::Tensor`
    llvm::StringRef written_tensor;  ///< as an author writes it: `Tensor`
    llvm::StringRef meta_base;       ///< `structured::MetaBase`
    llvm::ArrayRef<Row> parameters;  ///< all but written tensors and `bool[N]`; the first of a schema type is suggested
    llvm::ArrayRef<Row> results;     ///< single ones by value
    llvm::ArrayRef<llvm::StringRef> backends;
    llvm::ArrayRef<llvm::StringRef> pointwise_backends = {};  ///< with elementwise loops for scalar functions
  };
  explicit TypeTable(const Spec& spec);

  struct Classified {
    Type type;
    bool is_mutable = false;  ///< a non-const `Tensor&`
    friend bool operator==(const Classified&, const Classified&) = default;
  };
  /// The schema type of a parameter: `const structured::Tensor &` is `Tensor`. Attributes (`size`, `symint`) are
  /// not considered. std::nullopt if the dialect does not support the type.
  std::optional<Classified> argument(llvm::StringRef canonical) const;

  /// The schema types of a result: `void` gives none, `std::tuple<...>` several, `Tensor &` counts as `Tensor`
  /// (see result_is_reference). A tuple has two elements or more, and all are references or none is.
  std::optional<std::vector<Type>> results(llvm::StringRef canonical) const;
  /// Whether the result is `Tensor &`, or a tuple of them: the function returns what it wrote.
  bool result_is_reference(llvm::StringRef canonical) const;

  /// The supported type to use for an unsupported parameter type: `int64_t` for `int`.
  std::optional<std::string> suggestion(llvm::StringRef canonical) const;
  /// The supported type to use for an unsupported result type: `std::vector<int64_t>` for `structured::ArrayRef<long>`.
  std::optional<std::string> result_suggestion(llvm::StringRef canonical) const;

  /// The qualified name of the class that a meta function's first parameter is, or derives from.
  llvm::StringRef meta_base() const { return spec_.meta_base; }
  /// The qualified name of the tensor class.
  llvm::StringRef tensor() const { return spec_.tensor; }
  /// All names that `impl` and `kernel` accept.
  llvm::ArrayRef<llvm::StringRef> backends() const { return spec_.backends; }
  bool is_backend(llvm::StringRef name) const;
  /// The backends that scalar functions get kernels for in a library that is built for `library` (empty: for all).
  std::vector<std::string> pointwise_backends(llvm::ArrayRef<std::string> library) const;

  /// The canonical C++ type that authors mostly write for a schema type: `const structured::Scalar &` for `Scalar`.
  /// Empty if the target does not support the type.
  std::optional<std::string> canonical_argument(const Type& type) const;
  /// A supported canonical type as authors write it: `const Scalar&`. Other types are returned as they are.
  std::string written_argument(llvm::StringRef canonical) const;
  /// `structured::Tensor &`
  std::string mutable_tensor() const { return spec_.tensor.str() + " &"; }

 private:
  struct Entry {
    Type type;
    llvm::StringRef written;
  };
  const Entry* single_result(const CppTypeTree& spelling) const;
  bool is_mutable_tensor(const CppTypeTree& spelling) const;
  /// The schema type that an unsupported C++ type was meant to be, if it can be told: integers of any width are
  /// `int`, containers lists, and references and pointers what they refer to.
  std::optional<Type> intended(CppTypeTree spelling) const;
  std::optional<std::string> written_result(const CppTypeTree& spelling) const;

  Spec spec_;
  llvm::StringMap<Entry> parameters_;
  llvm::StringMap<Entry> results_;
};

/// `CompositeImplicitAutograd` and its like: one kernel that serves every backend.
bool is_composite_backend(llvm::StringRef name);

}  // namespace structured::gen

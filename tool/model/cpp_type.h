// C++ types and data members found by a scan and named in emitted code.
#pragma once

#include <string>

namespace structured::gen {

struct CppType {
  /// Canonical and fully qualified, without default template arguments and inline namespaces:
  /// `const structured::Tensor &`, `std::optional<double>`, `structured::ArrayRef<long>`.
  std::string canonical;
  std::string written;  ///< as the author wrote it
  friend bool operator==(const CppType&, const CppType&) = default;
};

/// A public data member of a class, for precomputed values.
struct Member {
  std::string name;
  CppType type;
  friend bool operator==(const Member&, const Member&) = default;
};

}  // namespace structured::gen

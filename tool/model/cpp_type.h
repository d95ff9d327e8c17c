// C++ types and data members, as facts that a scan found and that emitted code repeats.
#pragma once

#include <string>

namespace structured::gen {

struct CppType {
  /// Canonical, fully qualified, default template arguments and inline namespaces left out:
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

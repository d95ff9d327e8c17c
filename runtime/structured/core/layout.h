#pragma once
// Layouts: the elements of a tensor are arranged by strides or in one of the sparse forms.
#include <cstdint>
#include <iosfwd>

#include "structured/core/export.h"

namespace structured {

/// The numbers are those of the schema language's serialised form.
enum class Layout : std::int8_t { Strided, Sparse, SparseCsr, Mkldnn, SparseCsc, SparseBsr, SparseBsc };

inline constexpr Layout kStrided = Layout::Strided;
inline constexpr Layout kSparse = Layout::Sparse;
inline constexpr Layout kSparseCsr = Layout::SparseCsr;
inline constexpr Layout kMkldnn = Layout::Mkldnn;
inline constexpr Layout kSparseCsc = Layout::SparseCsc;
inline constexpr Layout kSparseBsr = Layout::SparseBsr;
inline constexpr Layout kSparseBsc = Layout::SparseBsc;

/// "Strided", "Sparse", ...
STRUCTURED_API const char* to_string(Layout layout);
STRUCTURED_API std::ostream& operator<<(std::ostream& out, Layout layout);

}  // namespace structured

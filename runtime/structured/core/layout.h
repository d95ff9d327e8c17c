#pragma once
// Layouts: the elements of a tensor are arranged by strides or in one of the sparse forms.
#include <cstdint>
#include <iosfwd>

#include "structured/base/export.h"

namespace structured {

/// The numbers are those of the schema language's serialised form.
enum class Layout : int8_t {
#define STRUCTURED_LAYOUT(enumerator, ...) enumerator,
#include "structured/schema/enumerations.def"
};

// kStrided, kSparse, ...
#define STRUCTURED_LAYOUT(enumerator, ...) inline constexpr Layout k##enumerator = Layout::enumerator;
#include "structured/schema/enumerations.def"

/// "Strided", "Sparse", ...
STRUCTURED_API const char* to_string(Layout layout);
STRUCTURED_API std::ostream& operator<<(std::ostream& out, Layout layout);

}  // namespace structured

#pragma once
// Memory formats, which order the dimensions of a dense tensor, and the rules that recognise each format in strides.
#include <cstdint>
#include <iosfwd>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/dim_vector.h"

namespace structured {

/// ChannelsLast (NHWC) is for 4 dimensions, ChannelsLast3d (NDHWC) for 5; Preserve stands for the format of the input.
enum class MemoryFormat : int8_t {
#define STRUCTURED_MEMORY_FORMAT(enumerator, ...) enumerator,
#include "structured/schema/enumerations.def"
};

inline constexpr int kMemoryFormatCount = 0
#define STRUCTURED_MEMORY_FORMAT(...) +1
#include "structured/schema/enumerations.def"
    ;

/// "Contiguous", "Preserve", ...
STRUCTURED_API const char* to_string(MemoryFormat format);
STRUCTURED_API std::ostream& operator<<(std::ostream& out, MemoryFormat format);

/// Strides of a dense tensor of these sizes, last dimension fastest. A size of 0 counts as 1.
STRUCTURED_API DimVector contiguous_strides(IntArrayRef sizes);

/// Strides of a dense tensor of these sizes in `format`. Throws Error for Preserve, and if the number of dimensions
/// does not suit the format.
STRUCTURED_API DimVector strides_for(IntArrayRef sizes, MemoryFormat format);

/// Returns whether the strides are dense and in row-major order. Strides of dimensions of size 1 are ignored, and an
/// empty tensor is contiguous with any strides.
STRUCTURED_API bool is_contiguous(IntArrayRef sizes, IntArrayRef strides);

/// Returns whether strides have order N, H, W, C (4 dimensions) or N, D, H, W, C (5); false for other numbers of them.
STRUCTURED_API bool is_channels_last_contiguous(IntArrayRef sizes, IntArrayRef strides);

/// Whether strides have channels-last order, dense or not, for 4 (`ChannelsLast`) or 5 (`ChannelsLast3d`) dimensions.
/// If sizes of 1 make the order ambiguous, contiguous wins.
STRUCTURED_API bool has_channels_last_strides(IntArrayRef sizes, IntArrayRef strides);

/// Whether every element has an address of its own and no address in between is unused: some order of dimensions is
/// contiguous.
STRUCTURED_API bool is_non_overlapping_and_dense(IntArrayRef sizes, IntArrayRef strides);

}  // namespace structured

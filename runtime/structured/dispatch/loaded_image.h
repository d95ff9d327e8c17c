#pragma once
// The shared library or program that an address belongs to.
#include <string>

namespace structured::detail {

/// ` (PATH)`, as a suffix for messages; empty if the address belongs to no loaded image.
std::string image_suffix(const void* address);

/// The load address; null if the address belongs to no loaded image.
const void* image_base(const void* address);

}  // namespace structured::detail

#pragma once
// The attributes of annotations need no declaration: a compiler ignores the attributes of a namespace that it does not
// know. It warns, though, and this header says that `structured::` is meant. It includes nothing, on purpose: a source
// that wants the attributes alone pays for nothing else.
#if defined(__NVCC__) || defined(__NVCOMPILER)
#pragma nv_diag_suppress 2803
#endif
#if defined(__clang__)
// Clang cannot limit this to one namespace; scans report misspelt attributes of the standard instead. Our plugin knows
// the attributes, and leaves the warning enabled. `diagnostic pop` ends the effect; builds pass -Wno-unknown-attributes
// too.
#if !__has_cpp_attribute(structured::meta)
#pragma clang diagnostic ignored "-Wunknown-attributes"
#endif
#elif defined(__GNUC__) && __GNUC__ >= 12
#pragma GCC diagnostic ignored_attributes "structured::"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wattributes"
#endif

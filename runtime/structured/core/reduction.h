#pragma once
// The reduction that a loss function applies to the losses of its elements.
#include <cstdint>

namespace structured {

// An unscoped enumeration in a namespace of its own: schemas type the argument `int`, so that it must convert.
namespace Reduction {
enum Reduction : int64_t {
#define STRUCTURED_REDUCTION(enumerator, ...) enumerator,
#include "structured/schema/enumerations.def"
};
}  // namespace Reduction

}  // namespace structured

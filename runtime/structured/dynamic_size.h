#pragma once
// Sizes that depend on data, for operators for PyTorch. It includes no header of PyTorch.
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace structured {

/// The size of a result that depends on data, from `least` to `most`, in a kernel for `"Meta"`:
///
///     return at::empty({structured::dynamic_size(0, mask.size(0))}, mask.options().dtype(at::kLong));
///
/// Such a kernel is not called: the generator translates it to Python, where each call of dynamic_size is a new symbol
/// for torch.compile and torch.export. Throws std::logic_error.
[[noreturn]] inline int64_t dynamic_size([[maybe_unused]] int64_t least = 0,
                                         [[maybe_unused]] int64_t most = std::numeric_limits<int64_t>::max()) {
  throw std::logic_error("structured::dynamic_size: called, but a size that depends on data is not known without data");
}

}  // namespace structured

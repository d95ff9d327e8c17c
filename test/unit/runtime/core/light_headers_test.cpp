// Sources that call operators include this header. Each header below would add noticeably to their compile time.
#include <structured/core/tensor.h>

#if defined(__GLIBCXX__)
#if defined(_GLIBCXX_STRING) || defined(_GLIBCXX_STRING_VIEW) || defined(_GLIBCXX_VECTOR) ||    \
    defined(_GLIBCXX_ATOMIC) || defined(_GLIBCXX_OSTREAM) || defined(_GLIBCXX_MEMORY) ||        \
    defined(_GLIBCXX_FUNCTIONAL) || defined(_GLIBCXX_ALGORITHM) || defined(_GLIBCXX_COMPLEX) || \
    defined(_GLIBCXX_CMATH)
#error "core/tensor.h includes a heavy header of the standard library"
#endif
#endif

#include <gtest/gtest.h>
#include <structured/core/factory.h>

namespace structured {
namespace {

TEST(TensorHeader, IsEnoughToUseATensor) {
  const Tensor tensor = empty({2, 3});
  EXPECT_EQ(tensor.size(1), 3);
}

// Tensors are constant-initialised, so that tables of tensors may be constinit.
constinit Tensor global_tensor;
TEST(Tensor, IsConstantInitialised) { EXPECT_FALSE(global_tensor.defined()); }

}  // namespace
}  // namespace structured

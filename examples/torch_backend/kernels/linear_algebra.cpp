// Products of matrices.
#include <structured/torch.h>

#include "loops.h"

namespace host_device {
namespace {

/// Reads and writes the elements of a batch of matrices, or of one.
class Matrices {
 public:
  explicit Matrices(const at::Tensor& tensor) : tensor_(tensor), is_batch_(tensor.dim() == 3) {}

  template <class T>
  T get(int64_t batch, int64_t row, int64_t column) const {
    return load<T>(tensor_.scalar_type(), address(batch, row, column));
  }
  template <class T>
  void set(int64_t batch, int64_t row, int64_t column, T value) const {
    store(tensor_.scalar_type(), address(batch, row, column), value);
  }

 private:
  char* address(int64_t batch, int64_t row, int64_t column) const {
    int64_t offset = row * tensor_.stride(-2) + column * tensor_.stride(-1);
    if (is_batch_) offset += batch * tensor_.stride(0);
    return static_cast<char*>(tensor_.data_ptr()) + offset * static_cast<int64_t>(tensor_.element_size());
  }

  const at::Tensor& tensor_;
  bool is_batch_;
};

/// Sets `out` to `alpha * a @ b + beta * added`; `added` is ignored if `beta` is 0.
void multiply(const at::Tensor& a, const at::Tensor& b, const at::Tensor& added, const at::Scalar& beta,
              const at::Scalar& alpha, const at::Tensor& out) {
  const bool is_added = beta.toDouble() != 0;
  const at::Tensor bias = is_added ? added.expand(out.sizes()) : out;
  const Matrices left(a), right(b), addend(bias), result(out);
  const int64_t batches = out.dim() == 3 ? out.size(0) : 1;
  visit_compute_type("matrix product", out.scalar_type(), [&]<class T>() {
    using Accumulator = std::conditional_t<std::is_integral_v<T>, int64_t, double>;
    for (int64_t n = 0; n < batches; ++n) {
      for (int64_t i = 0; i < out.size(-2); ++i) {
        for (int64_t j = 0; j < out.size(-1); ++j) {
          Accumulator sum = 0;
          for (int64_t k = 0; k < a.size(-1); ++k) {
            sum += static_cast<Accumulator>(left.get<T>(n, i, k)) * right.get<T>(n, k, j);
          }
          sum *= alpha.to<Accumulator>();
          if (is_added) sum += beta.to<Accumulator>() * addend.get<T>(n, i, j);
          result.set(n, i, j, static_cast<T>(sum));
        }
      }
    }
  });
}

}  // namespace

[[structured::impl("mm.out", "PrivateUse1")]]
void mm_host(const at::Tensor& self, const at::Tensor& mat2, const at::Tensor& out) {
  multiply(self, mat2, out, 0, 1, out);
}

[[structured::impl("bmm.out", "PrivateUse1")]]
void bmm_host(const at::Tensor& self, const at::Tensor& mat2, const at::Tensor& out) {
  multiply(self, mat2, out, 0, 1, out);
}

[[structured::impl("addmm.out", "PrivateUse1")]]
void addmm_host(const at::Tensor& self, const at::Tensor& mat1, const at::Tensor& mat2, const at::Scalar& beta,
                const at::Scalar& alpha, const at::Tensor& out) {
  multiply(mat1, mat2, self, beta, alpha, out);
}

[[structured::impl("baddbmm.out", "PrivateUse1")]]
void baddbmm_host(const at::Tensor& self, const at::Tensor& batch1, const at::Tensor& batch2, const at::Scalar& beta,
                  const at::Scalar& alpha, const at::Tensor& out) {
  multiply(batch1, batch2, self, beta, alpha, out);
}

}  // namespace host_device

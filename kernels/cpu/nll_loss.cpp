// Losses whose targets are classes, on CPU: negative log likelihood, multi-margin and multi-label margin loss.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/reduction.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/number/convert.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace structured::kernels {
namespace {

constexpr int64_t kPiece = 4096;

Tensor contiguous(const Tensor& tensor, ScalarType dtype) {
  if (tensor.is_contiguous() && tensor.scalar_type() == dtype) return tensor;
  const Tensor result = empty(tensor.sizes(), tensor.options().dtype(dtype));
  copy_into(result, tensor);
  return result;
}

void check_class(const char* name, int64_t target, int64_t classes) {
  STRUCTURED_CHECK(0 <= target && target < classes, name, ": expected targets from 0 to ", classes - 1, ", got ",
                   target);
}

// Partial sums of losses and weights over pieces of fixed size, so that the totals do not depend on the number of
// threads.
class Sums {
 public:
  explicit Sums(int64_t size) : pieces_(static_cast<size_t>((size + kPiece - 1) / kPiece)) {}

  /// Sets the sums of the piece that starts at `first`.
  void set(int64_t first, double loss, double weight) { pieces_[static_cast<size_t>(first / kPiece)] = {loss, weight}; }
  double loss() const { return total(&Piece::loss); }
  double weight() const { return total(&Piece::weight); }

 private:
  struct Piece {
    double loss = 0;
    double weight = 0;
  };

  double total(double Piece::* member) const {
    double sum = 0;
    for (const Piece& piece : pieces_) sum += piece.*member;
    return sum;
  }

  std::vector<Piece> pieces_;
};

// Calls `visit(first, last)` for pieces of [0, size), on several threads.
template <class Visit>
void for_each_piece(int64_t size, Visit visit) {
  const auto visit_pieces = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) visit(i * kPiece, std::min(size, (i + 1) * kPiece));
  };
  parallel_for(0, (size + kPiece - 1) / kPiece, kGrainSize / kPiece, visit_pieces);
}

template <class T>
void set_number(const Tensor& out, double value) {
  *out.data_ptr<T>() = convert<T>(value);
}

// Shape of contiguous input: [batch, classes, positions].
struct ClassShape {
  int64_t classes;
  int64_t positions;
};

void nll(const char* name, const Tensor& in, ClassShape shape, const Tensor& target,
         const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index, bool keeps_sizes,
         const Tensor& output, const Tensor& total_weight) {
  const Tensor targets = contiguous(target, kLong);
  const int64_t* const classes = static_cast<const int64_t*>(targets.data());
  const int64_t size = targets.numel();
  visit<kAllFloatingTypes>(name, in.scalar_type(), [&]<class T>() {
    const Tensor dense_weight = weight && weight->defined() ? contiguous(*weight, in.scalar_type()) : Tensor();
    const T* const weights = dense_weight.defined() ? static_cast<const T*>(dense_weight.data()) : nullptr;
    const T* const elements = static_cast<const T*>(in.data());
    const Tensor result = keeps_sizes ? contiguous(output, in.scalar_type()) : Tensor();
    T* const losses = keeps_sizes ? static_cast<T*>(result.data()) : nullptr;
    Sums sums(size);
    for_each_piece(size, [&](int64_t first, int64_t last) {
      const int64_t plane = shape.classes * shape.positions;
      int64_t position = first % shape.positions;
      const T* batch = elements + first / shape.positions * plane;
      double loss = 0;
      double total = 0;
      for (int64_t i = first; i < last; ++i) {
        const int64_t found = classes[i];
        const bool counts = found != ignore_index;
        if (counts) check_class(name, found, shape.classes);
        const int64_t chosen = counts ? found : 0;
        const double scale = !counts ? 0 : weights == nullptr ? 1 : static_cast<double>(weights[chosen]);
        const double part = counts ? -static_cast<double>(batch[chosen * shape.positions + position]) * scale : 0;
        if (losses != nullptr) losses[i] = static_cast<T>(part);
        loss += part;
        total += scale;
        if (++position == shape.positions) {
          position = 0;
          batch += plane;
        }
      }
      sums.set(first, loss, total);
    });
    set_number<T>(total_weight, keeps_sizes ? 0 : sums.weight());
    if (keeps_sizes) {
      if (!result.is_same(output)) copy_into(output, result);
    } else {
      set_number<T>(output, reduction == Reduction::Mean ? sums.loss() / sums.weight() : sums.loss());
    }
  });
}

// Sets `out` to the losses of rows, which `loss_of(i)` computes, or to their sum or mean.
template <class T, class Loss>
void reduce_rows(const Tensor& out, int64_t rows, int64_t classes, int64_t reduction, bool keeps_sizes, Loss loss_of) {
  std::vector<double> losses(static_cast<size_t>(rows));
  parallel_for(0, rows, std::max<int64_t>(1, kGrainSize / classes), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) losses[static_cast<size_t>(i)] = loss_of(i);
  });
  if (keeps_sizes) {
    T* const elements = out.data_ptr<T>();
    for (int64_t i = 0; i < rows; ++i) elements[i * out.stride(0)] = convert<T>(losses[static_cast<size_t>(i)]);
    return;
  }
  double sum = 0;
  for (const double loss : losses) sum += loss;
  set_number<T>(out, reduction == Reduction::Mean ? sum / static_cast<double>(rows) : sum);
}

}  // namespace

[[structured::impl("nll_loss_forward.output", "CPU")]]
void nll_loss_forward_cpu(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                          int64_t reduction, int64_t ignore_index, const Tensor& output, const Tensor& total_weight) {
  const bool keeps_sizes = reduction == Reduction::None && self.dim() == 2;
  nll("nll_loss_forward", contiguous(self, self.scalar_type()), {self.size(-1), 1}, target, weight, reduction,
      ignore_index, keeps_sizes, output, total_weight);
}

[[structured::impl("nll_loss2d_forward.output", "CPU")]]
void nll_loss2d_forward_cpu(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                            int64_t reduction, int64_t ignore_index, const Tensor& output, const Tensor& total_weight) {
  const int64_t positions = std::max<int64_t>(1, self.size(2) * self.size(3));
  nll("nll_loss2d_forward", contiguous(self, self.scalar_type()), {self.size(1), positions}, target, weight, reduction,
      ignore_index, reduction == Reduction::None, output, total_weight);
}

[[structured::impl("multi_margin_loss.out", "CPU")]]
void multi_margin_loss_cpu(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                           const std::optional<Tensor>& weight, int64_t reduction, const Tensor& out) {
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  const Tensor in = contiguous(self, self.scalar_type());
  const Tensor targets = contiguous(target, kLong);
  const bool is_square = p == Scalar(2);
  const double distance = margin.to<double>();
  visit<kAllFloatingTypes>("multi_margin_loss", self.scalar_type(), [&]<class T>() {
    const Tensor dense_weight = weight && weight->defined() ? contiguous(*weight, in.scalar_type()) : Tensor();
    const T* const weights = dense_weight.defined() ? static_cast<const T*>(dense_weight.data()) : nullptr;
    const auto loss_of = [&](int64_t row) {
      const T* const x = static_cast<const T*>(in.data()) + row * classes;
      const int64_t y = static_cast<const int64_t*>(targets.data())[row];
      check_class("multi_margin_loss", y, classes);
      double sum = 0;
      for (int64_t i = 0; i < classes; ++i) {
        const double z = distance - static_cast<double>(x[y]) + static_cast<double>(x[i]);
        if (i != y && z > 0) sum += is_square ? z * z : z;
      }
      return sum * (weights == nullptr ? 1 : static_cast<double>(weights[y])) / static_cast<double>(classes);
    };
    reduce_rows<T>(out, targets.numel(), classes, reduction, reduction == Reduction::None && target.dim() > 0, loss_of);
  });
}

[[structured::impl("multilabel_margin_loss_forward.output", "CPU")]]
void multilabel_margin_loss_forward_cpu(const Tensor& self, const Tensor& target, int64_t reduction,
                                        const Tensor& output, const Tensor& is_target) {
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  const int64_t rows = self.dim() == 2 ? self.size(0) : 1;
  const Tensor in = contiguous(self, self.scalar_type());
  const Tensor targets = contiguous(target, kLong);
  const Tensor marks = is_target.is_contiguous() ? is_target : empty(self.sizes(), self.options());
  std::memset(marks.data(), 0, marks.nbytes());
  visit<kAllFloatingTypes>("multilabel_margin_loss_forward", self.scalar_type(), [&]<class T>() {
    const auto loss_of = [&](int64_t row) {
      const T* const x = static_cast<const T*>(in.data()) + row * classes;
      const int64_t* const y = static_cast<const int64_t*>(targets.data()) + row * classes;
      T* const mark = static_cast<T*>(marks.data()) + row * classes;
      int64_t count = 0;
      for (; count < classes && y[count] != -1; ++count) {
        check_class("multilabel_margin_loss_forward", y[count], classes);
        mark[y[count]] = T(1);
      }
      // Targets after the first -1 are ignored, but checked.
      for (int64_t k = count; k < classes; ++k) {
        if (y[k] != -1) check_class("multilabel_margin_loss_forward", y[k], classes);
      }
      double sum = 0;
      for (int64_t k = 0; k < count; ++k) {
        for (int64_t i = 0; i < classes; ++i) {
          const double z = 1 - static_cast<double>(x[y[k]]) + static_cast<double>(x[i]);
          if (static_cast<float>(mark[i]) == 0 && z > 0) sum += z;
        }
      }
      return sum / static_cast<double>(classes);
    };
    reduce_rows<T>(output, rows, classes * classes, reduction, reduction == Reduction::None && self.dim() == 2,
                   loss_of);
  });
  if (!marks.is_same(is_target)) copy_into(is_target, marks);
}

}  // namespace structured::kernels

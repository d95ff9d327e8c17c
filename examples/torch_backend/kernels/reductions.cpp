// Sums, products, extrema, softmax, and other values along dimensions.
#include <ATen/ops/max_meta.h>
#include <ATen/ops/min_meta.h>
#include <structured/torch.h>

#include <cmath>
#include <limits>

#include "lines.h"

namespace host_device {
namespace {

/// Type of accumulators: double for all floating-point numbers.
template <class T>
using Accumulator = std::conditional_t<std::is_integral_v<T>, int64_t, double>;

/// Sets each element of `out` to `function` of the elements of `self` along the dimensions.
template <class T, class Function>
void reduce(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim, const at::Tensor& out,
            const Function& function) {
  const at::DimVector dims = reduced_dims(dim, self.dim());
  for_each_line<T>(
      dims, [&](const Line<T>& result, const Line<T>& line) { result.set(0, static_cast<T>(function(line))); },
      with_reduced_dims(out, dims, self.dim(), keepdim), self);
}

template <class T>
bool is_nan(T x) {
  return x != x;
}

/// Returns the index of the first element that is extreme, or NaN.
template <class T, bool is_maximum>
int64_t extreme_index(const Line<T>& line) {
  int64_t found = 0;
  T best = line[0];
  for (int64_t i = 1; i < line.size() && !is_nan(best); ++i) {
    const T x = line[i];
    if (is_nan(x) || (is_maximum ? x > best : x < best)) {
      found = i;
      best = x;
    }
  }
  return found;
}

template <bool is_maximum>
void set_extrema(const at::Tensor& self, at::IntArrayRef dim, bool keepdim, const at::Tensor& out) {
  visit_compute_type(is_maximum ? "amax" : "amin", self.scalar_type(), [&]<class T>() {
    reduce<T>(self, dim, keepdim, out, [](const Line<T>& line) { return line[extreme_index<T, is_maximum>(line)]; });
  });
}

template <bool is_maximum>
void set_extrema_and_indices(const at::Tensor& self, int64_t dim, bool keepdim, const at::Tensor& values,
                             const at::Tensor& indices) {
  const at::DimVector dims = reduced_dims(at::IntArrayRef(dim), self.dim());
  const at::Tensor all_indices = with_reduced_dims(indices, dims, self.dim(), keepdim);
  visit_compute_type(is_maximum ? "max" : "min", self.scalar_type(), [&]<class T>() {
    for_each_line<T>(
        dims,
        [](const Line<T>& value, const Line<T>& index, const Line<T>& line) {
          const int64_t found = extreme_index<T, is_maximum>(line);
          value.set(0, line[found]);
          index.set(0, found);
        },
        with_reduced_dims(values, dims, self.dim(), keepdim), all_indices, self);
  });
}

template <bool is_maximum>
void set_indices(const at::Tensor& self, std::optional<int64_t> dim, bool keepdim, const at::Tensor& out) {
  const at::DimVector dims = reduced_dims(dim ? at::OptionalIntArrayRef(*dim) : at::OptionalIntArrayRef(), self.dim());
  visit_compute_type(is_maximum ? "argmax" : "argmin", self.scalar_type(), [&]<class T>() {
    for_each_line<T>(
        dims, [](const Line<T>& index, const Line<T>& line) { index.set(0, extreme_index<T, is_maximum>(line)); },
        with_reduced_dims(out, dims, self.dim(), keepdim), self);
  });
}

template <bool is_any>
void set_any_or_all(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim, const at::Tensor& out) {
  visit_compute_type(is_any ? "any" : "all", self.scalar_type(), [&]<class T>() {
    reduce<T>(self, dim, keepdim, out, [](const Line<T>& line) {
      for (int64_t i = 0; i < line.size(); ++i) {
        if ((line[i] != 0) == is_any) return is_any;
      }
      return !is_any;
    });
  });
}

template <class T>
double largest(const Line<T>& line) {
  double result = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < line.size(); ++i) result = std::max<double>(result, line[i]);
  return result;
}

/// Returns the sum of `function(i)` over a line.
template <class T, class Function>
double sum(const Line<T>& line, const Function& function) {
  double result = 0;
  for (int64_t i = 0; i < line.size(); ++i) result += function(i);
  return result;
}

}  // namespace

[[structured::impl("sum.IntList_out", "PrivateUse1")]]
void sum_host(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim, std::optional<at::ScalarType> dtype,
              const at::Tensor& out) {
  visit_compute_type("sum", out.scalar_type(), [&]<class T>() {
    reduce<T>(self, dim, keepdim, out, [](const Line<T>& line) {
      Accumulator<T> sum = 0;
      for (int64_t i = 0; i < line.size(); ++i) sum += line[i];
      return sum;
    });
  });
}

[[structured::impl("mean.out", "PrivateUse1")]]
void mean_host(const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim, std::optional<at::ScalarType> dtype,
               const at::Tensor& out) {
  visit_floating_type("mean", out.scalar_type(), [&]<class T>() {
    reduce<T>(self, dim, keepdim, out, [](const Line<T>& line) {
      double sum = 0;
      for (int64_t i = 0; i < line.size(); ++i) sum += line[i];
      return sum / static_cast<double>(line.size());
    });
  });
}

[[structured::impl("prod.int_out", "PrivateUse1")]]
void prod_host(const at::Tensor& self, int64_t dim, bool keepdim, std::optional<at::ScalarType> dtype,
               const at::Tensor& out) {
  visit_compute_type("prod", out.scalar_type(), [&]<class T>() {
    reduce<T>(self, dim, keepdim, out, [](const Line<T>& line) {
      Accumulator<T> product = 1;
      for (int64_t i = 0; i < line.size(); ++i) product *= line[i];
      return product;
    });
  });
}

[[structured::impl("cumsum.out", "PrivateUse1")]]
void cumsum_host(const at::Tensor& self, int64_t dim, std::optional<at::ScalarType> dtype, const at::Tensor& out) {
  visit_compute_type("cumsum", out.scalar_type(), [&]<class T>() {
    for_each_line<T>(
        reduced_dims(at::IntArrayRef(dim), self.dim()),
        [](const Line<T>& result, const Line<T>& line) {
          Accumulator<T> sum = 0;
          for (int64_t i = 0; i < line.size(); ++i) result.set(i, static_cast<T>(sum += line[i]));
        },
        out, self);
  });
}

[[structured::impl("amax.out", "PrivateUse1")]]
void amax_host(const at::Tensor& self, at::IntArrayRef dim, bool keepdim, const at::Tensor& out) {
  set_extrema<true>(self, dim, keepdim, out);
}

[[structured::impl("amin.out", "PrivateUse1")]]
void amin_host(const at::Tensor& self, at::IntArrayRef dim, bool keepdim, const at::Tensor& out) {
  set_extrema<false>(self, dim, keepdim, out);
}

// The precomputed values hold the dimension, counted from the front.
[[structured::impl("max.dim_max", "PrivateUse1")]]
void max_host(const at::Tensor& self, bool keepdim, const at::meta::structured_max_dim::meta_return_ty& precomputed,
              const at::Tensor& max, const at::Tensor& max_values) {
  set_extrema_and_indices<true>(self, precomputed.dim, keepdim, max, max_values);
}

[[structured::impl("min.dim_min", "PrivateUse1")]]
void min_host(const at::Tensor& self, bool keepdim, const at::meta::structured_min_dim::meta_return_ty& precomputed,
              const at::Tensor& min, const at::Tensor& min_indices) {
  set_extrema_and_indices<false>(self, precomputed.dim, keepdim, min, min_indices);
}

[[structured::impl("argmax.out", "PrivateUse1")]]
void argmax_host(const at::Tensor& self, std::optional<int64_t> dim, bool keepdim, const at::Tensor& out) {
  set_indices<true>(self, dim, keepdim, out);
}

[[structured::impl("argmin.out", "PrivateUse1")]]
void argmin_host(const at::Tensor& self, std::optional<int64_t> dim, bool keepdim, const at::Tensor& out) {
  set_indices<false>(self, dim, keepdim, out);
}

[[structured::impl("any.out", "PrivateUse1")]]
void any_host(const at::Tensor& self, int64_t dim, bool keepdim, const at::Tensor& out) {
  set_any_or_all<true>(self, at::IntArrayRef(dim), keepdim, out);
}

[[structured::impl("any.all_out", "PrivateUse1")]]
void any_all_host(const at::Tensor& self, const at::Tensor& out) {
  set_any_or_all<true>(self, std::nullopt, /*keepdim=*/false, out);
}

[[structured::impl("all.out", "PrivateUse1")]]
void all_host(const at::Tensor& self, int64_t dim, bool keepdim, const at::Tensor& out) {
  set_any_or_all<false>(self, at::IntArrayRef(dim), keepdim, out);
}

[[structured::impl("all.all_out", "PrivateUse1")]]
void all_all_host(const at::Tensor& self, const at::Tensor& out) {
  set_any_or_all<false>(self, std::nullopt, /*keepdim=*/false, out);
}

[[structured::impl("_softmax.out", "PrivateUse1")]]
void softmax_host(const at::Tensor& self, int64_t dim, bool half_to_float, const at::Tensor& out) {
  visit_floating_type("softmax", self.scalar_type(), [&]<class T>() {
    for_each_line<T>(
        reduced_dims(at::IntArrayRef(dim), self.dim()),
        [](const Line<T>& result, const Line<T>& line) {
          const double top = largest(line);
          const double total = sum(line, [&](int64_t i) { return std::exp(line[i] - top); });
          for (int64_t i = 0; i < line.size(); ++i) result.set(i, std::exp(line[i] - top) / total);
        },
        out, self);
  });
}

[[structured::impl("_log_softmax.out", "PrivateUse1")]]
void log_softmax_host(const at::Tensor& self, int64_t dim, bool half_to_float, const at::Tensor& out) {
  visit_floating_type("log_softmax", self.scalar_type(), [&]<class T>() {
    for_each_line<T>(
        reduced_dims(at::IntArrayRef(dim), self.dim()),
        [](const Line<T>& result, const Line<T>& line) {
          const double top = largest(line);
          const double total = sum(line, [&](int64_t i) { return std::exp(line[i] - top); });
          for (int64_t i = 0; i < line.size(); ++i) result.set(i, line[i] - top - std::log(total));
        },
        out, self);
  });
}

[[structured::impl("_softmax_backward_data.out", "PrivateUse1")]]
void softmax_backward_host(const at::Tensor& grad_output, const at::Tensor& output, int64_t dim,
                           at::ScalarType input_dtype, const at::Tensor& grad_input) {
  visit_floating_type("softmax_backward", output.scalar_type(), [&]<class T>() {
    for_each_line<T>(
        reduced_dims(at::IntArrayRef(dim), output.dim()),
        [](const Line<T>& result, const Line<T>& grad, const Line<T>& y) {
          const double total = sum(y, [&](int64_t i) { return static_cast<double>(grad[i]) * y[i]; });
          for (int64_t i = 0; i < y.size(); ++i) result.set(i, (grad[i] - total) * y[i]);
        },
        grad_input, grad_output, output);
  });
}

[[structured::impl("_log_softmax_backward_data.out", "PrivateUse1")]]
void log_softmax_backward_host(const at::Tensor& grad_output, const at::Tensor& output, int64_t dim,
                               at::ScalarType input_dtype, const at::Tensor& out) {
  visit_floating_type("log_softmax_backward", output.scalar_type(), [&]<class T>() {
    for_each_line<T>(
        reduced_dims(at::IntArrayRef(dim), output.dim()),
        [](const Line<T>& result, const Line<T>& grad, const Line<T>& y) {
          const double total = sum(y, [&](int64_t i) { return grad[i]; });
          for (int64_t i = 0; i < y.size(); ++i) result.set(i, grad[i] - std::exp(y[i]) * total);
        },
        out, grad_output, output);
  });
}

}  // namespace host_device

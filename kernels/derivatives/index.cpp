// Derivatives of operators that read or write elements by index.
#include <structured/autograd/grad_mode.h>
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/shape.h>
#include <structured/ops/_strong_zero_mul.h>
#include <structured/ops/_to_copy.h>
#include <structured/ops/any.h>
#include <structured/ops/arange.h>
#include <structured/ops/bucketize.h>
#include <structured/ops/clamp.h>
#include <structured/ops/clamp_min.h>
#include <structured/ops/constant_pad_nd.h>
#include <structured/ops/cumsum.h>
#include <structured/ops/div.h>
#include <structured/ops/embedding_dense_backward.h>
#include <structured/ops/eq.h>
#include <structured/ops/expand.h>
#include <structured/ops/gather.h>
#include <structured/ops/ge.h>
#include <structured/ops/gt.h>
#include <structured/ops/index.h>
#include <structured/ops/index_add.h>
#include <structured/ops/index_fill.h>
#include <structured/ops/index_put.h>
#include <structured/ops/index_reduce.h>
#include <structured/ops/index_select.h>
#include <structured/ops/isnan.h>
#include <structured/ops/item.h>
#include <structured/ops/le.h>
#include <structured/ops/logical_and.h>
#include <structured/ops/logical_not.h>
#include <structured/ops/logical_or.h>
#include <structured/ops/lt.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/masked_scatter.h>
#include <structured/ops/masked_select.h>
#include <structured/ops/mul.h>
#include <structured/ops/narrow.h>
#include <structured/ops/ones.h>
#include <structured/ops/ones_like.h>
#include <structured/ops/put.h>
#include <structured/ops/reshape.h>
#include <structured/ops/scatter.h>
#include <structured/ops/scatter_add.h>
#include <structured/ops/scatter_reduce.h>
#include <structured/ops/segment_reduce.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/take.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/where.h>
#include <structured/ops/zeros_like.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "derivatives/formula.h"

namespace structured::derivatives {

[[structured::backward("index_select", "self")]]
Tensor index_select(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, const Tensor& index) {
  return structured::index_add(structured::zeros(self_sizes, grad.options()), dim, index, grad);
}

[[structured::backward("index_add", "self")]]
Tensor index_add_self(const Tensor& grad) {
  return grad;
}

[[structured::backward("index_add", "source")]]
Tensor index_add_source(const Tensor& grad, IntArrayRef source_sizes, int64_t dim, const Tensor& index,
                        const Scalar& alpha) {
  return scaled(structured::reshape(structured::index_select(grad, dim, index), source_sizes), conjugate(alpha));
}

[[structured::backward("gather", "self")]]
Tensor gather(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, const Tensor& index) {
  return structured::scatter_add(structured::zeros(self_sizes, grad.options()), dim, index, grad);
}

[[structured::backward("scatter_add", "self")]]
Tensor scatter_add_self(const Tensor& grad) {
  return grad;
}

[[structured::backward("scatter_add", "src")]] [[structured::backward("scatter.src", "src")]]
Tensor scatter_src(const Tensor& grad, int64_t dim, const Tensor& index) {
  return structured::gather(grad, dim, index);
}

[[structured::backward("scatter.src", "self")]] [[structured::backward("scatter.value", "self")]]
Tensor scatter_self(const Tensor& grad, int64_t dim, const Tensor& index) {
  return structured::scatter(grad, dim, index, 0);
}

[[structured::backward("index.Tensor", "self")]]
Tensor index(const Tensor& grad, IntArrayRef self_sizes, ArrayRef<std::optional<Tensor>> indices) {
  return structured::index_put(structured::zeros(self_sizes, grad.options()), indices, grad, true);
}

[[structured::backward("embedding", "weight")]]
Tensor embedding(const Tensor& grad, IntArrayRef weight_sizes, const Tensor& indices, int64_t padding_idx,
                 bool scale_grad_by_freq) {
  return structured::embedding_dense_backward(grad, indices, weight_sizes[0], padding_idx, scale_grad_by_freq);
}

[[structured::backward("take", "self")]]
Tensor take(const Tensor& grad, IntArrayRef self_sizes, const Tensor& index) {
  return structured::put(structured::zeros(self_sizes, grad.options()), index, grad, true);
}

[[structured::backward("put_", "self")]]
Tensor put_self(const Tensor& grad, const Tensor& index, IntArrayRef source_sizes, bool accumulate) {
  return accumulate ? grad : structured::put(grad, index, structured::zeros(source_sizes, grad.options()), false);
}

[[structured::backward("put_", "source")]]
Tensor put_source(const Tensor& grad, const Tensor& index, IntArrayRef source_sizes) {
  return structured::reshape(structured::take(grad, index), source_sizes);
}

[[structured::backward("index_put_", "self")]]
Tensor index_put_self(const Tensor& grad, ArrayRef<std::optional<Tensor>> indices, IntArrayRef values_sizes,
                      bool accumulate) {
  if (accumulate) return grad;
  return structured::index_put(grad, indices, structured::zeros(values_sizes, grad.options()), false);
}

[[structured::backward("index_put_", "values")]]
Tensor index_put_values(const Tensor& grad, ArrayRef<std::optional<Tensor>> indices, IntArrayRef values_sizes) {
  return summed_to(structured::index(grad, indices), values_sizes);
}

[[structured::backward("index_copy", "self")]]
Tensor index_copy_self(const Tensor& grad, int64_t dim, const Tensor& index) {
  return structured::index_fill(grad, dim, index, 0);
}

[[structured::backward("index_copy", "source")]]
Tensor index_copy_source(const Tensor& grad, IntArrayRef source_sizes, int64_t dim, const Tensor& index) {
  return structured::reshape(structured::index_select(grad, dim, index), source_sizes);
}

[[structured::backward("index_fill_.int_Tensor", "self")]]
Tensor index_fill_self(const Tensor& grad, int64_t dim, const Tensor& index) {
  return structured::index_fill(grad, dim, index, 0);
}

[[structured::backward("index_fill_.int_Tensor", "value")]]
Tensor index_fill_value(const Tensor& grad, int64_t dim, const Tensor& index) {
  const Tensor is_filled =
      structured::index_fill(structured::zeros_like(grad), dim, index, 1);  // once if indices repeat
  return structured::sum(structured::mul(grad, is_filled));
}

[[structured::backward("masked_fill_.Tensor", "self")]] [[structured::backward("masked_fill.Tensor", "self")]]
Tensor masked_fill_self(const Tensor& grad, const Tensor& mask) {
  return structured::masked_fill(grad, mask, 0);
}

[[structured::backward("masked_fill_.Tensor", "value")]] [[structured::backward("masked_fill.Tensor", "value")]]
Tensor masked_fill_value(const Tensor& grad, const Tensor& mask) {
  return structured::sum(structured::where(mask, grad, 0.0));
}

[[structured::backward("masked_select", "self")]]
Tensor masked_select(const Tensor& grad, IntArrayRef self_sizes, const Tensor& mask) {
  const Tensor broadcast = structured::zeros(broadcast_shape(self_sizes, mask.sizes()), grad.options());
  return summed_to(structured::masked_scatter(broadcast, mask, grad), self_sizes);
}

[[structured::backward("masked_scatter_", "self")]]
Tensor masked_scatter_self(const Tensor& grad, const Tensor& mask) {
  return structured::masked_fill(grad, mask, 0);
}

[[structured::backward("masked_scatter_", "source")]]
Tensor masked_scatter_source(const Tensor& grad, const Tensor& mask, IntArrayRef source_sizes) {
  const Tensor used = structured::masked_select(grad, mask);
  int64_t count = 1;
  for (const int64_t size : source_sizes) count *= size;
  return structured::reshape(structured::constant_pad_nd(used, {0, count - used.numel()}), source_sizes);
}

[[structured::backward("embedding_dense_backward", "grad_output")]]
Tensor embedding_dense(const Tensor& grad, const Tensor& indices, int64_t padding_idx) {
  const Tensor rows = structured::index_select(grad, 0, structured::reshape(indices, -1));
  DimVector sizes(indices.sizes());
  sizes.push_back(grad.size(1));
  const Tensor result = structured::reshape(rows, sizes);
  if (padding_idx < 0) return result;
  return structured::masked_fill(result, structured::unsqueeze(structured::eq(indices, padding_idx), -1), 0);
}

namespace {

/// Products of the factors `src` and of what `multiply` multiplies them by, with the history of all. Factors that are 0
/// are multiplied apart by `multiply_alone`, since the product of the others may overflow, and 0 times infinity is NaN.
template <typename Multiply, typename MultiplyAlone>
Tensor multiplied_apart(const Tensor& src, Multiply multiply, MultiplyAlone multiply_alone) {
  const Tensor is_zero = structured::eq(src, 0);
  return structured::_strong_zero_mul(multiply_alone(structured::masked_fill(src, structured::logical_not(is_zero), 1)),
                                      multiply(structured::masked_fill(src, is_zero, 1)));
}

/// Gradient of the factors `src` of products `out`. A factor that is the only 0 of its product gets the product of the
/// others. `multiply` returns the products of other factors, `multiply_alone` those of the factors alone, `count_of`
/// how many factors with a flag the product of each factor has, and `chosen` the product of each factor.
template <typename Multiply, typename MultiplyAlone, typename CountOf, typename Chosen>
Tensor of_factors(const Tensor& grad, const Tensor& src, const Tensor& out, Multiply multiply,
                  MultiplyAlone multiply_alone, CountOf count_of, Chosen chosen) {
  const Tensor is_zero = structured::eq(src, 0);
  const Tensor zeros = count_of(is_zero);
  const Tensor is_only_zero = structured::logical_and(is_zero, structured::eq(zeros, 1));
  // The derivative by two factors that are 0 is the product of the others.
  if (is_grad_enabled() && src.requires_grad()) {
    const Tensor has_several = structured::any(structured::logical_and(is_zero, structured::gt(zeros, 1)));
    STRUCTURED_CHECK(!structured::item(has_several).to<bool>(),
                     "Double backward is unsupported for src when >1 zeros in src are scattered to the same position "
                     "in self");
  }
  const Tensor others = multiply(structured::masked_fill(src, is_only_zero, 1));
  const Tensor products = is_grad_enabled() ? multiplied_apart(src, multiply, multiply_alone) : out;
  Tensor by_division =
      structured::div(chosen(structured::_strong_zero_mul(grad, products)), structured::masked_fill(src, is_zero, 1));
  // Products with a 0 are NaN if the product of the other factors overflowed.
  if (!is_grad_enabled()) by_division = structured::masked_fill(by_division, structured::gt(zeros, 0), 0);
  return structured::where(is_only_zero, chosen(structured::_strong_zero_mul(grad, others)), by_division);
}

/// Gradient of `self`, which is multiplied by the factors `src`. `multiply_alone` returns the products of its argument,
/// and `counted` how many factors with a flag each product has.
template <typename MultiplyAlone, typename Counted>
Tensor of_multiplied(const Tensor& grad, const Tensor& src, MultiplyAlone multiply_alone, Counted counted) {
  Tensor factors;
  if (is_grad_enabled()) {
    factors = multiplied_apart(src, multiply_alone, multiply_alone);
  } else {  // products with a 0 are NaN if the product of the other factors overflowed
    factors = structured::masked_fill(multiply_alone(src), structured::gt(counted(structured::eq(src, 0)), 0), 0);
  }
  return structured::_strong_zero_mul(grad, factors);
}

}  // namespace

[[structured::backward("index_reduce", "self", "source")]]
TwoTensors index_reduce(const Tensor& grad, const Tensor& self, const Tensor& source, const Tensor& out, int64_t dim,
                        const Tensor& index, std::string_view reduce, bool include_self) {
  const auto zero_where_written = [&](const Tensor& a) {
    return include_self ? a : structured::index_fill(a, dim, index, 0);
  };
  const auto chosen = [&](const Tensor& a) { return structured::index_select(a, dim, index); };
  const auto number = [&](const Tensor& flags) { return structured::_to_copy(flags, grad.scalar_type()); };
  if (reduce == "prod") {
    const auto product = [&](const Tensor& a, const Tensor& b) {
      return structured::index_reduce(a, dim, index, b, reduce, include_self);
    };
    const auto counted = [&](const Tensor& flags) {
      return structured::index_add(structured::zeros_like(self), dim, index, number(flags));
    };
    const auto count_of = [&](const Tensor& flags) { return chosen(counted(flags)); };
    const auto multiply = [&](const Tensor& b) { return product(self, b); };
    const auto multiply_alone = [&](const Tensor& b) { return product(structured::ones_like(self), b); };
    return {zero_where_written(of_multiplied(grad, source, multiply_alone, counted)),
            of_factors(grad, source, out, multiply, multiply_alone, count_of, chosen)};
  }
  if (reduce == "mean") {
    const Tensor ones = zero_where_written(structured::ones_like(grad));
    Tensor count = structured::index_add(ones, dim, index, structured::ones_like(source));
    count = structured::masked_fill(count, structured::eq(count, 0), 1);
    return {zero_where_written(structured::div(grad, count)), structured::div(chosen(grad), chosen(count))};
  }
  const Tensor is_chosen_self = zero_where_written(number(structured::eq(self, out)));
  const Tensor is_chosen_source = number(structured::eq(source, chosen(out)));
  const Tensor count = structured::index_add(is_chosen_self, dim, index, is_chosen_source);
  const Tensor share = structured::div(grad, structured::masked_fill(count, structured::eq(count, 0), 1));
  return {structured::mul(is_chosen_self, share), structured::mul(is_chosen_source, chosen(share))};
}

[[structured::backward("scatter_reduce.two", "self", "src")]]
TwoTensors scatter_reduce(const Tensor& grad, const Tensor& self, const Tensor& src, const Tensor& out, int64_t dim,
                          const Tensor& index, std::string_view reduce, bool include_self) {
  const Tensor of_src = structured::gather(grad, dim, index);
  const auto zero_where_written = [&](const Tensor& a) {
    return include_self ? a : structured::scatter(a, dim, index, 0);
  };
  if (reduce == "sum") return {zero_where_written(grad), of_src};
  if (reduce == "mean") {
    const Tensor ones = structured::ones_like(grad);
    Tensor count = structured::scatter_add(zero_where_written(ones), dim, index, structured::ones_like(src));
    count = structured::masked_fill(count, structured::eq(count, 0), 1);
    return {zero_where_written(structured::div(grad, count)),
            structured::div(of_src, structured::gather(count, dim, index))};
  }
  if (reduce == "prod") {
    const auto product = [&](const Tensor& a, const Tensor& b) {
      return structured::scatter_reduce(a, dim, index, b, reduce, include_self);
    };
    const auto counted = [&](const Tensor& flags) {
      const Tensor numbers = structured::_to_copy(flags, grad.scalar_type());
      return structured::scatter_add(structured::zeros_like(self), dim, index, numbers);
    };
    const auto chosen = [&](const Tensor& a) { return structured::gather(a, dim, index); };
    const auto count_of = [&](const Tensor& flags) { return chosen(counted(flags)); };
    const auto multiply = [&](const Tensor& b) { return product(self, b); };
    const auto multiply_alone = [&](const Tensor& b) { return product(structured::ones_like(self), b); };
    return {zero_where_written(of_multiplied(grad, src, multiply_alone, counted)),
            of_factors(grad, src, out, multiply, multiply_alone, count_of, chosen)};
  }
  const auto number = [&](const Tensor& flags) { return structured::_to_copy(flags, grad.scalar_type()); };
  const Tensor is_chosen_self = zero_where_written(number(structured::eq(self, out)));
  const Tensor is_chosen_src = number(structured::eq(src, structured::gather(out, dim, index)));
  const Tensor count = structured::scatter_add(is_chosen_self, dim, index, is_chosen_src);
  const Tensor share = structured::div(grad, structured::masked_fill(count, structured::eq(count, 0), 1));
  return {structured::mul(is_chosen_self, share),
          structured::mul(is_chosen_src, structured::gather(share, dim, index))};
}

/// Elements outside all segments have no gradient.
[[structured::backward("segment_reduce", "data")]]
Tensor segment_reduce(const Tensor& grad, const Tensor& data, std::string_view reduce,
                      const std::optional<Tensor>& lengths, const std::optional<Tensor>& offsets, int64_t axis,
                      const std::optional<Scalar>& initial, const Tensor& out) {
  const int64_t dim = wrap_dim(axis, data.dim());
  const bool has_offsets = offsets.has_value() && offsets->defined();
  const Tensor bounds = has_offsets ? *offsets : structured::constant_pad_nd(structured::cumsum(*lengths, -1), {1, 0});
  const int64_t segments = bounds.size(-1) - 1;
  const Tensor positions = structured::unsqueeze(structured::arange(data.size(dim), bounds.options()), -1);
  const Tensor is_reached = structured::le(structured::unsqueeze(bounds, -2), positions);
  const Tensor numbers = structured::sub(structured::sum(is_reached, -1), 1);
  const auto in_shape = [&](Tensor a) {
    while (a.dim() < data.dim()) a = structured::unsqueeze(a, -1);
    return structured::expand(a, data.sizes());
  };
  const Tensor index = in_shape(structured::clamp(numbers, 0, std::max<int64_t>(segments - 1, 0)));
  const Tensor is_outside =
      in_shape(structured::logical_or(structured::lt(numbers, 0), structured::ge(numbers, segments)));
  const auto chosen = [&](const Tensor& a) {
    return structured::masked_fill(structured::gather(a, dim, index), is_outside, 0);
  };
  const auto count_of = [&](const Tensor& flags) {
    const Tensor counted = structured::masked_fill(structured::_to_copy(flags, grad.scalar_type()), is_outside, 0);
    return structured::gather(structured::scatter_add(structured::zeros_like(out), dim, index, counted), dim, index);
  };
  if (reduce == "sum") return chosen(grad);
  if (reduce == "mean")
    return structured::div(chosen(grad), structured::clamp_min(count_of(structured::ones_like(data)), 1));
  if (reduce == "prod") {
    const auto product = [&](const Tensor& a, const std::optional<Scalar>& first) {
      return structured::segment_reduce(a, reduce, std::nullopt, std::nullopt, bounds, axis, true, first);
    };
    const auto multiply = [&](const Tensor& a) { return product(a, initial); };
    const auto multiply_alone = [&](const Tensor& a) { return product(a, std::nullopt); };
    return of_factors(grad, data, out, multiply, multiply_alone, count_of, chosen);
  }
  const Tensor is_chosen = structured::logical_or(structured::eq(data, chosen(out)), structured::isnan(data));
  const Tensor share = structured::div(chosen(grad), structured::clamp_min(count_of(is_chosen), 1));
  return structured::masked_fill(share, structured::logical_not(is_chosen), 0);
}

namespace {

/// The bag of each index, from the positions at which bags begin.
Tensor bags_of(const Tensor& indices, const Tensor& offsets, bool include_last_offset) {
  const Tensor begins = include_last_offset ? structured::narrow(offsets, 0, 0, offsets.numel() - 1) : offsets;
  const Tensor positions = structured::arange(indices.numel(), offsets.options());
  return structured::sub(structured::bucketize(positions, begins, false, true), 1);
}

}  // namespace

[[structured::backward("_embedding_bag", "weight")]]
Tensor embedding_bag_weight(const Tensor& grad_out0, IntArrayRef weight_sizes, const Tensor& indices,
                            const Tensor& offsets, int64_t mode, const std::optional<Tensor>& per_sample_weights,
                            bool include_last_offset, int64_t padding_idx, const Tensor& out3) {
  if (!grad_out0.defined()) return Tensor();
  constexpr int64_t mean = 1;
  constexpr int64_t max = 2;
  const Tensor zero = structured::zeros(weight_sizes, grad_out0.options());
  const Tensor bags = bags_of(indices, offsets, include_last_offset);
  const Tensor ones = structured::ones({indices.numel()}, grad_out0.options());
  const Tensor is_used = structured::masked_fill(ones, structured::eq(indices, padding_idx), 0);
  const Tensor counts =
      structured::index_add(structured::zeros({grad_out0.size(0)}, grad_out0.options()), 0, bags, is_used);
  if (mode == max) {
    const Tensor of_bags = structured::masked_fill(grad_out0, structured::unsqueeze(structured::eq(counts, 0), 1), 0);
    return structured::scatter_add(zero, 0, out3.detach(), of_bags);
  }
  Tensor factors = is_used;
  if (mode == mean)
    factors = structured::div(factors, structured::clamp_min(structured::index_select(counts, 0, bags), 1));
  if (per_sample_weights.has_value() && per_sample_weights->defined())
    factors = structured::mul(factors, *per_sample_weights);
  const Tensor rows = structured::mul(structured::index_select(grad_out0, 0, bags), structured::unsqueeze(factors, 1));
  return structured::index_add(zero, 0, indices, rows);
}

[[structured::backward("_embedding_bag", "per_sample_weights")]]
Tensor embedding_bag_factors(const Tensor& grad_out0, const Tensor& weight, const Tensor& indices,
                             const Tensor& offsets, bool include_last_offset, int64_t padding_idx) {
  if (!grad_out0.defined()) return Tensor();
  const Tensor rows = structured::index_select(grad_out0, 0, bags_of(indices, offsets, include_last_offset));
  const Tensor products =
      structured::sum(structured::mul(rows, structured::index_select(weight, 0, indices)), 1, false);
  return structured::masked_fill(products, structured::eq(indices, padding_idx), 0);
}

}  // namespace structured::derivatives

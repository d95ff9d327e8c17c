// Operators with a meta function.
#include <structured/torch_stable.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace stable_trial {

using structured::torch_stable::MetaBase;
using structured::torch_stable::options_of;
using torch::headeronly::ScalarType;
using torch::stable::Tensor;

namespace {

void check_floats(const Tensor& tensor, const char* name) {
  STD_TORCH_CHECK(tensor.scalar_type() == ScalarType::Float, "expected `", name, "` to have dtype Float");
}

// Calls `visit(i, element)` for the elements in order, whatever the strides.
template <class Visit>
void visit_elements(const Tensor& tensor, const Visit& visit) {
  float* const data = static_cast<float*>(tensor.mutable_data_ptr());
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    int64_t rest = i, offset = 0;
    for (int64_t dim = tensor.dim(); dim-- > 0;) {
      offset += rest % tensor.size(dim) * tensor.stride(dim);
      rest /= tensor.size(dim);
    }
    visit(i, data[offset]);
  }
}

std::vector<float> values_of(const Tensor& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.numel()));
  visit_elements(tensor, [&](int64_t i, float value) { values[static_cast<std::size_t>(i)] = value; });
  return values;
}

}  // namespace

/// `self * factor`, plus `bias` where it is given.
[[structured::meta("scale", "scale_", "scale.out"), structured::tags("pointwise")]]
void scale_meta(MetaBase& op, const Tensor& self, double factor = 2, const std::optional<Tensor>& bias = std::nullopt) {
  check_floats(self, "self");
  STD_TORCH_CHECK(!bias || bias->numel() == 1, "scale: expected `bias` to have one element");
  op.set_output_raw_strided(0, self.sizes(), self.strides(), options_of(self));
}

[[structured::impl("scale.out", "CPU")]]
void scale_cpu(const Tensor& self, double factor, const std::optional<Tensor>& bias, const Tensor& out) {
  const float added = bias ? values_of(*bias)[0] : 0;
  const std::vector<float> values = values_of(self);
  visit_elements(out, [&](int64_t i, float& value) {
    value = values[static_cast<std::size_t>(i)] * static_cast<float>(factor) + added;
  });
}

/// Smallest and largest elements of each row.
[[structured::meta("row_range", "row_range.out"), structured::returns("low", "high")]]
void row_range_meta(MetaBase& op, const Tensor& self, bool keepdim = false) {
  check_floats(self, "self");
  STD_TORCH_CHECK(self.dim() == 2 && self.size(1) > 0, "row_range: expected rows with elements");
  const std::vector<int64_t> sizes = keepdim ? std::vector{self.size(0), int64_t{1}} : std::vector{self.size(0)};
  op.set_output_raw_strided(0, sizes, {}, options_of(self));
  op.set_output_raw_strided(1, sizes, {}, options_of(self));
}

[[structured::impl("row_range.out", "CPU")]]
void row_range_cpu(const Tensor& self, bool keepdim, const Tensor& low, const Tensor& high) {
  const std::vector<float> values = values_of(self);
  const auto row = [&](int64_t i) { return values.begin() + i * self.size(1); };
  visit_elements(low, [&](int64_t i, float& value) { value = *std::min_element(row(i), row(i + 1)); });
  visit_elements(high, [&](int64_t i, float& value) { value = *std::max_element(row(i), row(i + 1)); });
}

/// Repeats a matrix along both dimensions, in columns of contiguous elements.
[[structured::meta("tile", "tile.out")]]
void tile_meta(MetaBase& op, const Tensor& self, [[structured::size(2)]] const std::vector<int64_t>& counts) {
  check_floats(self, "self");
  STD_TORCH_CHECK(self.dim() == 2, "tile: expected a matrix, got a tensor with ", self.dim(), " dimensions");
  const int64_t rows = self.size(0) * counts[0], columns = self.size(1) * counts[1];
  op.set_output_strided(0, {rows, columns}, {1, rows}, options_of(self));
}

[[structured::impl("tile.out", "CPU")]]
void tile_cpu(const Tensor& self, const std::vector<int64_t>& counts, const Tensor& out) {
  const std::vector<float> values = values_of(self);
  float* const data = static_cast<float*>(out.mutable_data_ptr());
  for (int64_t column = 0; column < out.size(1); ++column) {
    for (int64_t row = 0; row < out.size(0); ++row) {
      const int64_t i = row % self.size(0) * self.size(1) + column % self.size(1);
      data[column * out.size(0) + row] = values[static_cast<std::size_t>(i)];
    }
  }
}

/// Concatenates vectors.
[[structured::meta("join", "join.out")]]
void join_meta(MetaBase& op, const std::vector<Tensor>& tensors) {
  STD_TORCH_CHECK(!tensors.empty(), "join: expected at least one tensor");
  int64_t size = 0;
  for (const Tensor& tensor : tensors) {
    check_floats(tensor, "tensors");
    STD_TORCH_CHECK(tensor.dim() == 1, "join: expected vectors");
    size += tensor.size(0);
  }
  op.set_output_raw_strided(0, {size}, {}, options_of(tensors[0]));
}

[[structured::impl("join.out", "CPU")]]
void join_cpu(const std::vector<Tensor>& tensors, const Tensor& out) {
  std::vector<float> values;
  for (const Tensor& tensor : tensors) {
    const std::vector<float> part = values_of(tensor);
    values.insert(values.end(), part.begin(), part.end());
  }
  visit_elements(out, [&](int64_t i, float& value) { value = values[static_cast<std::size_t>(i)]; });
}

}  // namespace stable_trial

// Factories of matrices: eye, tril_indices and triu_indices.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_options.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/kernel/resize.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/empty.h>
#include <structured/ops/fill.h>
#include <structured/ops/zero.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace structured::kernels {
namespace {

void check_sides(int64_t n, int64_t m) {
  STRUCTURED_CHECK(n >= 0 && m >= 0, "eye: expected sizes of 0 or more, got ", n, " and ", m);
}

Tensor& set_identity(Tensor& out) {
  structured::zero_(out);
  Tensor ones = structured::diagonal(out);
  structured::fill_(ones, 1);
  return out;
}

// Columns [begin, end) of a row that lie in the triangle.
struct RowPart {
  int64_t begin;
  int64_t end;
};

Tensor triangle_positions(const char* name, int64_t row, int64_t col, int64_t offset, bool is_upper,
                          TensorOptions options) {
  STRUCTURED_CHECK(row >= 0 && col >= 0, name, ": expected `row` and `col` of 0 or more, got ", row, " and ", col);
  offset = std::clamp(offset, -row, col);
  const __int128 shift = static_cast<__int128>(offset) + !is_upper;
  const auto part = [=](int64_t r) -> RowPart {
    const auto middle = static_cast<int64_t>(std::clamp<__int128>(r + shift, 0, col));
    return is_upper ? RowPart{middle, col} : RowPart{0, middle};
  };
  // Counts the elements of the lower triangle: empty rows, then rows that grow by 1, then full rows.
  const auto grow_from = std::clamp<__int128>(-shift, 0, row);
  const auto full_from = std::clamp<__int128>(col - shift, grow_from, row);
  __int128 count = (row - full_from) * col;
  if (full_from > grow_from) {
    count += (grow_from + full_from - 1 + 2 * shift) * (full_from - grow_from) / 2;
  }
  if (is_upper) count = static_cast<__int128>(row) * col - count;
  STRUCTURED_CHECK(count <= std::numeric_limits<int64_t>::max() / 32, name, ": too many positions for `row` ", row,
                   " and `col` ", col);
  const auto total = static_cast<int64_t>(count);
  const ScalarType dtype = options.dtype_opt().value_or(kLong);
  detail::check_options(options.dtype(dtype));
  STRUCTURED_CHECK(dtype == kLong || dtype == kInt, name, ": expected `dtype` to be Int or Long, got ", dtype);
  if (options.device().is_meta()) return detail::empty({2, total}, options.dtype(dtype));
  const Tensor positions = detail::empty({2, total}, kLong);
  int64_t* rows = positions.data_ptr<int64_t>();
  int64_t* columns = rows + total;
  // Range of rows that are not empty.
  const auto first_row = static_cast<int64_t>(is_upper ? 0 : grow_from);
  const auto end_row = total == 0 ? first_row : static_cast<int64_t>(is_upper ? full_from : row);
  for (int64_t r = first_row; r < end_row; ++r) {
    const RowPart here = part(r);
    for (int64_t c = here.begin; c < here.end; ++c) {
      *rows++ = r;
      *columns++ = c;
    }
  }
  if (dtype == kLong && options.device().is_cpu()) return positions;
  const Tensor result = detail::empty({2, total}, options.dtype(dtype));
  copy_into(result, positions);
  return result;
}

}  // namespace

/// Identity matrix [n, n]. `dtype` defaults to the default dtype, `device` to the CPU.
[[structured::kernel("eye", "CompositeExplicitAutograd")]]
Tensor eye(int64_t n, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
           std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
           std::optional<bool> pin_memory = std::nullopt) {
  check_sides(n, n);
  Tensor out = structured::empty({n, n}, dtype, layout, device, pin_memory, std::nullopt);
  return set_identity(out);
}

/// Matrix [n, m] with ones on the main diagonal and 0 elsewhere. `dtype` defaults to the default dtype, `device` to the
/// CPU.
[[structured::kernel("eye.m", "CompositeExplicitAutograd")]]
Tensor eye_m(int64_t n, int64_t m, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
             std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
             std::optional<bool> pin_memory = std::nullopt) {
  check_sides(n, m);
  Tensor out = structured::empty({n, m}, dtype, layout, device, pin_memory, std::nullopt);
  return set_identity(out);
}

/// Writes the identity matrix [n, n] to `out`, which is resized.
[[structured::kernel("eye.out", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor& eye_out(int64_t n, Tensor& out) {
  check_sides(n, n);
  resize_output(out, {n, n});
  return set_identity(out);
}

/// Writes the matrix [n, m] with ones on the main diagonal and 0 elsewhere to `out`, which is resized.
[[structured::kernel("eye.m_out", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor& eye_m_out(int64_t n, int64_t m, Tensor& out) {
  check_sides(n, m);
  resize_output(out, {n, m});
  return set_identity(out);
}

/// Row and column indices [2, K] of the elements of a matrix [row, col] on and below diagonal `offset`, in row-major
/// order. `dtype` is Long or Int.
[[structured::kernel("tril_indices", "CompositeExplicitAutograd"), structured::variants("tril_indices.out")]]
Tensor tril_indices(int64_t row, int64_t col, int64_t offset = 0,
                    [[structured::kwonly]] std::optional<ScalarType> dtype = kLong,
                    std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                    std::optional<bool> pin_memory = std::nullopt) {
  return triangle_positions("tril_indices", row, col, offset, false, {dtype, layout, device, pin_memory});
}

/// Row and column indices [2, K] of the elements of a matrix [row, col] on and above diagonal `offset`, in row-major
/// order. `dtype` is Long or Int.
[[structured::kernel("triu_indices", "CompositeExplicitAutograd"), structured::variants("triu_indices.out")]]
Tensor triu_indices(int64_t row, int64_t col, int64_t offset = 0,
                    [[structured::kwonly]] std::optional<ScalarType> dtype = kLong,
                    std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                    std::optional<bool> pin_memory = std::nullopt) {
  return triangle_positions("triu_indices", row, col, offset, true, {dtype, layout, device, pin_memory});
}

}  // namespace structured::kernels

// Multidimensional histograms of points on CPU.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/number/visit.h>
#include <structured/ops/linspace.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "shared/dense.h"

namespace structured::kernels {
namespace {

using Range = std::optional<ArrayRef<double>>;
using Weight = std::optional<Tensor>;

// Contiguous points [count, rank] with optional weights.
struct Points {
  Tensor coordinates;
  Tensor weights;  // may be undefined
  int64_t count;
  int64_t rank;
};

// Dtype in which histograms of `dtype` are computed.
ScalarType computed_dtype(ScalarType dtype) { return dtype == kHalf || dtype == kBFloat16 ? kFloat : dtype; }

Points points_of(const Tensor& self, const Weight& weight, int64_t rank) {
  const bool is_weighted = weight && weight->defined();
  const ScalarType dtype = computed_dtype(self.scalar_type());
  return {dense(self, dtype), is_weighted ? dense(*weight, dtype) : Tensor(), rank == 0 ? 0 : self.numel() / rank,
          rank};
}

// Bin edges along one dimension. For bins of equal width a division gives the first guess.
template <class T>
struct Axis {
  const T* edges;
  int64_t bins;
  bool is_even;

  // Returns the bin of `value`, or -1. The last bin includes its upper edge.
  int64_t bin_of(T value) const {
    const T least = edges[0];
    const T greatest = edges[bins];
    if (!(value >= least && value <= greatest) || bins == 0) return -1;
    const T* first = edges;
    const T* last = edges + bins + 1;
    if (is_even && greatest > least) {
      const auto guess = static_cast<int64_t>((value - least) * static_cast<T>(bins) / (greatest - least));
      first = edges + std::clamp<int64_t>(guess - 1, 0, bins);
      last = edges + std::clamp<int64_t>(guess + 2, 0, bins + 1);
    }
    return std::clamp<int64_t>(std::upper_bound(first, last, value) - edges - 1, 0, bins - 1);
  }
};

// Sums the points' weights in `hist`, a contiguous tensor with one dimension for each axis.
template <class T>
void count_points(const Points& points, const std::vector<Axis<T>>& axes, bool density, const Tensor& hist) {
  std::vector<double> totals(static_cast<size_t>(hist.numel()), 0);
  const T* point = points.coordinates.data_ptr<T>();
  const T* const weight = points.weights.defined() ? points.weights.data_ptr<T>() : nullptr;
  for (int64_t i = 0; i < points.count; ++i, point += points.rank) {
    int64_t cell = 0;
    for (size_t d = 0; d < axes.size(); ++d) {
      const int64_t bin = axes[d].bin_of(point[d]);
      if (bin < 0) {
        cell = -1;
        break;
      }
      cell = cell * axes[d].bins + bin;
    }
    if (cell >= 0) totals[static_cast<size_t>(cell)] += weight == nullptr ? 1.0 : static_cast<double>(weight[i]);
  }
  if (density) {
    double total = 0;
    for (const double value : totals) total += value;
    for (size_t cell = 0; cell < totals.size(); ++cell) {
      double volume = total;
      int64_t rest = static_cast<int64_t>(cell);
      for (size_t d = axes.size(); d-- > 0;) {
        const int64_t bin = rest % axes[d].bins;
        rest /= axes[d].bins;
        volume *= static_cast<double>(axes[d].edges[bin + 1] - axes[d].edges[bin]);
      }
      totals[cell] /= volume;
    }
  }
  std::transform(totals.begin(), totals.end(), hist.data_ptr<T>(), [](double value) { return static_cast<T>(value); });
}

// Returns the range along dimension `d`: the caller's, or from the least to the greatest coordinate.
template <class T>
std::pair<double, double> ends(const char* name, const Points& points, int64_t d, const Range& range) {
  double least = 0;  // if there are no points
  double greatest = 1;
  if (range) {
    least = static_cast<T>((*range)[static_cast<size_t>(2 * d)]);
    greatest = static_cast<T>((*range)[static_cast<size_t>(2 * d + 1)]);
  } else if (points.count > 0) {
    const T* const at = points.coordinates.data_ptr<T>() + d;
    least = greatest = at[0];
    bool has_nan = std::isnan(at[0]);
    for (int64_t i = 1; i < points.count; ++i) {
      const auto value = static_cast<double>(at[i * points.rank]);
      least = std::min(least, value);
      greatest = std::max(greatest, value);
      has_nan |= std::isnan(value);
    }
    if (has_nan) least = std::numeric_limits<double>::quiet_NaN();
  }
  STRUCTURED_CHECK(std::isfinite(least) && std::isfinite(greatest), name, ": expected a finite range, got [", least,
                   ", ", greatest, "]");
  STRUCTURED_CHECK(least <= greatest, name, ": expected the range to ascend, got [", least, ", ", greatest, "]");
  if (least == greatest) {
    least -= 0.5;
    greatest += 0.5;
  }
  return {least, greatest};
}

void set_edges(const char* name, const Points& points, int64_t d, const Range& range, Tensor edges) {
  const auto [least, greatest] =
      visit<kFloatingTypes>(name, computed_dtype(edges.scalar_type()) == kFloat ? kFloat : kDouble,
                            [&]<class T>() { return ends<T>(name, points, d, range); });
  structured::linspace_out(edges, least, greatest, edges.numel());
}

void fill_histogram(const char* name, const Points& points, const std::vector<Tensor>& edges, bool is_even,
                    bool density, const Tensor& hist) {
  const ScalarType dtype = computed_dtype(hist.scalar_type());
  const Tensor counts = writable(hist, dtype);
  visit<kFloatingTypes>(name, dtype, [&]<class T>() {
    std::vector<Tensor> wide;
    std::vector<Axis<T>> axes;
    for (const Tensor& edge : edges) {
      wide.push_back(dense(edge, dtype));
      axes.push_back({wide.back().data_ptr<T>(), edge.numel() - 1, is_even});
    }
    count_points(points, axes, density, counts);
  });
  store(hist, counts);
}

constexpr const char* kGrid = "histogramdd";

// Checks `self`, whose last dimension holds `axes` coordinates. Integers are accepted only where no element is read.
void check_grid(const Tensor& self, size_t axes, const Weight& weight, ScalarTypeSet types = kAllFloatingTypes) {
  STRUCTURED_CHECK(types.contains(self.scalar_type()), kGrid, ": expected `self` of dtype ", types, ", got ",
                   self.scalar_type());
  STRUCTURED_CHECK(self.dim() >= 2, kGrid, ": expected `self` to have 2 or more dimensions, got ", self.dim());
  STRUCTURED_CHECK(self.size(-1) == static_cast<int64_t>(axes), kGrid,
                   ": expected as many coordinates as there are `bins`, ", axes, ", got sizes ", self.sizes());
  if (!weight || !weight->defined()) return;
  STRUCTURED_CHECK(weight->scalar_type() == self.scalar_type(), kGrid, ": expected `weight` of dtype ",
                   self.scalar_type(), ", got ", weight->scalar_type());
  STRUCTURED_CHECK(weight->sizes() == self.sizes().slice(0, self.sizes().size() - 1), kGrid,
                   ": expected a `weight` for each point of sizes ", self.sizes(), ", got sizes ", weight->sizes());
}

void check_bins(IntArrayRef bins, const Range& range) {
  for (const int64_t count : bins) {
    STRUCTURED_CHECK(count > 0, kGrid, ": expected positive numbers of `bins`, got ", bins);
  }
  STRUCTURED_CHECK(!range || range->size() == 2 * bins.size(), kGrid, ": expected ", 2 * bins.size(),
                   " numbers in `range`, got ", range->size());
}

std::vector<Tensor> even_edges(const Tensor& self, IntArrayRef bins, const Range& range, const Points& points) {
  std::vector<Tensor> edges;
  for (size_t d = 0; d < bins.size(); ++d) {
    edges.push_back(empty(bins[d] + 1, self.options()));
    set_edges(kGrid, points, static_cast<int64_t>(d), range, edges.back());
  }
  return edges;
}

}  // namespace

[[structured::impl("histogram.bin_ct_out", "CPU")]]
void histogram_cpu(const Tensor& self, [[maybe_unused]] int64_t bins, std::optional<ArrayRef<double>> range,
                   const std::optional<Tensor>& weight, bool density, const Tensor& hist, const Tensor& bin_edges) {
  const Points points = points_of(self, weight, 1);
  set_edges("histogram", points, 0, range, bin_edges);
  fill_histogram("histogram", points, {bin_edges}, true, density, hist);
}

[[structured::impl("histogram.bins_tensor_out", "CPU")]]
void histogram_edges_cpu(const Tensor& self, const Tensor& bins, const std::optional<Tensor>& weight, bool density,
                         const Tensor& hist, const Tensor& bin_edges) {
  copy_into(bin_edges, bins);
  fill_histogram("histogram", points_of(self, weight, 1), {bin_edges}, false, density, hist);
}

/// Edges of `bins[d]` bins of equal width along each coordinate d of the points `self` [..., D]: D vectors [bins[d] +
/// 1]. `range` has the lower and upper bound for each coordinate, by default the minimum and maximum. Floating-point
/// dtypes only.
[[structured::kernel("_histogramdd_bin_edges", "CPU", "Meta"), structured::variants("_histogramdd_bin_edges.out")]]
std::vector<Tensor> histogramdd_bin_edges(const Tensor& self, IntArrayRef bins,
                                          [[structured::kwonly]] std::optional<ArrayRef<double>> range = std::nullopt,
                                          const std::optional<Tensor>& weight = std::nullopt,
                                          [[maybe_unused]] bool density = false) {
  check_grid(self, bins.size(), weight, self.numel() == 0 ? kRealTypes : kFloatingTypes);
  check_bins(bins, range);
  if (self.is_meta()) {
    std::vector<Tensor> edges;
    for (const int64_t count : bins) edges.push_back(empty(count + 1, self.options()));
    return edges;
  }
  return even_edges(self, bins, range, points_of(self, weight, static_cast<int64_t>(bins.size())));
}

/// D-dimensional histogram of the points `self` [..., D] with `bins[d]` bins of equal width along each coordinate:
/// [bins[0], bins[1], ...]. `range`, `weight` and `density` are those of histogram. Floating-point dtypes
/// only.
[[structured::kernel("_histogramdd_from_bin_cts", "CPU", "Meta"),
  structured::variants("_histogramdd_from_bin_cts.out")]]
Tensor histogramdd_from_bin_cts(const Tensor& self, IntArrayRef bins,
                                [[structured::kwonly]] std::optional<ArrayRef<double>> range = std::nullopt,
                                const std::optional<Tensor>& weight = std::nullopt, bool density = false) {
  check_grid(self, bins.size(), weight, self.numel() == 0 ? kAllFloatingTypes : kFloatingTypes);
  check_bins(bins, range);
  const Tensor hist = empty(bins, self.options());
  if (hist.is_meta()) return hist;
  const Points points = points_of(self, weight, static_cast<int64_t>(bins.size()));
  fill_histogram(kGrid, points, even_edges(self, bins, range, points), true, density, hist);
  return hist;
}

/// D-dimensional histogram of the points `self` [..., D] with the ascending bin edges `bins`, one vector [B_d + 1] for
/// each coordinate: [B_0, B_1, ...]. `weight` and `density` are those of histogram. Floating-point dtypes
/// only.
[[structured::kernel("_histogramdd_from_bin_tensors", "CPU", "Meta"),
  structured::variants("_histogramdd_from_bin_tensors.out")]]
Tensor histogramdd_from_bin_tensors(const Tensor& self, TensorList bins,
                                    [[structured::kwonly]] const std::optional<Tensor>& weight = std::nullopt,
                                    bool density = false) {
  check_grid(self, bins.size(), weight);
  std::vector<Tensor> edges;
  DimVector sizes;
  for (const Tensor& axis : bins) {
    STRUCTURED_CHECK(axis.dim() == 1 && axis.numel() > 0, kGrid, ": expected `bins` to be vectors of edges, got sizes ",
                     axis.sizes());
    STRUCTURED_CHECK(axis.scalar_type() == self.scalar_type(), kGrid, ": expected `bins` of dtype ", self.scalar_type(),
                     ", got ", axis.scalar_type());
    edges.push_back(axis.is_meta() ? axis : dense(axis, axis.scalar_type()));
    sizes.push_back(axis.numel() - 1);
  }
  const Tensor hist = empty(sizes, self.options());
  if (hist.is_meta()) return hist;
  fill_histogram(kGrid, points_of(self, weight, static_cast<int64_t>(bins.size())), edges, false, density, hist);
  return hist;
}

}  // namespace structured::kernels

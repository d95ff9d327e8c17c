// Micro-kernels (kernels/cpu/micro_kernel.h), compared bit for bit with sums of fused multiply-adds in the same order,
// for every tile size and every instruction set of this machine.
#include "cpu/micro_kernel.h"

#include <structured/device/simd_level.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace structured::kernels {
namespace {

std::vector<float> random_values(size_t count) {
  std::mt19937 generator(static_cast<unsigned>(count));
  std::normal_distribution<float> distribution;
  std::vector<float> result(count);
  for (float& value : result) value = distribution(generator);
  return result;
}

// Runs `test` with each instruction set that has micro-kernels.
template <class Test>
void for_each_level(const Test& test) {
  const SimdLevel before = simd_level();
  for (const SimdLevel level : {SimdLevel::avx2, SimdLevel::avx512}) {
    if (level > best_simd_level()) continue;
    set_simd_level(level);
    const testing::ScopedTrace trace(__FILE__, __LINE__, to_string(level));
    test();
  }
  set_simd_level(before);
}

std::string shape(int64_t rows, int64_t columns) {
  return std::to_string(rows) + " rows of " + std::to_string(columns) + " columns";
}

TEST(MicroKernel, NeedsFusedMultiplyAdd) {
  const SimdLevel before = simd_level();
  set_simd_level(SimdLevel::baseline);
  EXPECT_EQ(micro_kernels<ImplicitGemmTile>(), nullptr);
  EXPECT_EQ(micro_kernels<DirectNhwcTile>(), nullptr);
  set_simd_level(before);
}

TEST(MicroKernel, MultipliesRowsAtOffsets) {
  const std::vector<float> values = random_values(4000);
  const std::vector<ImplicitGemmTile::Offsets> offsets{{0, 3}, {7, 40}, {2, 41}, {2, 500}, {90, 0}};
  for_each_level([&] {
    const auto& kernels = *micro_kernels<ImplicitGemmTile>();
    for (int64_t vectors = 1; vectors <= kernels.max_vectors; ++vectors) {
      for (int64_t wanted = kernels.max_rows[vectors - 1] + 1; wanted > 0; --wanted) {
        const int64_t rows = kernels.rows_of_tile(vectors, wanted);
        ASSERT_LE(rows, wanted);
        const int64_t columns = vectors * kernels.lanes;
        std::vector<const float*> starts;
        for (int64_t r = 0; r < rows; ++r) starts.push_back(values.data() + 1000 + 100 * r);
        std::vector<float> out(static_cast<size_t>(rows * columns));
        kernels.run(vectors, rows,
                    {starts.data(), values.data(), offsets.data(), static_cast<int64_t>(offsets.size()), out.data()});
        for (int64_t r = 0; r < rows; ++r) {
          for (int64_t n = 0; n < columns; ++n) {
            float expected = 0;
            for (const auto& [row, vector] : offsets) {
              expected =
                  std::fma(starts[static_cast<size_t>(r)][row], values[static_cast<size_t>(vector + n)], expected);
            }
            ASSERT_EQ(out[static_cast<size_t>(r * columns + n)], expected) << shape(rows, columns);
          }
        }
      }
    }
  });
}

TEST(MicroKernel, MultipliesRunsAndWritesNoElementBeyondTheLast) {
  constexpr int64_t kRowStep = 3;
  constexpr int64_t kVectorStep = 70;
  constexpr float kUntouched = -7;
  const std::vector<float> values = random_values(8000);
  const std::vector<DirectNhwcTile::Run> runs{{0, 0, 4}, {50, 1000, 1}, {20, 400, 3}};
  for_each_level([&] {
    const auto& kernels = *micro_kernels<DirectNhwcTile>();
    for (int64_t vectors = 1; vectors <= kernels.max_vectors; ++vectors) {
      for (int64_t rows = 1; rows <= kernels.max_rows[vectors - 1]; ++rows) {
        for (int64_t last = 1; last <= kernels.lanes; ++last) {
          for (const bool adds : {false, true}) {
            const int64_t columns = (vectors - 1) * kernels.lanes + last;
            const int64_t stride = vectors * kernels.lanes;
            std::vector<float> out(static_cast<size_t>(rows * stride), kUntouched);
            std::vector<const float*> starts;
            std::vector<const float*> from;
            std::vector<float*> to;
            for (int64_t r = 0; r < rows; ++r) {
              starts.push_back(values.data() + 2000 + 100 * r);
              from.push_back(values.data() + 3000 + 64 * r);
              to.push_back(out.data() + r * stride);
            }
            kernels.run(vectors, rows,
                        {starts.data(), kRowStep, values.data(), kVectorStep, runs.data(),
                         static_cast<int64_t>(runs.size()), last, adds ? from.data() : nullptr, to.data()});
            for (int64_t r = 0; r < rows; ++r) {
              const auto row = static_cast<size_t>(r);
              for (int64_t n = 0; n < stride; ++n) {
                float expected = 0;
                for (const DirectNhwcTile::Run& run : runs) {
                  for (int64_t k = 0; k < run.count; ++k) {
                    expected = std::fma(starts[row][run.row + k * kRowStep],
                                        values[static_cast<size_t>(run.vector + k * kVectorStep + n)], expected);
                  }
                }
                if (adds) expected += from[row][n];
                ASSERT_EQ(to[row][n], n < columns ? expected : kUntouched) << shape(rows, columns);
              }
            }
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace structured::kernels

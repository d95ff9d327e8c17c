// Times attention. Prints a line with microseconds and name for each case. See bench/attention.py.
#include <structured/core/factory.h>
#include <structured/ops/rand.h>
#include <structured/ops/scaled_dot_product_attention.h>
#include <structured/ops/to.h>

#include <optional>
#include <string>

#include "shared/clock.h"

using structured::ScalarType;
using structured::Tensor;

namespace {

struct Shape {
  const char* name;
  int64_t batch, heads, queries, keys, width;
};

constexpr Shape kShapes[] = {
    {"8x12 heads of 128x64", 8, 12, 128, 128, 64},
    {"8 heads of 1024x64", 1, 8, 1024, 1024, 64},
    {"8 heads of 4096x64", 1, 8, 4096, 4096, 64},
    {"32 heads of 1 query, 2048 keys, 128", 1, 32, 1, 2048, 128},
};

void measure(const Shape& shape, const char* dtype_name, ScalarType dtype) {
  const auto random = [&](int64_t length) {
    return structured::to(structured::rand({shape.batch, shape.heads, length, shape.width}), dtype);
  };
  const Tensor query = random(shape.queries);
  const Tensor key = random(shape.keys);
  const Tensor value = random(shape.keys);
  const std::string name = std::string(shape.name) + ", " + dtype_name;
  bench::print_best(name.c_str(), [&] { structured::scaled_dot_product_attention(query, key, value); });
  if (shape.queries == 1) return;
  bench::print_best((name + ", causal").c_str(), [&] {
    structured::scaled_dot_product_attention(query, key, value, std::nullopt, 0.0, /*is_causal=*/true);
  });
}

}  // namespace

int main() {
  for (const Shape& shape : kShapes) measure(shape, "Float", structured::kFloat);
  for (const Shape& shape : kShapes) measure(shape, "BFloat16", structured::kBFloat16);
}

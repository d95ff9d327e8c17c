// PyTorch's program of bench/overhead.py, in its fastest mode (InferenceMode) unless the environment variable MODE is
// nograd or default instead of infer. Cases have the same names as in ours.cpp.
#include <ATen/ATen.h>
#include <ATen/CPUFunctions.h>
#include <ATen/MetaFunctions.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/stack.h>
#include <c10/core/InferenceMode.h>

#include <memory>

#include "cases.h"

using at::Tensor;
using overhead::add_case;
using overhead::add_timed_case;

namespace {

Tensor floats(std::vector<int64_t> sizes) { return at::rand(sizes); }

void add_binary_cases() {
  add_case("add", [a = floats({1}), b = floats({1})] { return CALL(at::add(a, b)); });
  add_case("add_out", [] {
    Tensor out = floats({1}), a = floats({1}), b = floats({1});
    return CALL(at::add_out(out, a, b));
  });
  add_case("add_", [] {
    Tensor a = floats({1}), b = floats({1});
    return CALL(a.add_(b));
  });
  add_case("cpu::add", [a = floats({1}), b = floats({1})] { return CALL(at::cpu::add(a, b)); });
  add_case("cpu::add_out", [] {
    Tensor out = floats({1}), a = floats({1}), b = floats({1});
    return CALL(at::cpu::add_out(out, a, b));
  });
  add_case("cpu::add_", [] {
    Tensor a = floats({1}), b = floats({1});
    return CALL(at::cpu::add_(a, b));
  });
  add_case("boxed add", [a = floats({1}), b = floats({1})] {
    const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("aten::add", "Tensor");
    torch::jit::Stack stack;
    stack.reserve(8);
    return [=]() mutable {
      stack.emplace_back(a);
      stack.emplace_back(b);
      stack.emplace_back(int64_t{1});
      op.callBoxed(&stack);
      overhead::keep(stack.back());
      stack.clear();
    };
  });
  const Tensor meta = at::empty({1}, at::device(at::kMeta));
  add_case("add on meta", [a = meta, b = at::empty_like(meta)] { return CALL(at::add(a, b)); });
  add_case("meta::add", [a = meta, b = at::empty_like(meta)] { return CALL(at::meta::add(a, b)); });
  add_case("add number", [a = floats({1})] { return CALL(at::add(a, 2.0)); });
  add_case("add int32 + float32", [a = at::ones({1}, at::kInt), b = floats({1})] { return CALL(at::add(a, b)); });
  add_case("add transposed", [a = floats({4, 2}).t(), b = floats({2, 4})] { return CALL(at::add(a, b)); });
  add_case("add broadcast", [a = floats({2, 4}), b = floats({4})] { return CALL(at::add(a, b)); });
  add_case("mul", [a = floats({1}), b = floats({1})] { return CALL(at::mul(a, b)); });
}

void add_other_kernels() {
  static const std::vector<int64_t> dims{0}, width{2};
  add_case("relu", [a = floats({1})] { return CALL(at::relu(a)); });
  add_case("exp", [a = floats({1})] { return CALL(at::exp(a)); });
  add_case("sum over a dimension", [a = floats({1})] { return CALL(at::sum(a, at::IntArrayRef(dims))); });
  add_case("cat of two", [list = std::vector<Tensor>{floats({1}), floats({1})}] { return CALL(at::cat(list)); });
  add_case("mm 2x2", [a = floats({2, 2}), b = floats({2, 2})] { return CALL(at::mm(a, b)); });
  add_case("dot", [a = floats({2}), b = floats({2})] { return CALL(at::dot(a, b)); });
  add_case("clone", [a = floats({1})] { return CALL(a.clone()); });
  add_case("upsample_nearest1d",
           [a = floats({1, 1, 1})] { return CALL(at::upsample_nearest1d(a, at::IntArrayRef(width))); });
}

// Memory-bound: the two cases differ by the cost of mapping the result's pages.
void add_large_cases() {
  constexpr int64_t size = 1 << 24;
  add_timed_case("add, 16M elements", [] {
    Tensor a = floats({size}), b = floats({size});
    return CALL(at::add(a, b));
  });
  add_timed_case("add_out, 16M elements", [] {
    Tensor out = floats({size}), a = floats({size}), b = floats({size});
    return CALL(at::add_out(out, a, b));
  });
}

void add_factories_and_views() {
  add_case("empty", [] { return CALL(at::empty({8})); });
  add_case("cpu::empty", [] { return CALL(at::cpu::empty({8})); });
  add_case("view", [a = floats({2, 4})] { return CALL(a.view({4, 2})); });
  add_case("select", [a = floats({2, 4})] { return CALL(a.select(0, 1)); });
  add_case("transpose", [a = floats({2, 4})] { return CALL(a.transpose(0, 1)); });
  add_case("copy of a tensor", [a = floats({8})] {
    return [=]() mutable {
      Tensor copy = a;
      overhead::keep(copy);
    };
  });
}

// Cases whose operands require gradients, outside of inference mode.
void add_recorded_cases() {
  struct Operands {
    c10::InferenceMode recording{false};
    Tensor a = floats({1}).requires_grad_();
    Tensor b = at::ones({1});
  };
  add_case("mul recorded", [] {
    const auto operands = std::make_shared<Operands>();
    return [operands, a = operands->a, b = operands->b]() mutable {
      auto&& result = at::mul(a, b);
      overhead::keep(result);
    };
  });
  add_case("mul and backward", [] {
    const auto operands = std::make_shared<Operands>();
    return [operands, a = operands->a, b = operands->b]() mutable {
      at::mul(a, b).backward();
      a.mutable_grad().reset();
    };
  });
  const auto add_chain = [](const char* name, const auto& op) {
    add_case(name, [op] {
      const auto operands = std::make_shared<Operands>();
      return [op, operands, a = operands->a, b = operands->b]() mutable {
        Tensor x = a;
        for (int i = 0; i < 100; ++i) x = op(x, b);
        x.backward();
        a.mutable_grad().reset();
      };
    });
  };
  add_chain("100 mul and backward", [](const Tensor& x, const Tensor& b) { return at::mul(x, b); });
  add_chain("100 add and backward", [](const Tensor& x, const Tensor& b) { return at::add(x, b); });
  add_chain("100 tanh and backward", [](const Tensor& x, const Tensor&) { return at::tanh(x); });
  add_chain("100 silu and backward", [](const Tensor& x, const Tensor&) { return at::silu(x); });
}

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(1);
  const char* const wanted = std::getenv("MODE");
  const std::string mode = wanted == nullptr ? "infer" : wanted;
  c10::optional<c10::InferenceMode> inference;
  c10::optional<at::NoGradGuard> no_grad;
  if (mode == "infer") inference.emplace(true);
  if (mode == "nograd") no_grad.emplace();
  add_binary_cases();
  add_other_kernels();
  add_factories_and_views();
  add_recorded_cases();
  add_large_cases();
  return overhead::run_cases(argc, argv);
}

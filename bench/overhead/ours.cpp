// Our program of bench/overhead.py. Cases that are also in peer_torch.cpp have the same names.
#include <structured/operators.h>
#include <structured/structured.h>

#include <memory>
#include <vector>

#include "cases.h"

using overhead::add_case;
using overhead::add_timed_case;
using structured::Tensor;

namespace {

Tensor floats(std::vector<int64_t> sizes) { return structured::full(sizes, 0.5, structured::kFloat); }

void add_binary_cases() {
  add_case("add", [a = floats({1}), b = floats({1})] { return CALL(structured::add(a, b)); });
  add_case("add_out", [] {
    Tensor out = floats({1}), a = floats({1}), b = floats({1});
    return CALL(structured::add_out(out, a, b));
  });
  add_case("add_", [] {
    Tensor a = floats({1}), b = floats({1});
    return CALL(structured::add_(a, b));
  });
  add_case("cpu::add", [a = floats({1}), b = floats({1})] { return CALL(structured::cpu::add(a, b)); });
  add_case("cpu::add_out", [] {
    Tensor out = floats({1}), a = floats({1}), b = floats({1});
    return CALL(structured::cpu::add_out(out, a, b));
  });
  add_case("cpu::add_", [] {
    Tensor a = floats({1}), b = floats({1});
    return CALL(structured::cpu::add_(a, b));
  });
  add_case("boxed add", [a = floats({1}), b = floats({1})] {
    const structured::OperatorHandle* const op = structured::find_operator("aten::add.Tensor");
    structured::Stack stack;
    stack.reserve(8);
    return [=]() mutable {
      stack.emplace_back(a);
      stack.emplace_back(b);
      stack.emplace_back(int64_t{1});
      op->call(stack);
      overhead::keep(stack.back());
      stack.clear();
    };
  });
  add_case("prepared add_out", [] {
    Tensor out = floats({1}), a = floats({1}), b = floats({1});
    const auto op = std::make_shared<structured::PreparedOperator>(structured::cpu::prepare_add_out(out, a, b));
    return [op = op.get(), owner = op] { op->run(); };
  });
  const auto meta = [] { return structured::empty({1}, structured::TensorOptions(structured::kMeta)); };
  add_case("add on meta", [a = meta(), b = meta()] { return CALL(structured::add(a, b)); });
  add_case("meta::add", [a = meta(), b = meta()] { return CALL(structured::meta::add(a, b)); });
  add_case("add number", [a = floats({1})] { return CALL(structured::add(a, 2.0)); });
  add_case("add int32 + float32",
           [a = structured::full({1}, 1, structured::kInt), b = floats({1})] { return CALL(structured::add(a, b)); });
  add_case("add transposed", [a = structured::transpose(floats({4, 2}), 0, 1), b = floats({2, 4})] {
    return CALL(structured::add(a, b));
  });
  add_case("add broadcast", [a = floats({2, 4}), b = floats({4})] { return CALL(structured::add(a, b)); });
  add_case("mul", [a = floats({1}), b = floats({1})] { return CALL(structured::mul(a, b)); });
}

void add_other_kernels() {
  static const std::vector<int64_t> dims{0}, width{2};
  add_case("relu", [a = floats({1})] { return CALL(structured::relu(a)); });
  add_case("exp", [a = floats({1})] { return CALL(structured::exp(a)); });
  add_case("sum over a dimension",
           [a = floats({1})] { return CALL(structured::sum(a, structured::IntArrayRef(dims))); });
  add_case("cat of two",
           [list = std::vector<Tensor>{floats({1}), floats({1})}] { return CALL(structured::cat(list)); });
  add_case("mm 2x2", [a = floats({2, 2}), b = floats({2, 2})] { return CALL(structured::mm(a, b)); });
  add_case("dot", [a = floats({2}), b = floats({2})] { return CALL(structured::dot(a, b)); });
  add_case("clone", [a = floats({1})] { return CALL(structured::clone(a)); });
  add_case("upsample_nearest1d",
           [a = floats({1, 1, 1})] { return CALL(structured::upsample_nearest1d(a, structured::IntArrayRef(width))); });
}

// Memory-bound: the two cases differ by the cost of mapping the result's pages.
void add_large_cases() {
  constexpr int64_t size = 1 << 24;
  add_timed_case("add, 16M elements", [] {
    Tensor a = floats({size}), b = floats({size});
    return CALL(structured::add(a, b));
  });
  add_timed_case("add_out, 16M elements", [] {
    Tensor out = floats({size}), a = floats({size}), b = floats({size});
    return CALL(structured::add_out(out, a, b));
  });
}

void add_factories_and_views() {
  add_case("empty", [] { return CALL(structured::empty({8})); });
  add_case("cpu::empty", [] { return CALL(structured::cpu::empty({8})); });
  add_case("view", [a = floats({2, 4})] { return CALL(structured::view(a, {4, 2})); });
  add_case("select", [a = floats({2, 4})] { return CALL(structured::select(a, 0, 1)); });
  add_case("transpose", [a = floats({2, 4})] { return CALL(structured::transpose(a, 0, 1)); });
  add_case("copy of a tensor", [a = floats({8})] {
    return [=]() mutable {
      Tensor copy = a;
      overhead::keep(copy);
    };
  });
}

// Cases whose operands require gradients. Chains show the cost of a backward pass for each operator.
void add_recorded_cases() {
  add_case("mul recorded", [a = floats({1}).requires_grad_(), b = structured::full({1}, 1, structured::kFloat)] {
    return CALL(structured::mul(a, b));
  });
  add_case("mul and backward", [a = floats({1}).requires_grad_(), b = structured::full({1}, 1, structured::kFloat)] {
    return [=]() mutable {
      structured::mul(a, b).backward();
      a.set_grad(Tensor());
    };
  });
  const auto add_chain = [](const char* name, const auto& op) {
    add_case(name, [op, a = floats({1}).requires_grad_(), b = structured::full({1}, 1, structured::kFloat)] {
      return [=]() mutable {
        Tensor x = a;
        for (int i = 0; i < 100; ++i) x = op(x, b);
        x.backward();
        a.set_grad(Tensor());
      };
    });
  };
  add_chain("100 mul and backward", [](const Tensor& x, const Tensor& b) { return structured::mul(x, b); });
  add_chain("100 add and backward", [](const Tensor& x, const Tensor& b) { return structured::add(x, b); });
  add_chain("100 tanh and backward", [](const Tensor& x, const Tensor&) { return structured::tanh(x); });
  add_chain("100 silu and backward", [](const Tensor& x, const Tensor&) { return structured::silu(x); });
}

}  // namespace

int main(int argc, char** argv) {
  add_binary_cases();
  add_other_kernels();
  add_factories_and_views();
  add_recorded_cases();
  add_large_cases();
  return overhead::run_cases(argc, argv);
}

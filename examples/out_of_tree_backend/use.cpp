// Loads a backend at run time and uses its device: `use_npu LIBRARY`. Prints the result of each check and returns 1 if
// a check fails.
#include <structured/dispatch/imports.h>
#include <structured/operators.h>
#include <structured/structured.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <vector>

using namespace structured;

namespace {

int failures = 0;

void expect(bool condition, const char* what) {
  std::cout << (condition ? "ok: " : "FAILED: ") << what << "\n";
  failures += !condition;
}

Tensor to(const char* device, const Tensor& tensor) {
  const Tensor result = empty(tensor.sizes(), tensor.options().device(Device(device)));
  return copy_(const_cast<Tensor&>(result), tensor);
}

bool holds(const Tensor& tensor, const std::vector<float>& values) {
  return to_vector<float>(tensor.is_cpu() ? tensor : to("cpu", tensor)) == values;
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void check_memory() {
  const Tensor host = tensor<float>({1, -2, 3, -4}, {2, 2});
  const Tensor there = to("npu", host);
  expect(to_string(there.device()) == "npu", "tensors are on `npu`");
  expect(holds(there, {1, -2, 3, -4}), "copies there and back keep values");
  expect(holds(transpose(there, 0, 1), {1, 3, -2, -4}), "views of them are read by their strides");
  expect(holds(to("npu:1", there), {1, -2, 3, -4}), "from one device to another");
  expect(holds(zeros({2}, TensorOptions(Device("npu"))), {0, 0}), "factories fill them");
}

void check_imported_kernels() {
  Tensor a = to("npu", tensor<float>({1, -2, 3}));
  const Tensor b = to("npu", tensor<float>({10, 20, 30}));
  expect(holds(add(a, b, 2), {21, 38, 63}), "add, by the kernel for add.out");
  expect(holds(relu(a), {1, 0, 3}), "relu");
  Tensor out = empty({0}, a.options());
  expect(add_out(out, a, b).is_same(out) && holds(out, {11, 18, 33}), "add_out resizes");
  add_(a, b);
  expect(holds(a, {11, 18, 33}) && a.version() == 2, "add_ writes in place and counts");
  const Tensor column = to("npu", tensor<float>({1, 2}, {2, 1}));
  expect(holds(add(column, b), {11, 21, 31, 12, 22, 32}), "broadcasting");
  expect(holds(mm(column, to("npu", tensor<float>({3, 4}, {1, 2}))), {3, 4, 6, 8}), "mm");
  expect(contains(error_of([&] {
                    add(a, column);
                    add(a, empty({2}, a.options()));
                  }),
                  "2"),
         "shapes are checked");
  expect(contains(error_of([&] { add(b, empty({3})); }), "npu"), "devices are checked");
  expect(contains(error_of([&] { mm(column, to("npu:1", column)); }), "npu:1"), "also two of one kind");
}

void check_common_wrappers() {
  Tensor a = to("npu", tensor<float>({1, 2, 3}));
  const Tensor result = mul(a, a);
  expect(holds(result, {1, 4, 9}) && to_string(result.device()) == "npu", "mul, where only mul.out is registered");
  mul_(a, a);
  expect(holds(a, {1, 4, 9}), "mul_ too");
  expect(contains(error_of([&] { mul_(a, empty({2, 3}, a.options())); }), "expected"), "mul_ cannot change the shape");
}

void check_other_ways() {
  Tensor a = to("npu", tensor<float>({0, 1}));
  expect(holds(exp(a), {1, std::exp(1.0f)}), "exp, which the backend took over");
  expect(contains(error_of([&] { exp(to("npu", tensor<double>({1}))); }), "npu: exp"), "with checks of its own");
  exp_(a);
  expect(holds(a, {1, std::exp(1.0f)}), "exp_, by the fallback to cpu");
  const Tensor sums = sum(to("npu", tensor<float>({1, 2, 3, 4}, {2, 2})), {1});
  expect(holds(sums, {3, 7}) && to_string(sums.device()) == "npu", "sum, by the fallback to cpu");
  expect(holds(cat({a, a}), {1, std::exp(1.0f), 1, std::exp(1.0f)}), "cat, whose argument is a list");
  expect(holds(linear(to("npu", tensor<float>({1, 2}, {1, 2})), to("npu", tensor<float>({3, 4}, {1, 2}))), {11}),
         "linear, made of other operators");
}

void check_layers() {
  Program program;
  Profile profile;
  const Tensor a = to("npu", tensor<float>({1}));
  {
    const Tracer tracer(program);
    const Profiler profiler(profile);
    mul(relu(a), a);
  }
  expect(program.calls().size() == 2 && profile.events().size() >= 2, "layers see its calls");
  expect(contains(to_string(program), "Float[1] npu"), "and name it");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: use_npu LIBRARY\n";
    return 2;
  }
  expect(contains(error_of([] { empty({1}, TensorOptions(Device("privateuseone"))); }), "allocator"),
         "without the library there is no such memory");
  load_library(argv[1]);
  check_memory();
  check_imported_kernels();
  check_common_wrappers();
  check_other_ways();
  check_layers();
  for (const char* name : {"aten::mul.Tensor", "aten::mul.out", "aten::exp", "aten::cat"}) {
    const std::string table = dispatch_table(name);
    const std::size_t line = table.find("PrivateUse1");
    std::cout << name << ": " << table.substr(line, table.find('\n', line) - line) << "\n";
  }
  return failures == 0 ? 0 : 1;
}

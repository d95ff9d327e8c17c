// Calls operators by name. Prints `missing` for one that the library does not have, and the message of an error.
#include <edge/find_operator.h>
#include <structured/base/error.h>
#include <structured/core/factory.h>

#include <cstdio>

using namespace structured;

namespace {

void call(const char* name, Stack stack) {
  const OperatorHandle* const op = edge::find_operator(name);
  if (op == nullptr) {
    std::printf("missing\n");
    return;
  }
  try {
    op->call(stack);
    std::printf("%g\n", stack[0].to_tensor().item().to<double>());
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
  }
}

}  // namespace

int main() {
  const Tensor x = scalar_tensor(2, kFloat), y = scalar_tensor(3, kDouble);
  call("edge::add", {x, x});
  call("edge::negate", {x});
  call("edge::add", {y, y});
}

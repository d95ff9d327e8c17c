// Prints the gradients of pointwise operators at given values. Each line of the input is an operator and its arguments:
// `t:VALUE` is a tensor of one element of dtype Double, `n:VALUE` a number. The output repeats the line, and adds the
// gradient of each tensor.
#include <structured/autograd/gradient.h>
#include <structured/core/factory.h>
#include <structured/dispatch/call.h>
#include <structured/find_operator.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace structured;

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string op;
    words >> op;
    Stack arguments;
    std::vector<Tensor> leaves;
    for (std::string word; words >> word;) {
      const double value = std::strtod(word.c_str() + 2, nullptr);
      if (word[0] == 't') {
        leaves.push_back(full({}, value, kDouble).requires_grad_());
        arguments.emplace_back(leaves.back());
      } else {
        arguments.emplace_back(value);
      }
    }
    const OperatorHandle* const found = find_operator("aten::" + op);
    if (found == nullptr) {
      std::cerr << "no operator " << op << "\n";
      return 1;
    }
    const Tensor result = call_operator(*found, std::move(arguments))[0].to_tensor();
    std::printf("%s", line.c_str());
    for (const Tensor& gradient : grad({result}, leaves, {}, {.allow_unused = true})) {
      std::printf(" %.17g", gradient.defined() ? gradient.item<double>() : 0.0);
    }
    std::printf("\n");
  }
}

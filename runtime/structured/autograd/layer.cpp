#include "structured/autograd/layer.h"

#include <algorithm>
#include <string>

#include "structured/autograd/record.h"
#include "structured/dispatch/fallback.h"
#include "structured/dispatch/schema.h"
#include "structured/dispatch/value_tensors.h"

namespace structured::autograd {
namespace {

class NotImplemented final : public DynamicNode {
 public:
  NotImplemented(std::string op, const std::vector<Tensor>& inputs, std::size_t results)
      : DynamicNode(inputs.size(), results), op_(std::move(op)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) connect(i, inputs[i]);
  }

  std::string_view name() const override { return "NotImplemented"; }
  void apply(Gradients, Gradients) override { fail("derivative for ", op_, " is not implemented"); }

 private:
  std::string op_;
};

void record_without_derivative(const BoxedCall& call, Stack& stack) {
  std::vector<Tensor> inputs;
  for (const Value& argument : stack) {
    structured::detail::visit_tensors_in(argument, [&](const Tensor& tensor) {
      if (tensor.requires_grad()) inputs.push_back(tensor);
    });
  }
  if (!is_grad_enabled() || inputs.empty()) return call.proceed(stack);
  const SchemaText schema = read_schema(call.op().schema());
  bool is_inplace = false;
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const SchemaArgument& argument = schema.arguments[i];
    if (!argument.is_mutable()) continue;
    if (argument.is_keyword_only) {
      std::string_view name = call.op().name();
      name.remove_prefix(name.rfind(':') + 1);
      fail_out(name.substr(0, name.find('.')));
    }
    structured::detail::visit_tensors_in(stack[i], [](const Tensor& tensor) { check_inplace(tensor); });
    is_inplace = true;
  }
  {
    const NoGradGuard guard;
    call.proceed(stack);
  }
  std::vector<Tensor> results;
  for (const Value& result : stack) {
    structured::detail::visit_tensors_in(result, [&](const Tensor& tensor) { results.push_back(tensor); });
  }
  const NodePtr node = NodePtr::adopt(new NotImplemented(std::string(call.op().name()), inputs, results.size()));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool is_an_input =
        !is_inplace && std::ranges::any_of(inputs, [&](const Tensor& input) { return input.is_same(results[i]); });
    if (!is_an_input) set_history(results[i], node, static_cast<std::uint16_t>(i));
  }
}

}  // namespace

void install_layer() { detail::set_default_fallback(Layer::Autograd, &record_without_derivative); }

}  // namespace structured::autograd

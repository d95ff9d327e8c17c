#include "structured/autograd/layer.h"

#include <algorithm>
#include <string>

#include "structured/autograd/overwritten.h"
#include "structured/autograd/record.h"
#include "structured/base/error.h"
#include "structured/dispatch/fallback.h"
#include "structured/dispatch/schema.h"
#include "structured/dispatch/value_tensors.h"

namespace structured::autograd {
namespace {

using structured::detail::visit_tensors_in;

bool is_among(const std::vector<Tensor>& tensors, const Tensor& tensor) {
  return std::ranges::any_of(tensors, [&](const Tensor& other) { return other.is_same(tensor); });
}

// Returns the tensors to which the call is about to write. Throws Error if autograd forbids it.
std::vector<Tensor> check_written(const BoxedCall& call, const SchemaText& schema, const Stack& stack) {
  std::vector<Tensor> written;
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const SchemaArgument& argument = schema.arguments[i];
    if (!argument.is_mutable()) continue;
    visit_tensors_in(stack[i], [&](const Tensor& tensor) {
      if (argument.is_keyword_only) {
        std::string_view name = call.op().name();
        name.remove_prefix(name.rfind(':') + 1);
        fail_out(name.substr(0, name.find('.')));
      }
      check_inplace(tensor);
      written.push_back(tensor);
    });
  }
  return written;
}

// Returns the results that are to get a history. A result that the schema declares to be a view and that is an argument
// is replaced by another tensor, since a history would replace that of the argument.
std::vector<Tensor> new_results(const BoxedCall& call, const SchemaText& schema, Stack& stack,
                                const std::vector<Tensor>& arguments, const std::vector<Tensor>& written) {
  std::vector<Tensor> results;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    const bool is_declared = i < schema.returns.size() && !schema.returns[i].alias.empty();
    if (is_declared && stack[i].is(Value::Kind::tensor) && is_among(arguments, stack[i].to_tensor()) &&
        !is_among(written, stack[i].to_tensor())) {
      stack[i] = stack[i].to_tensor().detach();
    }
    visit_tensors_in(stack[i], [&](const Tensor& tensor) {
      if (is_among(written, tensor)) return;
      STRUCTURED_CHECK(!is_among(arguments, tensor), call.op().name(),
                       " returned one of its arguments, and its schema does not say so; return a copy, or declare the "
                       "view by `alias(\"a\")`");
      results.push_back(tensor);
    });
  }
  return results;
}

void record_without_derivative(const BoxedCall& call, Stack& stack) {
  std::vector<Tensor> arguments;
  std::vector<Tensor> inputs;
  for (const Value& argument : stack) {
    visit_tensors_in(argument, [&](const Tensor& tensor) {
      arguments.push_back(tensor);
      if (tensor.requires_grad()) inputs.push_back(tensor);
    });
  }
  if (!is_grad_enabled() || inputs.empty()) return call.proceed(stack);
  const SchemaText schema = read_schema(call.op().schema());
  const std::vector<Tensor> written = check_written(call, schema, stack);
  {
    const NoGradGuard guard;
    call.proceed(stack);
  }
  const std::vector<Tensor> results = new_results(call, schema, stack, arguments, written);
  fail_in_backward(call.op().name(), inputs, written, results);
}

}  // namespace

void install_layer() { detail::set_default_fallback(Layer::Autograd, &record_without_derivative); }

}  // namespace structured::autograd

#include "lower/nodes.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "lower/calling_convention.h"
#include "lower/derivative_names.h"
#include "lower/gradient_operators.h"
#include "model/scalar_function.h"

namespace structured::gen {
namespace {

class NodeBuilder {
 public:
  NodeBuilder(const CppTypes& cpp_types, const Operator& op)
      : cpp_types_(cpp_types),
        op_(op),
        backwards_(derivatives_of(op)),
        schema_(op.variants.front().schema),
        signature_(dispatched_signature(cpp_types, schema_)),
        names_(derivative_names(op)) {}

  llvm::Expected<LoweredNode> build() {
    node_.source = backwards_.front().function.source;
    describe_results();
    if (llvm::Error error = add_constants()) {
      return error;
    }
    if (llvm::Error error = add_inputs()) {
      return error;
    }
    for (const Backward& backward : backwards_) {
      if (llvm::Error error = add_call(backward)) {
        return error;
      }
    }
    find_conditions();
    return std::move(node_);
  }

  LoweredNode build_for_gradient(bool is_second) {
    node_.source = op_.pointwise->function.source;
    describe_results();
    const std::vector<const Argument*> arguments = inputs_of(schema_);
    for (const auto& [role, argument] : llvm::zip_equal(op_.pointwise->roles, arguments)) {
      if (role == Pointwise::Role::element) node_.inputs.push_back({*find_parameter(argument->name), false});
    }
    for (const auto& [position, input] : llvm::enumerate(node_.inputs)) {
      const std::string& name = arguments[input.parameter]->name;
      GradientCall call;
      call.inputs = {position};
      call.conjugates_result = name == "grad";
      if (name != "grad" && is_second) {
        node_.calls.push_back(std::move(call));
        continue;
      }
      call.op = name == "grad" ? schema_.name : second_gradient_operator_name(schema_.name, name);
      for (const auto& [index, argument] : llvm::enumerate(arguments)) {
        if (argument->name == "grad" && name == "grad") {
          call.arguments.push_back({GradientArgument::Kind::conjugate, 0});
          continue;
        }
        GradientArgument value = saved(SavedValue::Kind::input, index, argument->name);
        if (argument->name == "grad") value.kind = GradientArgument::Kind::weighted;
        node_.saved[value.index].users.push_back(position);
        call.arguments.push_back(value);
      }
      node_.calls.push_back(std::move(call));
    }
    find_conditions();
    return std::move(node_);
  }

 private:
  void describe_results() {
    node_.comment = to_string(schema_);
    node_.results = schema_.returns.size();
    node_.returns_list = node_.results == 1 && schema_.returns.front().type.is_list();
    for (const Return& result : schema_.returns) {
      node_.is_tensor.push_back(result.type.is_tensor_like());
    }
  }

  llvm::Error add_constants() {
    const bool has_list = llvm::any_of(schema_.returns, [](const Return& result) { return result.type.is_list(); });
    if (has_list && node_.results > 1) {
      return error("has derivatives and returns a list of tensors beside other results, expected the list alone");
    }
    if (op_.variants.front().kind == Variant::Kind::inplace && schema_.returns.empty()) {
      return error("has derivatives and returns nothing, expected an in-place operator to return its first argument");
    }
    for (const std::string& name : op_.not_differentiable) {
      const std::optional<std::size_t> parameter = find_parameter(name);
      const auto output = llvm::find_if(names_.outputs, [&](const auto& each) { return each.name == name; });
      if (output != names_.outputs.end()) {
        node_.constant_results.push_back(output->index);
      } else if (parameter && inputs_of(schema_)[*parameter]->is_mutable()) {
        node_.constant_arguments.push_back(*parameter);
      } else {
        return error("has no derivative for `" + name + "`, which is neither a result nor a mutable argument");
      }
    }
    llvm::sort(node_.constant_results);
    llvm::sort(node_.constant_arguments);
    return llvm::Error::success();
  }

  llvm::Error error(const llvm::Twine& problem) const {
    return llvm::createStringError(std::errc::invalid_argument, "operator `%s` %s", to_string(schema_.name).c_str(),
                                   problem.str().c_str());
  }

  std::optional<std::size_t> find_parameter(llvm::StringRef name) const {
    const std::vector<const Argument*> inputs = inputs_of(schema_);
    const auto found = llvm::find_if(inputs, [&](const Argument* input) { return input->name == name; });
    if (found == inputs.end()) {
      return std::nullopt;
    }
    return static_cast<std::size_t>(found - inputs.begin());
  }

  // Inputs with a derivative, in the operator's order, with lists last. An in-place operator's `self` comes first.
  llvm::Error add_inputs() {
    const std::vector<const Argument*> arguments = inputs_of(schema_);
    std::vector<NodeInput> lists;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool has_derivative = llvm::any_of(backwards_, [&](const Backward& backward) {
        return llvm::is_contained(backward.inputs, arguments[i]->name);
      });
      const bool is_self = i == 0 && op_.variants.front().kind == Variant::Kind::inplace;
      if (!has_derivative && !is_self) {
        continue;
      }
      const bool is_list = llvm::any_of(arguments[i]->type.wrappers, [](const Type::Wrapper& wrapper) {
        return wrapper.kind == Type::Wrapper::Kind::list;
      });
      (is_list ? lists : node_.inputs).push_back({i, is_list});
    }
    // `check` reports these with their locations.
    const bool has_own_autograd = cpp_types_.wrapper_traits().has_own_autograd;
    const bool has_optional =
        llvm::any_of(lists, [&](const NodeInput& input) { return arguments[input.parameter]->type.is_optional(); });
    if (has_own_autograd && (has_optional || lists.size() > 1)) {
      return error("has derivatives for an optional list or for two lists of tensors, expected one list");
    }
    llvm::append_range(node_.inputs, lists);
    return llvm::Error::success();
  }

  llvm::Error add_call(const Backward& backward) {
    GradientCall call;
    if (backward.kind == Backward::Kind::tensors) {
      call.function = written_function(backward);
    } else if (!cpp_types_.wrapper_traits().has_own_autograd) {
      call.op = gradient_operator_name(schema_.name, backward.inputs.front());
    } else {
      call.emitted = elementwise_gradient(backward);
    }
    for (const std::string& input : backward.inputs) {
      const auto found = llvm::find_if(
          node_.inputs, [&](const NodeInput& candidate) { return candidate.parameter == find_parameter(input); });
      if (found == node_.inputs.end()) {
        return error("has a derivative for `" + input + "`, which is not an input");
      }
      call.inputs.push_back(static_cast<std::size_t>(found - node_.inputs.begin()));
    }
    for (const auto& [position, parameter] : llvm::enumerate(backward.parameters)) {
      std::optional<GradientArgument> argument = find_argument(parameter);
      if (!argument) {
        return error("has a derivative with the parameter `" + parameter +
                     "`, which is not a gradient, input or output");
      }
      if (argument->kind == GradientArgument::Kind::saved) {
        Positions& users = node_.saved[argument->index].users;
        users.insert(users.end(), call.inputs.begin(), call.inputs.end());
      }
      if (takes_optional(backward, position)) make_optional(*argument);
      call.arguments.push_back(*argument);
    }
    node_.calls.push_back(std::move(call));
    return llvm::Error::success();
  }

  // Whether the author's function takes an optional tensor, or a list of them, at this position.
  bool takes_optional(const Backward& backward, std::size_t position) const {
    const std::vector<std::string>& types = backward.function.parameters;
    return backward.kind == Backward::Kind::tensors && position < types.size() &&
           cpp_types_.author_type(qualified_type(types[position])).has_optional;
  }

  void make_optional(GradientArgument& argument) {
    if (argument.kind == GradientArgument::Kind::gradient) argument.kind = GradientArgument::Kind::optional_gradient;
    const bool is_list = argument.kind == GradientArgument::Kind::gradients;
    if (is_list && !cpp_types_.wrapper_traits().has_own_autograd) {
      argument.kind = GradientArgument::Kind::optional_gradients;
    }
    if (argument.kind != GradientArgument::Kind::saved) return;
    SavedValue& value = node_.saved[argument.index];
    const bool is_input = value.kind == SavedValue::Kind::input;
    if (is_input && inputs_of(schema_)[value.index]->type.is(Type::Base::Tensor)) {
      argument.kind = GradientArgument::Kind::saved_unless_modified;
      value.may_be_modified = true;
    }
  }

  // backwards_ are copies, and the node refers to the operator's own.
  const Function* written_function(const Backward& backward) const {
    return &op_.backwards[static_cast<std::size_t>(&backward - backwards_.data())].function;
  }

  ElementwiseGradient elementwise_gradient(const Backward& backward) const {
    const bool is_derived = backward.kind == Backward::Kind::derived;
    const std::string tensor = cpp_types_.argument(Type(), /*is_mutable=*/false);
    ElementwiseGradient gradient;
    gradient.signature.result = cpp_types_.result(Type(), /*is_mutable=*/false);
    gradient.input = backward.inputs.front();
    gradient.operator_name = schema_.name.base;
    gradient.scalar_function = "::" + backward.function.name;
    gradient.header = backward.function.range.file;
    for (const std::string& name : backward.parameters) {
      // Gradients and outputs are elements.
      const std::optional<std::size_t> input = find_input(names_, name);
      const Pointwise::Role role = input ? op_.pointwise->roles[*input] : Pointwise::Role::element;
      const bool is_element = role == Pointwise::Role::element;
      const std::string& type = input && !is_element ? signature_.parameters[*input].type : tensor;
      const Type schema_type = input && !is_element ? inputs_of(schema_)[*input]->type : Type();
      gradient.signature.parameters.push_back({type, name, ""});
      if (is_derived && name == "grad" && !input) {
        continue;
      }
      if (is_element) {
        if (is_derived && name == gradient.input) {
          gradient.derived_for = gradient.elements.size();
        }
        gradient.elements.push_back(name);
      }
      gradient.parameters.push_back({name, type, is_element, /*is_boolean=*/false, schema_type.is_optional(),
                                     conversion_for(role), schema_type.is(Type::Base::Str)});
    }
    gradient.type_parameter = unused_name(op_.pointwise->type_parameter, gradient.signature);
    return gradient;
  }

  std::optional<GradientArgument> find_argument(llvm::StringRef name) {
    const std::vector<DerivativeParameter> meanings = names_.meanings(name);
    if (meanings.empty()) return std::nullopt;
    const DerivativeParameter& parameter = meanings.front();
    switch (parameter.kind) {
      case DerivativeParameter::Kind::gradient:
        return GradientArgument{
            node_.returns_list ? GradientArgument::Kind::gradients : GradientArgument::Kind::gradient, parameter.index};
      case DerivativeParameter::Kind::needs_gradient:
        return GradientArgument{GradientArgument::Kind::needs_flags, 0};
      case DerivativeParameter::Kind::input:
        return saved(SavedValue::Kind::input, parameter.index, name);
      case DerivativeParameter::Kind::property:
        return saved(SavedValue::Kind::property, parameter.index, name, parameter.property);
      case DerivativeParameter::Kind::output:
        return saved(SavedValue::Kind::output, parameter.index, name);
    }
    llvm_unreachable("all kinds are handled");
  }

  // Takes the name that the first derivative uses.
  GradientArgument saved(SavedValue::Kind kind, std::size_t index, llvm::StringRef name,
                         TensorProperty property = TensorProperty::sizes) {
    const auto found = llvm::find_if(node_.saved, [&](const SavedValue& value) {
      return value.kind == kind && value.index == index && value.property == property;
    });
    const auto position = static_cast<std::size_t>(found - node_.saved.begin());
    if (found == node_.saved.end()) {
      const bool is_output = kind == SavedValue::Kind::output;
      const std::string type = is_output ? "" : signature_.parameters[index].type;
      node_.saved.push_back({kind, index, property, name.str(), type, {}});
    }
    return {GradientArgument::Kind::saved, position};
  }

  // A condition that holds for every recorded call is none. Inputs that are lists are not tested.
  bool is_always_needed(const Positions& inputs) const {
    const bool has_list = llvm::any_of(inputs, [&](std::size_t input) { return node_.inputs[input].is_list; });
    return has_list || llvm::all_of(llvm::seq<std::size_t>(0, node_.inputs.size()),
                                    [&](std::size_t input) { return llvm::is_contained(inputs, input); });
  }

  void find_conditions() {
    for (GradientCall& call : node_.calls) {
      call.is_unconditional = is_always_needed(call.inputs);
    }
    for (SavedValue& value : node_.saved) {
      llvm::sort(value.users);
      value.users.erase(std::unique(value.users.begin(), value.users.end()), value.users.end());
      if (is_always_needed(value.users)) {
        value.users.clear();
      }
    }
  }

  const CppTypes& cpp_types_;
  const Operator& op_;
  const std::vector<Backward> backwards_;
  const Schema& schema_;
  const CppSignature signature_;
  const DerivativeNames names_;
  LoweredNode node_;
};

}  // namespace

const char* kind_name(GradientArgument::Kind kind) {
  switch (kind) {
    case GradientArgument::Kind::gradient:
      return "gradient";
    case GradientArgument::Kind::optional_gradient:
      return "optional_gradient";
    case GradientArgument::Kind::gradients:
      return "gradients";
    case GradientArgument::Kind::optional_gradients:
      return "optional_gradients";
    case GradientArgument::Kind::saved:
      return "saved";
    case GradientArgument::Kind::saved_unless_modified:
      return "saved_unless_modified";
    case GradientArgument::Kind::needs_flags:
      return "needs_flags";
    case GradientArgument::Kind::conjugate:
      return "conjugate";
    case GradientArgument::Kind::weighted:
      return "weighted";
  }
  llvm_unreachable("all kinds are named");
}

llvm::Expected<LoweredNode> lower_node(const CppTypes& cpp_types, const Operator& op) {
  return NodeBuilder(cpp_types, op).build();
}

LoweredNode lower_gradient_node(const CppTypes& cpp_types, const Operator& op, bool is_second) {
  return NodeBuilder(cpp_types, op).build_for_gradient(is_second);
}

llvm::StringRef class_of_saved(TensorProperty property) {
  switch (property) {
    case TensorProperty::sizes:
      return "SavedSizes";
    case TensorProperty::strides:
      return "SavedStrides";
    case TensorProperty::storage_offset:
      return "SavedStorageOffset";
  }
  llvm_unreachable("all properties are handled");
}

std::string node_base_name(const OperatorName& name) {
  std::string result;
  bool starts_word = true;
  for (const char c : name.base) {
    if (c != '_') {
      result += starts_word ? llvm::toUpper(c) : c;
    }
    starts_word = c == '_';
  }
  return result + "Backward";
}

}  // namespace structured::gen

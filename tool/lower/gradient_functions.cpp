#include "llvm/ADT/STLExtras.h"
#include "lower/lowering.h"

namespace structured::gen {
namespace {

Type list_of_integers() { return {Type::Base::Int, {{Type::Wrapper::Kind::list, std::nullopt}}}; }

bool is_list(const Type& type) {
  return llvm::any_of(type.wrappers, [](const Type::Wrapper& each) { return each.kind == Type::Wrapper::Kind::list; });
}

/// Returns the type of what a node keeps; nullopt if schemas have none.
std::optional<Type> type_of(const SavedValue& saved, const Schema& schema) {
  if (saved.kind == SavedValue::Kind::output) return schema.returns[saved.index].type;
  const Type& type = inputs_of(schema)[saved.index]->type;
  if (saved.kind == SavedValue::Kind::input) return type;
  if (is_list(type)) return std::nullopt;
  return saved.property == TensorProperty::storage_offset ? Type{Type::Base::Int, {}} : list_of_integers();
}

/// The operator that calls one function of the author.
class SchemaBuilder {
 public:
  SchemaBuilder(const LoweredNode& node, const Schema& op) : node_(node), op_(op) {}

  llvm::Expected<Schema> build(const GradientCall& call) const {
    Schema schema;
    schema.name = {op_.name.ns, "_" + op_.name.base + "_backward", op_.name.overload};
    if (node_.calls.size() > 1)
      schema.name.base += "_" + inputs_of(op_)[node_.inputs[call.inputs.front()].parameter]->name;
    for (const GradientArgument& argument : call.arguments) {
      llvm::Expected<Argument> added = argument_for(argument);
      if (!added) return added.takeError();
      schema.positional.push_back(std::move(*added));
    }
    for (const std::size_t input : call.inputs) {
      Type type;
      if (node_.inputs[input].is_list) type.wrappers.push_back({Type::Wrapper::Kind::list, std::nullopt});
      schema.returns.push_back({type, std::nullopt, ""});
    }
    return schema;
  }

 private:
  llvm::Expected<Argument> argument_for(const GradientArgument& argument) const {
    using Kind = GradientArgument::Kind;
    const bool is_saved = argument.kind == Kind::saved || argument.kind == Kind::saved_unless_modified;
    if (!is_saved) {
      Type type;
      if (argument.kind == Kind::optional_gradient || argument.kind == Kind::optional_gradients) {
        type.wrappers.push_back({Type::Wrapper::Kind::optional, std::nullopt});
      }
      if (node_.returns_list) type.wrappers.push_back({Type::Wrapper::Kind::list, std::nullopt});
      return Argument{name_of_gradient(argument.index), type, {}, {}};
    }
    const SavedValue& saved = node_.saved[argument.index];
    std::optional<Type> type = type_of(saved, op_);
    if (!type) return llvm::createStringError("has a derivative with `" + saved.name + "`, which no schema type has");
    if (argument.kind == Kind::saved_unless_modified) {
      type->wrappers.push_back({Type::Wrapper::Kind::optional, std::nullopt});
    }
    return Argument{saved.name, *type, {}, {}};
  }

  std::string name_of_gradient(std::size_t result) const {
    if (node_.results == 1) return "grad";
    const std::string& name = op_.returns[result].name;
    return "grad_" + (name.empty() ? std::to_string(result) : name);
  }

  const LoweredNode& node_;
  const Schema& op_;
};

}  // namespace

llvm::Error add_gradient_functions(Lowering& lowering) {
  if (!lowering.options.has_python_layers) return llvm::Error::success();
  for (LoweredNode& node : lowering.lowered.nodes) {
    const LoweredVariant& variant = lowering.lowered.variants[node.functional];
    for (GradientCall& call : node.calls) {
      if (call.op) {
        call.full_name = lowering.lowered.variants[call.variant].full_name;
        continue;
      }
      if (call.function == nullptr) continue;
      llvm::Expected<Schema> schema = SchemaBuilder(node, variant.derived->schema).build(call);
      if (!schema) return error_for(variant, llvm::toString(schema.takeError()));
      call.full_name = lowering.full_name(schema->name);
      if (llvm::any_of(lowering.lowered.own_variants(),
                       [&](const LoweredVariant& each) { return each.full_name == call.full_name; })) {
        return error_for(variant, "has derivatives, which are the operator `" + call.full_name +
                                      "`; give the author's operator of that name another one");
      }
      schema->name.ns.clear();
      call.schema = to_string(*schema);
    }
  }
  return llvm::Error::success();
}

}  // namespace structured::gen

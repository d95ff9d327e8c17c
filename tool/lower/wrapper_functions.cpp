#include "lower/wrapper_functions.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "lower/calling_convention.h"
#include "lower/requirements.h"

namespace structured::gen {
namespace {

FunctionType function_type(const Function& function) {
  FunctionType type{qualified_type(function.result), {}};
  for (const std::string& parameter : function.parameters) {
    type.parameters.push_back(qualified_type(parameter));
  }
  return type;
}

FunctionType function_type(const CppSignature& signature) { return {signature.result, signature.types()}; }

class FunctionBuilder {
 public:
  FunctionBuilder(const LoweredLibrary& lowered, const LoweredWrapper& wrapper, WrapperPart part)
      : lowered_(lowered),
        wrapper_(wrapper),
        variant_(lowered.variant_of(wrapper)),
        schema_(variant_.derived->schema),
        requirements_(lowered, wrapper),
        part_(part) {}

  std::optional<LoweredFunction> build() {
    if (!has_part()) {
      return std::nullopt;
    }
    function_.parameters = variant_.dispatched.names();
    function_.callees.operator_name =
        lowered_.cpp_types->wrapper_traits().names_wrappers ? wrapper_.name : to_string(schema_.name);
    function_.can_share = wrapper_.kernel == nullptr && variant_.imported == nullptr && !variant_.op->pointwise;
    body_.part = part_;
    body_.type = function_type(variant_.dispatched);
    body_.returns_reference = variant_.dispatched.returns_reference;
    body_.tensors = static_cast<std::size_t>(llvm::count_if(
        arguments_of(schema_), [](const Argument* argument) { return argument->type.is(Type::Base::Tensor); }));
    if (wrapper_.kernel != nullptr) {
      build_kernel_call();
    } else {
      set_structured_callees();
      switch (part_) {
        case WrapperPart::call:
          build_structured_call();
          break;
        case WrapperPart::via_out:
          build_call_via_out();
          break;
        case WrapperPart::prepared:
          build_prepared();
          break;
      }
    }
    return std::move(function_);
  }

 private:
  bool has_part() const {
    switch (part_) {
      case WrapperPart::call:
        return wrapper_.entry == LoweredWrapper::Entry::wrapper;
      case WrapperPart::via_out:  // the wrapper for Meta has it
        return !variant_.via_out.empty() && wrapper_.runs_only_meta();
      case WrapperPart::prepared:
        return lowered_.cpp_types->wrapper_traits().has_tables && lowered_.is_preparable(wrapper_);
    }
    llvm_unreachable("all parts are handled");
  }

  template <class T>
  void add(T step) {
    body_.steps.emplace_back(std::move(step));
  }

  void build_kernel_call() {
    function_.name = wrapper_.name;
    function_.comment = variant_.schema;
    set_kernel_types();
    function_.callees.kernel = "::" + wrapper_.kernel->function.name;
    add_device_steps();
    add_refinement_steps(wrapper_.kernel->function, 0);
    const bool is_void = schema_.returns.empty();
    if (!wrapper_.bumps_versions) {
      add(CallKernel{kernel_arguments(), is_void ? Result::ignored : Result::returned});
      return;
    }
    add_output_check();
    add(CallKernel{kernel_arguments(), is_void ? Result::ignored : Result::kept});
    add(BumpVersions{requirements_.mutable_arguments()});
    if (!is_void) {
      add(ReturnKept{});
    }
  }

  // Without tables, wrappers have the author's types, such as symbolic integers, where the dispatcher accepts them.
  void set_kernel_types() {
    const CppTypes& cpp_types = *lowered_.cpp_types;
    if (cpp_types.wrapper_traits().has_tables) {
      return;
    }
    const FunctionType author = function_type(wrapper_.kernel->function);
    const auto take = [&](std::string& type, const std::string& written) {
      if (cpp_types.canonical(type) == cpp_types.canonical(written)) {
        type = written;
      }
    };
    take(body_.type.result, author.result);
    for (auto [type, written] : llvm::zip(body_.type.parameters, author.parameters)) {
      take(type, cpp_types.recognised(written));
    }
  }

  // The dispatcher passes some lists to its own operators as their meta functions take them.
  void set_list_types() {
    for (auto [type, taken] : llvm::zip(body_.type.parameters, llvm::drop_begin(body_.meta->parameters))) {
      if (lowered_.cpp_types->author_type(taken).is_dispatched_list) {
        type = taken;
      }
    }
  }

  void set_structured_callees() {
    const StructuredParts& parts = structured();
    body_.adaptor = AdaptorClass{variant_.derived->kind, "::" + parts.base.name, parts.output_names.size()};
    body_.meta = function_type(parts.meta);
    if (parts.meta_is_member()) {
      set_list_types();
    }
    function_.callees.meta_is_member = parts.meta_is_member();
    function_.callees.meta = variant_.imported == nullptr ? "::" + parts.meta.name : variant_.meta;
    if (part_ != WrapperPart::via_out && wrapper_.impl != nullptr) {
      body_.impl = function_type(wrapper_.impl->function);
      function_.callees.impl = "::" + wrapper_.impl->function.name;
      if (parts.precomputed) {
        body_.precomputed = "::" + parts.precomputed->type.name;
      }
    }
  }

  void build_structured_call() {
    function_.name = wrapper_.name;
    function_.comment = variant_.schema;
    add_device_steps();
    add_refinement_steps(structured().meta, 1);
    add(MakeAdaptor{adaptor_outputs()});
    if (wrapper_.impl != nullptr) {  // on Meta, no memory is accessed
      add_overlap_check();
    }
    add(CallMeta{meta_arguments(), body_.precomputed.empty() ? Result::ignored : Result::kept});
    if (wrapper_.impl != nullptr) {
      add(CallImpl{impl_arguments()});
    }
    add_return();
  }

  void build_call_via_out() {
    const LoweredVariant& out = lowered_.variants[variant_.out_variant];
    function_.name = variant_.via_out;
    function_.comment = "Used by backends that implement only `" + to_string(out.derived->schema.name) + "`.";
    function_.callees.out_variant = out.table;
    body_.out_variant = function_type(out.dispatched);
    if (requirements_.must_check_devices()) {
      add(CheckDevices{requirements_.tensors()});
    }
    if (!requirements_.tensors().empty()) {
      add(GuardDevice{requirements_.tensors()});
    }
    add_refinement_steps(structured().meta, 1);
    add(MakeAdaptor{adaptor_outputs()});
    if (variant_.derived->kind == Variant::Kind::inplace) {
      add_overlap_check();
    }
    add(CallMeta{meta_arguments(), Result::ignored});
    Positions inputs;
    for (std::size_t i = 0; i < variant_.dispatched.parameters.size(); ++i) {
      inputs.push_back(i);
    }
    add(CallOutVariant{std::move(inputs), out.derived->schema.out.size()});
    add_return();
  }

  void build_prepared() {
    function_.name = "prepared_" + wrapper_.name;
    function_.comment = "Two halves: `begin` runs once, `run` at each run.";
    add_device_steps();
    add_refinement_steps(structured().meta, 1);
    add_overlap_check();
    add(CallMeta{meta_arguments(), body_.precomputed.empty() ? Result::ignored : Result::returned});
    if (requirements_.must_guard_device()) {
      body_.run_steps.emplace_back(GuardDevice{requirements_.device_arguments()});
    }
    body_.run_steps.emplace_back(CallImpl{impl_arguments()});
    body_.run_steps.emplace_back(Finish{});
    if (variant_.op->pointwise) {
      body_.compute_steps.emplace_back(CallImpl{impl_arguments()});
    }
  }

  void add_device_steps() {
    if (requirements_.must_check_devices()) {
      add(CheckDevices{requirements_.tensors()});
    }
    if (requirements_.must_guard_device()) {
      add(GuardDevice{requirements_.device_arguments()});
    }
  }

  // Adds a check for each refined parameter of the author's function, whose inputs begin at parameter `first`. The
  // argument's name is a part of the step, so that few bodies are equal and none is shared.
  void add_refinement_steps(const Function& function, std::size_t first) {
    for (const auto& [position, argument] : llvm::enumerate(arguments_of(schema_))) {
      const std::size_t parameter = first + position;
      if (parameter < function.refined.size() && !function.refined[parameter].empty()) {
        add(CheckRefined{position, qualified_type(function.refined[parameter]), argument->name});
        function_.can_share = false;
      }
    }
  }

  void add_overlap_check() {
    if (variant_.derived->kind == Variant::Kind::functional) {
      return;
    }
    CheckOverlap check;
    const std::optional<std::size_t> reusable = reusable_input();
    check.inputs = tensor_inputs(reusable);
    if (variant_.derived->kind == Variant::Kind::out) {
      check.reusable = reusable;
    }
    if (check.reusable || !check.inputs.empty()) {
      add(std::move(check));
    }
  }

  void add_output_check() {
    const std::string& backend = wrapper_.kernel->backend;
    const bool has_memory = !wrapper_.backend || wrapper_.backend->has_memory;
    if (variant_.derived->kind != Variant::Kind::out || !has_memory) {
      return;
    }
    const std::optional<std::size_t> reusable = reusable_input();
    add(CheckOutputs{adaptor_outputs(), reusable, tensor_inputs(reusable), is_composite_backend(backend)});
  }

  // Returns the input that the operator overwrites in its in-place variant.
  std::optional<std::size_t> reusable_input() const {
    const auto inplace =
        llvm::find_if(variant_.op->variants, [](const Variant& v) { return v.kind == Variant::Kind::inplace; });
    if (inplace == variant_.op->variants.end()) {
      return std::nullopt;
    }
    return first_mutable_input(inplace->schema);
  }

  Positions tensor_inputs(std::optional<std::size_t> except) const {
    Positions positions;
    for (const auto& [position, input] : llvm::enumerate(inputs_of(schema_))) {
      if (input->type.is_tensor_like() && position != except) {
        positions.push_back(position);
      }
    }
    return positions;
  }

  void add_return() {
    if (variant_.derived->kind == Variant::Kind::functional) {
      add(ReturnOutputs{structured().output_names.size()});
      return;
    }
    add(Finish{});
    add(ReturnParameters{adaptor_outputs()});
  }

  // Returns the arguments that the adaptor modifies.
  Positions adaptor_outputs() const {
    switch (variant_.derived->kind) {
      case Variant::Kind::functional:
        return {};
      case Variant::Kind::inplace:
        return {first_mutable_input(schema_)};
      case Variant::Kind::out:
        break;
    }
    Positions outputs;
    const std::size_t inputs = inputs_of(schema_).size();
    for (std::size_t i = 0; i < schema_.out.size(); ++i) {
      outputs.push_back(inputs + i);
    }
    return outputs;
  }

  // Returns the parameter at `position` as the callee's next argument.
  Value argument(std::size_t position, const FunctionType& callee, std::size_t next) const {
    const bool is_known = next < callee.parameters.size();
    return {Value::Kind::parameter, position,
            is_known && lowered_.cpp_types->author_type(callee.parameters[next]).is_optional_reference};
  }

  std::vector<Value> kernel_arguments() const {
    const FunctionType kernel = function_type(wrapper_.kernel->function);
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < variant_.dispatched.parameters.size(); ++i) {
      arguments.push_back(argument(i, kernel, i));
    }
    return arguments;
  }

  std::vector<Value> meta_arguments() const {
    std::vector<Value> arguments{{Value::Kind::adaptor, 0}};
    for (std::size_t i = 0; i < inputs_of(schema_).size(); ++i) {
      arguments.push_back(argument(i, *body_.meta, arguments.size()));
    }
    return arguments;
  }

  std::vector<Value> impl_arguments() const {
    const StructuredParts& parts = structured();
    std::vector<Value> arguments;
    if (wrapper_.impl->takes_base) {
      arguments.push_back({Value::Kind::adaptor, 0});
    }
    for (const auto& [position, input] : llvm::enumerate(inputs_of(schema_))) {
      if (!parts.precomputed || !llvm::is_contained(parts.precomputed->replaced, input->name)) {
        arguments.push_back(argument(position, *body_.impl, arguments.size()));
      }
    }
    if (parts.precomputed) {
      arguments.push_back({Value::Kind::precomputed, 0});
    }
    for (std::size_t i = 0; i < parts.output_names.size(); ++i) {
      arguments.push_back({Value::Kind::output, i});
    }
    return arguments;
  }

  static std::size_t first_mutable_input(const Schema& schema) {
    const std::vector<const Argument*> inputs = inputs_of(schema);
    const auto found = llvm::find_if(inputs, [](const Argument* input) { return input->is_mutable(); });
    return static_cast<std::size_t>(found - inputs.begin());
  }

  const StructuredParts& structured() const { return *variant_.op->structured; }

  const LoweredLibrary& lowered_;
  const LoweredWrapper& wrapper_;
  const LoweredVariant& variant_;
  const Schema& schema_;
  const Requirements requirements_;
  const WrapperPart part_;
  LoweredFunction function_;
  Body& body_ = function_.body;
};

}  // namespace

std::optional<LoweredFunction> lower_function(const LoweredLibrary& lowered, const LoweredWrapper& wrapper,
                                              WrapperPart part) {
  return FunctionBuilder(lowered, wrapper, part).build();
}

}  // namespace structured::gen

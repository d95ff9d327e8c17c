#include "emit/wrappers.h"

#include <map>
#include <set>
#include <vector>

#include "emit/convention.h"
#include "emit/meta_functions.h"
#include "emit/source_text.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// The author's functions that a wrapper reaches.
std::vector<const Function*> functions_of(const Plan& plan, const PlannedWrapper& wrapper) {
  if (wrapper.kernel != nullptr) {
    return {&wrapper.kernel->function};
  }
  std::vector<const Function*> result;
  if (const PlannedVariant& planned = plan.variant_of(wrapper); planned.imported == nullptr) {
    result.push_back(&planned.op->structured->meta);
  }
  if (wrapper.impl != nullptr) {
    result.push_back(&wrapper.impl->function);
  }
  return result;
}

// What a method of an operator's class passes on: its base, if the author's function takes it, and all parameters.
std::vector<std::string> passed_on(const CppSignature& signature, bool takes_base) {
  std::vector<std::string> arguments = signature.names();
  if (takes_base) {
    arguments.insert(arguments.begin(), "*this");
  }
  return arguments;
}

void write_base_class(Writer& writer, const Plan& plan, const PlannedVariant& planned) {
  const StructuredParts& parts = *planned.op->structured;
  const CppSignature meta = meta_signature(*plan.spelling, *planned.op);
  writer.blank();
  if (planned.imported != nullptr) {
    declare_imported_meta(writer, planned);
  }
  const Writer::Scope body = writer.block("struct " + planned.base_class + " : ::" + parts.base.name + " {", "};");
  const std::string callee = planned.imported == nullptr ? "::" + parts.meta.name : planned.meta;
  writer.one_call_function(meta.result + " meta(", meta.declared(),
                           (meta.result == "void" ? "" : "return ") + callee + "(",
                           passed_on(meta, /*takes_base=*/true));
}

void write_impl_class(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper) {
  const PlannedVariant& planned = plan.variant_of(wrapper);
  const CppSignature impl = impl_signature(*plan.spelling, *planned.op);
  writer.blank();
  const Writer::Scope body = writer.block("struct " + wrapper.class_name + " : " + planned.base_class + " {", "};");
  writer.one_call_function("void impl(", impl.declared(), "::" + wrapper.impl->function.name + "(",
                           passed_on(impl, wrapper.impl->takes_base));
}

class WrapperBody {
 public:
  WrapperBody(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper)
      : writer_(writer),
        plan_(plan),
        wrapper_(wrapper),
        planned_(plan.variant_of(wrapper)),
        schema_(planned_.variant->schema),
        signature_(dispatched_signature(*plan.spelling, schema_)) {}

  void write() {
    writer_.blank();
    writer_.comment("//", planned_.schema);
    const bool is_plain_call = wrapper_.kernel != nullptr && !wrapper_.backend && !wrapper_.bumps_versions;
    if (is_plain_call) {
      writer_.one_call_function(head(), signature_.declared(), kernel_call(), signature_.names());
      return;
    }
    const Writer::Scope body = writer_.block(head(), signature_.declared(), ") {");
    write_device_lines();
    if (wrapper_.kernel != nullptr) {
      write_kernel_call();
    } else {
      write_structured_call();
    }
  }

 private:
  std::string head() const { return signature_.result + " " + wrapper_.name + "("; }
  std::string kernel_call() const {
    return (signature_.result == "void" ? "::" : "return ::") + wrapper_.kernel->function.name + "(";
  }

  std::vector<std::string> argument_names(llvm::function_ref<bool(const Argument&)> is_wanted) const {
    std::vector<std::string> names;
    for (const Argument* argument : arguments_of(schema_)) {
      if (is_wanted(*argument)) {
        names.push_back(argument->name);
      }
    }
    return names;
  }

  void write_device_lines() {
    if (!wrapper_.backend) {
      return;
    }
    std::vector<std::string> tensors = argument_names([](const Argument& a) { return a.type.is_tensor_like(); });
    const bool has_lists =
        !argument_names([](const Argument& a) { return a.type.is_tensor_like() && a.type.is_list(); }).empty();
    if (planned_.op->checks_device && (tensors.size() > 1 || has_lists)) {
      std::vector<std::string> arguments = string_literal(to_string(schema_.name), std::string::npos);
      llvm::append_range(arguments, tensors);
      writer_.list("::structured::check_same_device(", arguments, ");");
    }
    if (tensors.empty()) {
      tensors = argument_names([](const Argument& a) { return a.type.base == Type::Base::Device; });
    }
    if (wrapper_.backend->has_devices && !tensors.empty()) {
      writer_.list("const ::structured::DeviceGuard " + unused_name("guard", signature_) + "(::structured::device_of(",
                   tensors, "));");
    }
  }

  void write_kernel_call() {
    if (!wrapper_.bumps_versions) {
      writer_.list(kernel_call(), signature_.names(), ");");
      return;
    }
    const bool is_void = signature_.result == "void";
    const std::string result = unused_name("result", signature_);
    const std::string call = "::" + wrapper_.kernel->function.name + "(";
    writer_.list((is_void ? "" : "decltype(auto) " + result + " = ") + call, signature_.names(), ");");
    writer_.list("::structured::bump_versions(", argument_names([](const Argument& a) { return a.is_written(); }),
                 ");");
    if (!is_void) {
      writer_.line("return " + result + ";");
    }
  }

  void write_structured_call() {
    const StructuredParts& parts = *planned_.op->structured;
    const std::string op = unused_name("op", signature_);
    write_adaptor(op);
    write_overlap_checks(op);
    const CppSignature meta = meta_signature(*plan_.spelling, *planned_.op);
    const bool keeps_value = wrapper_.impl != nullptr && parts.precomputed.has_value();
    const std::string precomputed = unused_name("precomputed", signature_);
    writer_.list((keeps_value ? "const auto " + precomputed + " = " : "") + op + ".meta(",
                 expressions(signature_, meta), ");");
    if (wrapper_.impl != nullptr) {
      writer_.list(op + ".impl(", impl_arguments(op, precomputed), ");");
    }
    write_return(op);
  }

  void write_adaptor(const std::string& op) {
    const std::string count = std::to_string(planned_.op->structured->output_names.size());
    switch (planned_.variant->kind) {
      case Variant::Kind::functional:
        writer_.line("::structured::Functional<" + wrapper_.class_name + ", " + count + "> " + op + ";");
        return;
      case Variant::Kind::inplace:
        writer_.line("::structured::Inplace<" + wrapper_.class_name + "> " + op + "(" + self() + ");");
        return;
      case Variant::Kind::out:
        writer_.list("::structured::Out<" + wrapper_.class_name + ", " + count + "> " + op + "(", outputs(), ");");
        return;
    }
  }

  // An output must share no memory with what the kernel still reads. Nothing is written on Meta.
  void write_overlap_checks(const std::string& op) {
    if (planned_.variant->kind == Variant::Kind::functional || wrapper_.impl == nullptr) {
      return;
    }
    const std::vector<Variant>& variants = planned_.op->variants;
    const auto inplace = llvm::find_if(variants, [](const Variant& v) { return v.kind == Variant::Kind::inplace; });
    const bool is_overwritten = inplace != variants.end();
    const std::string overwritten = is_overwritten ? written_input(inplace->schema) : "";
    std::vector<std::string> inputs;
    for (const Argument* input : inputs_of(schema_)) {
      if (input->type.is_tensor_like() && input->name != overwritten) {
        inputs.push_back(input->name);
      }
    }
    if (is_overwritten && planned_.variant->kind == Variant::Kind::out) {
      writer_.line(op + ".check_self(" + overwritten + ");");
    }
    if (!inputs.empty()) {
      writer_.list(op + ".check_inputs(", inputs, ");");
    }
  }

  std::vector<std::string> impl_arguments(const std::string& op, const std::string& precomputed) const {
    const StructuredParts& parts = *planned_.op->structured;
    std::vector<std::string> arguments;
    for (const Argument* input : inputs_of(schema_)) {
      if (!parts.precomputed || !llvm::is_contained(parts.precomputed->replaced, input->name)) {
        arguments.push_back(input->name);
      }
    }
    if (parts.precomputed) {
      arguments.push_back(precomputed);
    }
    for (std::size_t i = 0; i < parts.output_names.size(); ++i) {
      arguments.push_back(op + ".output(" + std::to_string(i) + ")");
    }
    return arguments;
  }

  void write_return(const std::string& op) {
    if (planned_.variant->kind == Variant::Kind::functional) {
      const bool is_one = planned_.op->structured->output_names.size() == 1;
      writer_.line("return std::move(" + op + ")." + (is_one ? "take_output" : "take_outputs") + "();");
      return;
    }
    writer_.line(op + ".finish();");
    const std::vector<std::string> results =
        planned_.variant->kind == Variant::Kind::out ? outputs() : std::vector<std::string>{self()};
    if (results.size() == 1) {
      writer_.line("return " + results.front() + ";");
    } else {
      writer_.list("return {", results, "};");
    }
  }

  // What an in-place variant writes.
  static std::string written_input(const Schema& schema) {
    const std::vector<const Argument*> inputs = inputs_of(schema);
    return (*llvm::find_if(inputs, [](const Argument* input) { return input->is_written(); }))->name;
  }
  std::string self() const { return written_input(schema_); }

  std::vector<std::string> outputs() const {
    std::vector<std::string> names;
    for (const Argument& out : schema_.out) {
      names.push_back(out.name);
    }
    return names;
  }

  Writer& writer_;
  const Plan& plan_;
  const PlannedWrapper& wrapper_;
  const PlannedVariant& planned_;
  const Schema& schema_;
  const CppSignature signature_;
};

std::set<std::string> headers_for(const Plan& plan, const PlannedSource& source) {
  std::set<std::string> headers;
  for (const std::size_t index : source.wrappers) {
    const PlannedWrapper& wrapper = plan.wrappers[index];
    const PlannedVariant& planned = plan.variant_of(wrapper);
    if (planned.imported == nullptr) {
      headers.insert("<" + planned.header + ">");
    } else {
      add_headers(*plan.spelling, *planned.op, *planned.variant, headers);
    }
    if (wrapper.backend) {
      headers.insert("<structured/kernel/guards.h>");
    }
    if (wrapper.bumps_versions) {
      headers.insert("<structured/kernel/versions.h>");
    }
    if (wrapper.kernel == nullptr) {
      headers.insert("<structured/kernel/adaptors.h>");
      headers.insert("<utility>");
      headers.insert(planned.imported == nullptr ? "<structured/dispatch/meta_function.h>"
                                                 : "<structured/dispatch/imports.h>");
      const StructuredParts& parts = *planned.op->structured;
      headers.insert(include_spelling(parts.base.header));
      if (parts.precomputed) {
        headers.insert(include_spelling(parts.precomputed->type.header));
      }
    }
  }
  return headers;
}

}  // namespace

void write_classes_and_wrapper(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper,
                               std::set<std::string>& classes) {
  const PlannedVariant& planned = plan.variant_of(wrapper);
  if (wrapper.kernel == nullptr && classes.insert(planned.base_class).second) {
    write_base_class(writer, plan, planned);
  }
  if (wrapper.impl != nullptr && classes.insert(wrapper.class_name).second) {
    write_impl_class(writer, plan, wrapper);
  }
  WrapperBody(writer, plan, wrapper).write();
}

std::string wrappers_source(const Plan& plan, llvm::StringRef source) {
  const auto found = plan.sources.find(source.str());
  if (found == plan.sources.end() || found->second.wrappers.empty()) {
    return nothing_from(source, "kernels");
  }
  Writer writer;
  write_banner(writer, source);
  write_includes(writer, headers_for(plan, found->second));
  std::vector<const Function*> functions;
  for (const std::size_t index : found->second.wrappers) {
    llvm::append_range(functions, functions_of(plan, plan.wrappers[index]));
  }
  declare_functions(writer, functions);

  std::map<std::string, std::vector<const PlannedWrapper*>> direct;  // by namespace
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(plan.hidden_namespace);
    std::set<std::string> classes;
    for (const std::size_t index : found->second.variants) {
      const PlannedVariant& planned = plan.variants[index];
      if (planned.op->structured && planned.variant->kind == Variant::Kind::functional) {
        write_meta_function(writer, planned);
      }
    }
    for (const std::size_t index : found->second.wrappers) {
      const PlannedWrapper& wrapper = plan.wrappers[index];
      write_classes_and_wrapper(writer, plan, wrapper, classes);
      if (wrapper.backend && plan.variant_of(wrapper).imported == nullptr) {
        direct[plan.variant_of(wrapper).cpp_namespace + "::" + wrapper.backend->cpp_namespace].push_back(&wrapper);
      }
    }
  }
  for (const auto& [name, wrappers] : direct) {
    const Writer::Scope scope = writer.in_namespace(name);
    for (const PlannedWrapper* wrapper : wrappers) {
      define_public_functions(writer, plan, plan.variant_of(*wrapper),
                              "::" + plan.hidden_namespace + "::" + wrapper->name);
    }
  }
  return writer.text();
}

}  // namespace structured::gen

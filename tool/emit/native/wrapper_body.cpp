#include "emit/native/wrapper_body.h"

#include <set>
#include <string>
#include <vector>

#include "lower/calling_convention.h"
#include "emit/native/source_text.h"
#include "lower/requirements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace structured::gen {
namespace {

class WrapperBody {
 public:
  WrapperBody(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper)
      : writer_(writer),
        plan_(plan),
        wrapper_(wrapper),
        planned_(plan.variant_of(wrapper)),
        schema_(planned_.variant->schema),
        signature_(planned_.dispatched),
        duties_(plan, wrapper) {}

  void write(WrapperPart part, llvm::StringRef shared) {
    if (part == WrapperPart::prepared) {
      if (shared.empty()) {
        writer_.blank();
        writer_.comment("//", "Its two parts: what is done once, and what is done at each run.");
        write_prepared(prepared_name(wrapper_));
      }
      return;  // the function that makes it calls what is shared
    }
    writer_.blank();
    if (part == WrapperPart::common) {
      writer_.comment("//",
                      "Of backends with a kernel for `" + to_string(out_variant().variant->schema.name) + "` only.");
    } else {
      writer_.comment("//", planned_.schema);
    }
    const std::string head =
        signature_.result + " " + (part == WrapperPart::common ? planned_.common : wrapper_.name) + "(";
    if (duties_.only_call_kernel()) {
      writer_.one_call_function(head, signature_.declared(), kernel_call(), signature_.names());
      return;
    }
    if (!shared.empty()) {
      std::vector<std::string> arguments = signature_.names();
      llvm::append_range(arguments, shared_callees(part));
      writer_.one_call_function(head, signature_.declared(), "return " + shared + "(", arguments);
      return;
    }
    const Writer::Scope body = writer_.block(head, signature_.declared(), ") {");
    if (part == WrapperPart::common) {
      write_common_call();
    } else if (wrapper_.kernel != nullptr) {
      write_device_lines();
      write_kernel_call();
    } else {
      write_structured_call();
    }
  }

  bool has(WrapperPart part) const {
    switch (part) {
      case WrapperPart::call:
        return true;
      case WrapperPart::common:  // it stands below the wrapper for Meta
        return !planned_.common.empty() && wrapper_.kernel == nullptr && wrapper_.impl == nullptr;
      case WrapperPart::prepared:
        return plan_.is_preparable(wrapper_);
    }
    llvm_unreachable("a part of a wrapper");
  }

  // Whether the part could be shared with others: what it calls are functions of the author.
  bool can_share(WrapperPart part) const {
    return has(part) && wrapper_.kernel == nullptr && planned_.imported == nullptr && !planned_.op->pointwise;
  }

  void add_headers(WrapperPart part, std::set<std::string>& headers) const {
    if (wrapper_.backend) {
      headers.insert("<structured/kernel/guards.h>");
    }
    if (wrapper_.bumps_versions) {
      headers.insert("<structured/kernel/versions.h>");
    }
    if (wrapper_.kernel != nullptr) {
      return;
    }
    headers.insert({"<structured/kernel/adaptors.h>", "<utility>"});
    if (part == WrapperPart::common) {
      headers.insert("<structured/dispatch/operator.h>");
    }
    if (part == WrapperPart::prepared) {
      headers.insert(planned_.op->pointwise ? "<structured/iterator/prepared_pointwise.h>"
                                            : "<structured/kernel/prepared_call.h>");
    }
    add_author_headers(*planned_.op->structured, headers);
  }

  // The shared body: it takes what it calls, and what errors name, behind the operator's own arguments, so that these
  // stay in the registers they came in.
  void write_shared(WrapperPart part, const std::string& name) {
    is_shared_ = true;
    const std::vector<std::string> parameters = all_shared_parameters(part, name);
    writer_.blank();
    write_shared_types(part, name);
    const std::string head = "[[gnu::noinline]] " + shared_result(part) + " " + name + "(";
    if (part == WrapperPart::prepared) {
      write_prepared(name + "_parts", name);
      std::vector<std::string> arguments = shared_callees(part);
      llvm::append_range(arguments, signature_.names());
      writer_.blank();
      writer_.one_call_function(head, parameters, "return ::structured::prepare<" + name + "_parts>(", arguments);
      return;
    }
    const Writer::Scope body = writer_.block(head, parameters, ") {");
    if (part == WrapperPart::common) {
      write_common_call();
    } else {
      write_structured_call();
    }
  }

  void declare_shared(WrapperPart part, const std::string& name) {
    writer_.blank();
    write_shared_types(part, name);
    writer_.list(shared_result(part) + " " + name + "(", all_shared_parameters(part, name), ");");
  }

  // What a call of the shared body passes, behind the operator's own arguments.
  std::vector<std::string> shared_callees(WrapperPart part) const {
    std::vector<std::string> callees{meta_callee()};
    if (part == WrapperPart::common) {
      callees.push_back(out_kernels());
    } else if (wrapper_.impl != nullptr) {
      callees.push_back(impl_callee());
    }
    if (duties_.check_devices()) {
      callees.push_back(name_literal());
    }
    return callees;
  }

  // What `prepare_*` functions are made of: the wrapper of an out= variant in two parts. What is shared takes the
  // functions that it calls as arguments, which are kept with the others.
  void write_prepared(const std::string& name, const std::string& types = "") {
    const std::string op = unused_name("op", signature_);
    const CppSignature meta = meta_signature(*plan_.cpp_types, *planned_.op);
    const bool has_value = meta.result != "void";
    std::vector<std::string> parameters{"Adaptor& " + op};
    if (!types.empty()) {
      for (const std::string& parameter : shared_parameters(WrapperPart::prepared, types)) {
        parameters.push_back("[[maybe_unused]] " + parameter);
      }
    }
    for (const CppParameter& parameter : signature_.parameters) {
      parameters.push_back("[[maybe_unused]] " + parameter.type + " " + parameter.name);
    }
    const Writer::Scope parts = writer_.block("struct " + name + " {", "};");
    writer_.line("using Adaptor = " + adaptor_type() + ";");
    {
      const Writer::Scope begin = writer_.block("static " + meta.result + " begin(", parameters, ") {");
      write_device_lines();
      write_overlap_checks(op);
      writer_.list((has_value ? "return " : "") + meta_callee() + "(", meta_arguments(op), ");");
    }
    const std::string precomputed = unused_name("precomputed", signature_);
    if (has_value) {
      parameters.push_back("const " + meta.result + "& " + precomputed);
    }
    if (planned_.op->pointwise) {
      const Writer::Scope compute = writer_.block("static void compute(", parameters, ") {");
      writer_.list(impl_callee() + "(", impl_arguments(op, precomputed), ");");
    }
    const Writer::Scope run = writer_.block("static void run(", parameters, ") {");
    write_device_guard();
    writer_.list(impl_callee() + "(", impl_arguments(op, precomputed), ");");
    writer_.line(op + ".finish();");
  }

 private:
  void write_common_call() {
    if (duties_.check_devices()) {
      write_device_check();
    }
    if (!duties_.tensors().empty()) {
      write_device_guard(duties_.tensors());
    }
    const std::string op = unused_name("op", signature_);
    write_adaptor(op);
    if (planned_.variant->kind == Variant::Kind::inplace) {
      write_input_checks(op);
    }
    writer_.list(meta_callee() + "(", meta_arguments(op), ");");
    std::vector<std::string> arguments{"::structured::LayerSet()"};
    llvm::append_range(arguments, signature_.names());
    for (std::size_t i = 0; i < out_variant().variant->schema.out.size(); ++i) {
      const std::string output = unused_name("output_" + std::to_string(i), signature_);
      writer_.line("::structured::Tensor " + output + " = " + op + ".output(" + std::to_string(i) + ");");
      arguments.push_back(output);
    }
    writer_.list(out_kernels() + ".call(", arguments, ");");
    write_return(op);
  }

  const PlannedVariant& out_variant() const { return plan_.variants[planned_.out_variant]; }

  std::string shared_name(llvm::StringRef wanted) const { return unused_name(wanted, signature_); }

  std::string shared_result(WrapperPart part) const {
    return part == WrapperPart::prepared ? "::structured::PreparedOperator" : signature_.result;
  }

  // `using body_meta = void(Base&, const Tensor&);`
  void write_function_type(const std::string& name, const Function& function) {
    std::vector<std::string> types;
    for (const std::string& type : function.parameters) {
      types.push_back(qualified_type(type));
    }
    writer_.list("using " + name + " = " + qualified_type(function.result) + "(", types, ");");
  }

  // The functions that a shared body called `name` calls, and their types.
  std::vector<std::string> shared_parameters(WrapperPart part, const std::string& name) const {
    std::vector<std::string> parameters{name + "_meta* " + shared_name("meta")};
    if (part == WrapperPart::common) {
      parameters.push_back("::structured::Operator<" + name + "_out>& " + shared_name("out_kernels"));
    } else if (wrapper_.impl != nullptr) {
      parameters.push_back(name + "_impl* " + shared_name("impl"));
    }
    if (duties_.check_devices()) {
      parameters.push_back("const char* " + shared_name("name"));
    }
    return parameters;
  }
  std::vector<std::string> all_shared_parameters(WrapperPart part, const std::string& name) const {
    std::vector<std::string> parameters = signature_.declared();
    llvm::append_range(parameters, shared_parameters(part, name));
    return parameters;
  }
  void write_shared_types(WrapperPart part, const std::string& name) {
    write_function_type(name + "_meta", planned_.op->structured->meta);
    if (part == WrapperPart::common) {
      const CppSignature& out = out_variant().dispatched;
      writer_.list("using " + name + "_out = " + out.result + "(", out.types(), ");");
    } else if (wrapper_.impl != nullptr) {
      write_function_type(name + "_impl", wrapper_.impl->function);
    }
  }

  std::string kernel_call() const {
    return (signature_.result == "void" ? "::" : "return ::") + wrapper_.kernel->function.name + "(";
  }

  void write_device_check() {
    std::vector<std::string> arguments{name_literal()};
    llvm::append_range(arguments, duties_.tensors());
    writer_.list("::structured::check_same_device(", arguments, ");");
  }

  std::string name_literal() const {
    return is_shared_ ? shared_name("name") : string_literal(to_string(schema_.name), std::string::npos).front();
  }

  void write_device_lines() {
    if (duties_.check_devices()) {
      write_device_check();
    }
    write_device_guard();
  }

  void write_device_guard() {
    if (duties_.choose_device()) {
      write_device_guard(duties_.device_arguments());
    }
  }

  void write_device_guard(const std::vector<std::string>& arguments) {
    writer_.list("const ::structured::DeviceGuard " + unused_name("guard", signature_) + "(::structured::device_of(",
                 arguments, "));");
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
    writer_.list("::structured::bump_versions(",
                 argument_names(schema_, [](const Argument& a) { return a.is_mutable(); }), ");");
    if (!is_void) {
      writer_.line("return " + result + ";");
    }
  }

  void write_structured_call() {
    write_device_lines();
    const StructuredParts& parts = *planned_.op->structured;
    const std::string op = unused_name("op", signature_);
    write_adaptor(op);
    write_overlap_checks(op);
    const bool keeps_value = wrapper_.impl != nullptr && parts.precomputed.has_value();
    const std::string precomputed = unused_name("precomputed", signature_);
    writer_.list((keeps_value ? "const auto " + precomputed + " = " : "") + meta_callee() + "(", meta_arguments(op),
                 ");");
    if (wrapper_.impl != nullptr) {
      writer_.list(impl_callee() + "(", impl_arguments(op, precomputed), ");");
    }
    write_return(op);
  }

  // The author's functions, which take the adaptor for the operator's base.
  std::string meta_callee() const {
    if (is_shared_) {
      return shared_name("meta");
    }
    return planned_.imported == nullptr ? "::" + planned_.op->structured->meta.name : planned_.meta;
  }
  std::string impl_callee() const { return is_shared_ ? shared_name("impl") : "::" + wrapper_.impl->function.name; }
  std::string out_kernels() const { return is_shared_ ? shared_name("out_kernels") : out_variant().table; }
  std::vector<std::string> meta_arguments(const std::string& op) const {
    std::vector<std::string> arguments = expressions(signature_, meta_signature(*plan_.cpp_types, *planned_.op));
    arguments.insert(arguments.begin(), op);
    return arguments;
  }

  // Of the operator's base, and not of the operator: many share one, and compilers read it once.
  std::string adaptor_type() const {
    const std::string base = "::" + planned_.op->structured->base.name;
    const std::string count = std::to_string(planned_.op->structured->output_names.size());
    switch (planned_.variant->kind) {
      case Variant::Kind::functional:
        return "::structured::Functional<" + base + ", " + count + ">";
      case Variant::Kind::inplace:
        return "::structured::Inplace<" + base + ">";
      case Variant::Kind::out:
        break;
    }
    return "::structured::Out<" + base + ", " + count + ">";
  }

  void write_adaptor(const std::string& op) {
    switch (planned_.variant->kind) {
      case Variant::Kind::functional:
        writer_.line(adaptor_type() + " " + op + ";");
        return;
      case Variant::Kind::inplace:
        writer_.line(adaptor_type() + " " + op + "(" + self() + ");");
        return;
      case Variant::Kind::out:
        writer_.list(adaptor_type() + " " + op + "(", outputs(), ");");
        return;
    }
  }

  // An output must share no memory with what the kernel still reads. Nothing is written on Meta.
  void write_overlap_checks(const std::string& op) {
    if (planned_.variant->kind != Variant::Kind::functional && wrapper_.impl != nullptr) {
      write_input_checks(op);
    }
  }

  void write_input_checks(const std::string& op) {
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
    if (wrapper_.impl->takes_base) {
      arguments.push_back(op);
    }
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
    return (*llvm::find_if(inputs, [](const Argument* input) { return input->is_mutable(); }))->name;
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
  const CppSignature& signature_;
  const WrapperDuties duties_;
  bool is_shared_ = false;  // whether the body takes the functions that it calls
};

}  // namespace

void write_wrapper_part(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part,
                        llvm::StringRef shared) {
  WrapperBody(writer, plan, wrapper).write(part, shared);
}

void add_body_headers(const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part,
                      std::set<std::string>& headers) {
  Writer nowhere;
  WrapperBody(nowhere, plan, wrapper).add_headers(part, headers);
}

bool has_part(const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part) {
  Writer nowhere;
  return WrapperBody(nowhere, plan, wrapper).has(part);
}

bool can_share(const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part) {
  Writer nowhere;
  return WrapperBody(nowhere, plan, wrapper).can_share(part);
}

void write_shared_body(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part,
                       const std::string& name) {
  WrapperBody(writer, plan, wrapper).write_shared(part, name);
}

void declare_shared_body(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part,
                         const std::string& name) {
  WrapperBody(writer, plan, wrapper).declare_shared(part, name);
}

std::vector<std::string> shared_callees(const Plan& plan, const PlannedWrapper& wrapper, WrapperPart part) {
  Writer nowhere;
  return WrapperBody(nowhere, plan, wrapper).shared_callees(part);
}

std::string prepared_name(const PlannedWrapper& wrapper) { return "prepared_" + wrapper.name; }

}  // namespace structured::gen

#include "derive/facts.h"

#include "llvm/ADT/STLExtras.h"
#include "model/refinement.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// `dtypes("CPU", "floating")` applies to one backend, `dtypes("floating")` to all backends of the function.
std::vector<std::string> dtypes_for(const Declaration& declaration, llvm::ArrayRef<std::string> backends,
                                    llvm::StringRef backend) {
  std::vector<std::string> dtypes;
  for (const Attribute& attribute : declaration.attributes) {
    if (attribute.name != "dtypes") continue;
    auto first = string_argument(attribute, 0);
    bool names_backend = first && llvm::is_contained(backends, *first);
    if (names_backend && *first != backend) continue;
    for (std::string& dtype : string_arguments(attribute, names_backend ? 1 : 0)) {
      if (!llvm::is_contained(dtypes, dtype)) dtypes.push_back(std::move(dtype));
    }
  }
  return dtypes;
}

/// The backends in all attributes of the function.
std::vector<std::string> all_backends(const Declaration& declaration) {
  std::vector<std::string> backends;
  for (const Attribute& attribute : declaration.attributes) {
    if (attribute.name == "impl" || attribute.name == "kernel")
      llvm::append_range(backends, string_arguments(attribute, 1));
  }
  return backends;
}

}  // namespace

Function make_function(const FoundDeclaration& found) {
  const Declaration& declaration = *found.declaration;
  Function function{declaration.name,       declaration.is_extern_c, declaration.result.canonical, {},
                    found.fragment->source, declaration.name_range};
  for (const auto& [position, parameter] : llvm::enumerate(declaration.parameters)) {
    function.parameters.push_back(parameter.type.canonical);
    if (const std::optional<Refinement> refinement = refinement_of(parameter)) {
      function.refined.resize(declaration.parameters.size());
      function.refined[position] = refined_type(*refinement);
    }
  }
  return function;
}

Function make_scalar_function(const FoundDeclaration& found) {
  Function function = make_function(found);
  if (!function.range.file.empty()) function.source = function.range.file;
  return function;
}

std::vector<Kernel> make_kernels(const OperatorRef& ref) {
  if (ref.found.is_imported) return {};
  std::vector<std::string> backends = all_backends(ref.declaration());
  std::vector<Kernel> kernels;
  for (std::string& backend : ref.backends()) {
    std::vector<std::string> dtypes = dtypes_for(ref.declaration(), backends, backend);
    kernels.push_back({std::move(backend), make_function(ref.found), /*takes_base=*/false, std::move(dtypes)});
  }
  return kernels;
}

void sort_by_backend(std::vector<Kernel>& kernels) {
  llvm::sort(kernels, [](const Kernel& a, const Kernel& b) { return a.backend < b.backend; });
}

void add_modifiers(Operator& op, const Declaration& declaration) {
  if (op.documentation.empty()) op.documentation = declaration.comment;
  auto add = [](std::vector<std::string>& list, std::string text) {
    if (!llvm::is_contained(list, text)) list.push_back(std::move(text));
  };
  for (const Attribute& attribute : declaration.attributes) {
    if (attribute.name == "method") op.is_method = true;
    if (attribute.name == "device_check") op.checks_device = boolean_argument(attribute, 0).value_or(true);
    if (attribute.name == "tags") {
      for (std::string& tag : string_arguments(attribute)) add(op.tags, std::move(tag));
    }
    if (attribute.name == "autocast") op.autocast = string_argument(attribute, 0).value_or("").str();
    if (attribute.name == "sharding") op.sharding = string_argument(attribute, 0).value_or("").str();
    if (attribute.name == "not_differentiable") {
      if (attribute.arguments.empty()) op.is_differentiable = false;
      for (std::string& name : string_arguments(attribute)) add(op.not_differentiable, std::move(name));
    }
    if (attribute.name == "no_cpp_default") {
      if (attribute.arguments.empty()) add(op.no_cpp_default, "*");
      for (std::string& name : string_arguments(attribute)) add(op.no_cpp_default, std::move(name));
    }
  }
}

void set_backwards(Operator& op, llvm::ArrayRef<OperatorRef> backwards, const OperatorRef& definition,
                   const TypeTable& types) {
  for (const OperatorRef& ref : backwards) {
    const bool is_scalar = is_scalar_function(ref.declaration());
    Backward backward{is_scalar ? Backward::Kind::scalar : Backward::Kind::tensors,
                      is_scalar ? make_scalar_function(ref.found) : make_function(ref.found),
                      {},
                      gradients_of(ref, definition, types)};
    for (const Parameter& parameter : ref.declaration().parameters) backward.parameters.push_back(parameter.name);
    backward.bodies = ref.declaration().scalar_bodies;
    op.backwards.push_back(std::move(backward));
  }
}

}  // namespace structured::gen

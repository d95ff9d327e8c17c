#include "check/check.h"

#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

using Rule = void (*)(Checker&);

constexpr Rule rules[] = {
    check_readability,
    check_linkage,
    check_parameter_names,
    check_attribute_arguments,
    check_attribute_placement,
    check_roles,
    check_backends,
    check_own_backends,
    check_dtypes,
    check_promotion,
    check_no_cpp_default,
    check_result_names,
    check_kwonly,
    check_size,
    check_symint,
    check_alias,
    check_schema_defaults,
    check_out_attribute,
    check_operator_names,
    check_function_names,
    check_variant_names,
    check_argument_types,
    check_defaults,
    check_results,
    check_meta_bases,
    check_hidden_classes,
    check_written_inputs,
    check_impl_parameters,
    check_impl_defaults,
    check_impl_output_types,
    check_impl_outputs_agree,
    check_output_names,
    check_returns_count,
    check_inplace_self,
    check_inplace_outputs,
    check_kernel_outputs,
    check_kernels_against_schema,
    check_kernels_agree,
    check_meta_kernels,
    check_duplicate_impls,
    check_duplicate_metas,
    check_duplicate_schemas,
    check_overloads,
    check_own_functions,
    check_references,
    check_metas_have_impls,
    check_imported_roles,
    check_imported_names,
    check_pointwise_form,
    check_pointwise_places,
    check_pointwise_parameters,
    check_backward_parameters,
    check_backward_results,
    check_outputs_are_set,
    check_outputs_are_set_once,
    check_impls_keep_sizes,
    check_impls_keep_handles,
    check_impl_preconditions,
};

/// Whether the edit is of the text of a macro's use, at its ends or within. One of more than that replaces what stands
/// there, macro and all.
bool spoils(const FixIt& fixit, const SourceRange& macro) {
  const SourceRange& edit = fixit.range;
  if (edit.file != macro.file) return false;
  if (edit.begin == edit.end) return macro.begin <= edit.begin && edit.end <= macro.end;
  bool is_larger = edit.begin <= macro.begin && macro.end <= edit.end && edit != macro;
  return edit.begin < macro.end && macro.begin < edit.end && !is_larger;
}

/// What a macro spells has the place of the macro's use, where it cannot be mended.
void drop_edits_in_macros(std::vector<Diagnostic>& diagnostics, llvm::ArrayRef<Fragment> fragments) {
  std::vector<SourceRange> macros;
  for (const Fragment& fragment : fragments) {
    for (const Declaration& declaration : fragment.declarations) {
      macros.insert(macros.end(), declaration.macro_ranges.begin(), declaration.macro_ranges.end());
    }
  }
  for (Diagnostic& diagnostic : diagnostics) {
    bool is_spoilt = llvm::any_of(diagnostic.fixits, [&](const FixIt& fixit) {
      return llvm::any_of(macros, [&](const SourceRange& macro) { return spoils(fixit, macro); });
    });
    if (is_spoilt) diagnostic.fixits.clear();
  }
}

}  // namespace

std::string default_cpp_namespace(llvm::StringRef schema_namespace) {
  return schema_namespace == "aten" ? "structured" : schema_namespace.str();
}

std::vector<Diagnostic> check(llvm::ArrayRef<Fragment> fragments, const TypeTable& types, const CheckOptions& options) {
  Checker checker(fragments, types, options);
  for (Rule rule : rules) rule(checker);
  std::vector<Diagnostic> diagnostics = checker.take_diagnostics();
  llvm::erase_if(diagnostics, [&](const Diagnostic& diagnostic) {
    return llvm::any_of(options.imports, [&](const ImportedLibrary& library) {
      return library.definitions.source == diagnostic.range.file;
    });
  });
  // A declaration with several attributes meets some rules once for each of them.
  sort_unique(diagnostics);
  drop_edits_in_macros(diagnostics, fragments);
  return diagnostics;
}

bool has_errors(llvm::ArrayRef<Diagnostic> diagnostics) {
  return llvm::any_of(diagnostics, [](const Diagnostic& d) { return severity_of(d.kind) == Severity::error; });
}

}  // namespace structured::gen

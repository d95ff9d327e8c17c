// Consistency of impls with their meta function.
#include "check/impl_alignment.h"
#include "check/rules.h"
#include "check/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/annotation.h"
#include "model/refinement.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// An impl and its meta function.
struct Pair {
  Checker& checker;
  const OperatorRef& impl;
  const Declaration& meta;

  const Declaration& declaration() const { return impl.declaration(); }
  std::string subject() const { return "`impl` for " + code(to_string(impl.name)); }
  Diagnostic& report(const SourceRange& range, const llvm::Twine& message) const {
    return checker.report(DiagnosticKind::impl_mismatch, range, message);
  }
};

void note_at_meta(Diagnostic& diagnostic, const ExpectedParameter& expected) {
  diagnostic.notes.push_back(
      {expected.has_free_name ? "`meta` returns the precomputed values here" : "`meta` parameter declared here",
       expected.range});
}

void report_base(const Pair& pair) {
  const Parameter& base = pair.declaration().parameters.front();
  const Parameter& expected = pair.meta.parameters.front();
  if (is_base(base, pair.meta)) return;
  ShownTypes shown = show_types(base.type, expected.type);
  Diagnostic& diagnostic = pair.report(
      base.type_range, pair.subject() + " takes " + code(shown.first) + " where `meta` takes " + code(shown.second));
  diagnostic.notes.push_back({"`meta` parameter declared here", expected.range});
  diagnostic.fixits.push_back(retyped(base, expected.type.written));
}

/// Returns an edit that states the properties at the parameter by `requires`.
FixIt requiring(const Parameter& parameter, const Refinement& missing) {
  std::string arguments = "\"" + llvm::join(required_arguments(missing), "\", \"") + "\"";
  if (const Attribute* attribute = find_attribute(parameter.attributes, "requires")) {
    if (!attribute->arguments.empty()) {
      const SourceRange& last = attribute->arguments.back().range;
      return insertion(last, last.end, ", " + arguments);
    }
  }
  return insertion(parameter.range, parameter.range.begin, "[[structured::requires(" + arguments + ")]] ");
}

/// Returns the device type of the tensors of a backend: `CPU` for `SparseCPU`.
llvm::StringRef device_type_of(llvm::StringRef backend) {
  if (backend.ends_with("CPU")) return "CPU";
  return backend.ends_with("CUDA") ? "CUDA" : backend;
}

/// Returns the first backend of the function whose tensors are on other devices than `device`. Meta has no memory, and
/// composite kernels receive tensors of all backends.
std::optional<std::string> other_backend(const OperatorRef& function, llvm::StringRef device) {
  for (std::string& backend : function.backends()) {
    if (backend == "Meta" || is_composite_backend(backend) || device_type_of(backend) == device) continue;
    return std::move(backend);
  }
  return std::nullopt;
}

/// Reports a parameter on another device than that of the function's backends.
void report_device(Checker& checker, const OperatorRef& function, const Parameter& parameter, llvm::StringRef plain) {
  const std::optional<Refinement> required = refinement_of(parameter);
  if (!required || required->device.empty()) return;
  const std::optional<std::string> backend = other_backend(function, required->device);
  if (!backend) return;
  Diagnostic& diagnostic = checker.report(DiagnosticKind::refinement, parameter.type_range,
                                          code(name_of(function.role())) + " for " + code(to_string(function.name)) +
                                              " requires " + code(parameter.name) + " with memory on " +
                                              code(required->device) + ", but is for backend " + code(*backend));
  if (refinement_of(parameter.type.canonical)) diagnostic.fixits.push_back(retyped(parameter, plain));
}

/// Reports properties of a tensor that the impl requires and meta does not, and a device that only meta requires.
void report_refinement(const Pair& pair, const ExpectedParameter& expected, const Parameter& parameter) {
  const auto input = llvm::find_if(pair.meta.parameters, [&](const Parameter& each) {
    return !expected.has_free_name && each.name == expected.name;
  });
  if (input == pair.meta.parameters.end()) return;
  const Refinement known = refinement_of(*input).value_or(Refinement());
  const Refinement required = refinement_of(parameter).value_or(Refinement());
  const Refinement missing = without_known(required, known);
  if (missing != Refinement()) {
    Diagnostic& diagnostic =
        pair.checker.report(DiagnosticKind::refinement, parameter.type_range,
                            pair.subject() + " requires " + code(parameter.name) + " with " +
                                llvm::join(properties(missing), " and ") + ", which `meta` does not require");
    note_at_meta(diagnostic, expected);
    const bool uses_attribute =
        has_attribute(input->attributes, "requires") || has_attribute(parameter.attributes, "requires");
    diagnostic.fixits.push_back(uses_attribute ? requiring(*input, missing) : retyped(*input, parameter.type.written));
  }
  if (known.device.empty()) {
    report_device(pair.checker, pair.impl, parameter, expected.type.written);
  } else if (const std::optional<std::string> backend = other_backend(pair.impl, known.device)) {
    Diagnostic& diagnostic =
        pair.checker.report(DiagnosticKind::refinement, parameter.type_range,
                            pair.subject() + " is for backend " + code(*backend) + ", but `meta` requires " +
                                code(parameter.name) + " with memory on " + code(known.device));
    note_at_meta(diagnostic, expected);
  }
}

void report_pair(const Pair& pair, const ExpectedParameter& expected, const Parameter& parameter) {
  // Another rule reports a type of the meta function that has no schema type.
  bool is_known = expected.has_free_name || pair.checker.types().argument(expected.type.canonical);
  bool has_type = !is_known || is_same_argument(expected.type, parameter.type, pair.checker.types());
  bool has_name = expected.has_free_name || parameter.name.empty() || expected.name == parameter.name;
  if (!has_type) {
    ShownTypes shown = show_types(parameter.type, expected.type);
    const char* expectation =
        expected.has_free_name ? " where `meta` returns precomputed values; expected " : " where `meta` takes ";
    Diagnostic& diagnostic = pair.report(
        parameter.type_range, pair.subject() + " takes " + code(shown.first) + expectation + code(shown.second));
    note_at_meta(diagnostic, expected);
    diagnostic.fixits.push_back(retyped(parameter, expected.type.written));
  } else if (has_name) {
    report_refinement(pair, expected, parameter);
  }
  if (has_name) return;
  Diagnostic& diagnostic =
      pair.report(parameter.name_range,
                  pair.subject() + " names a parameter " + code(parameter.name) + "; expected " + code(expected.name));
  note_at_meta(diagnostic, expected);
  // In a definition, the body uses the name as well, so editing the parameter is not enough.
  if (!pair.declaration().is_definition) diagnostic.fixits.push_back({parameter.name_range, expected.name});
}

void report_additional(const Pair& pair, std::size_t index) {
  llvm::ArrayRef<Parameter> parameters = pair.declaration().parameters;
  const Parameter& parameter = parameters[index];
  bool is_replaced = has_precomputed(pair.meta) && llvm::any_of(pair.meta.result_class->members, [&](const Member& m) {
                       return m.name == parameter.name;
                     });
  Diagnostic& diagnostic = pair.report(
      parameter.range, pair.subject() + " takes " + code(parameter.type.written + " " + parameter.name) +
                           (is_replaced ? ", which a precomputed value replaces" : ", which `meta` does not take"));
  if (is_replaced)
    diagnostic.notes.push_back({"`meta` returns the precomputed values here", pair.meta.result_range});
  else
    diagnostic.notes.push_back({"`meta` parameters declared here", pair.meta.parameters_range});
  if (pair.declaration().is_definition) return;
  SourceRange removed = parameter.range;
  if (index + 1 < parameters.size())
    removed.end = parameters[index + 1].range.begin;
  else if (index > 0)
    removed.begin = parameters[index - 1].range.end;
  diagnostic.fixits.push_back({removed, ""});
}

/// Reports parameters, consecutive in the meta function, that the impl lacks before its parameter `index`.
void report_missing(const Pair& pair, llvm::ArrayRef<ExpectedParameter> missing, std::size_t index) {
  std::string text;
  std::vector<std::string> names;
  for (const ExpectedParameter& expected : missing) {
    text += (text.empty() ? "" : ", ") + expected.text();
    names.push_back(expected.text());
  }
  const Declaration& impl = pair.declaration();
  Diagnostic& diagnostic =
      pair.report(impl.name_range, pair.subject() + " does not take " + list_of(names) + ", which `meta` " +
                                       (missing.front().has_free_name ? "returns" : "takes"));
  for (const ExpectedParameter& expected : missing) note_at_meta(diagnostic, expected);
  if (index < impl.parameters.size()) {
    const SourceRange& next = impl.parameters[index].range;
    diagnostic.fixits.push_back(insertion(next, next.begin, text + ", "));
  } else if (!impl.parameters.empty()) {
    const SourceRange& last = impl.parameters.back().range;
    diagnostic.fixits.push_back(insertion(last, last.end, ", " + text));
  } else {
    diagnostic.fixits.push_back({impl.parameters_range, text});
  }
}

void report_order(const Pair& pair, const ImplAlignment& alignment) {
  llvm::ArrayRef<Parameter> parameters = pair.declaration().parameters;
  std::size_t begin = alignment.has_base ? 1 : 0;
  std::size_t wrong = 0;
  while (*alignment.inputs[wrong].index == begin + wrong) ++wrong;
  const ExpectedParameter& expected = *alignment.inputs[wrong].expected;
  const Parameter& found = parameters[begin + wrong];
  Diagnostic& diagnostic =
      pair.report(found.range, pair.subject() + " takes " + code(found.name) + " where `meta` takes " +
                                   code(expected.name) + "; expected the parameter order of `meta`");
  note_at_meta(diagnostic, expected);
  SourceRange all = parameters[begin].range;
  all.end = parameters[begin + alignment.inputs.size() - 1].range.end;
  std::string text;
  for (const AlignedParameter& input : alignment.inputs) text += (text.empty() ? "" : ", ") + input.expected->text();
  diagnostic.fixits.push_back({all, text});
}

void check_inputs(const Pair& pair, const ImplAlignment& alignment) {
  std::vector<ExpectedParameter> missing;
  std::size_t next = alignment.has_base ? 1 : 0;
  auto report_missing_so_far = [&] {
    if (!missing.empty()) report_missing(pair, missing, next);
    missing.clear();
  };
  for (const AlignedParameter& input : alignment.inputs) {
    if (!input.index) {
      missing.push_back(*input.expected);
      continue;
    }
    report_missing_so_far();
    next = *input.index + 1;
    if (input.expected)
      report_pair(pair, *input.expected, pair.declaration().parameters[*input.index]);
    else
      report_additional(pair, *input.index);
  }
  report_missing_so_far();
}

void check_has_outputs(const Pair& pair, const ImplAlignment& alignment, const TypeTable& types) {
  const Declaration& impl = pair.declaration();
  if (alignment.first_output < impl.parameters.size()) return;
  std::string output = ("const " + types.tensor() + "& out").str();
  Diagnostic& diagnostic = pair.report(
      impl.name_range, pair.subject() + " has no output; expected " + code(output) + " as its last parameter");
  if (impl.parameters.empty()) return;
  const SourceRange& last = impl.parameters.back().range;
  diagnostic.fixits.push_back(insertion(last, last.end, ", " + output));
}

void check_output_properties(const Pair& pair, const ImplAlignment& alignment) {
  for (const Parameter& output : llvm::drop_begin(pair.declaration().parameters, alignment.first_output)) {
    const Attribute* attribute = find_attribute(output.attributes, "requires");
    if (attribute == nullptr) continue;
    pair.checker.report(DiagnosticKind::requires_on_non_input, attribute->range,
                        "`requires` on " + code(output.name) + ", an output, which is as `meta` describes it");
  }
}

}  // namespace

void check_impl_parameters(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    const Declaration& meta = op.definition.declaration();
    if (!is_comparable(meta, checker.types())) continue;
    for (const OperatorRef& impl : op.impls) {
      if (!is_readable(impl.declaration())) continue;
      Pair pair{checker, impl, meta};
      ImplAlignment alignment = align_impl(impl.declaration(), meta, checker.types());
      if (alignment.has_base) report_base(pair);
      if (alignment.is_reordered)
        report_order(pair, alignment);
      else
        check_inputs(pair, alignment);
      check_has_outputs(pair, alignment, checker.types());
      check_output_properties(pair, alignment);
    }
  }
}

void check_kernel_devices(Checker& checker) {
  for_each_signature(checker, [&](const OperatorRef& ref) {
    if (ref.role() != Role::kernel) return;
    for (const Parameter& parameter : ref.declaration().parameters) {
      report_device(checker, ref, parameter, ("const " + checker.types().tensor() + "&").str());
    }
  });
}

void check_impl_defaults(Checker& checker) {
  auto check_one = [&](const OperatorRef& ref, const Declaration* meta) {
    // No parameter without a default may follow one that has a default, so each fix also removes the earlier defaults.
    std::vector<FixIt> removals;
    for (const Parameter& parameter : ref.declaration().parameters) {
      if (!parameter.default_argument) continue;
      Diagnostic& diagnostic =
          checker.report(DiagnosticKind::impl_default, parameter.default_argument->range,
                         "default of " + code(parameter.name) + " on an `impl` is ignored; defaults come from `meta`");
      if (meta) {
        for (const Parameter& input : meta->parameters) {
          if (input.name == parameter.name) diagnostic.notes.push_back({"`meta` parameter declared here", input.range});
        }
      }
      SourceRange removed = parameter.default_argument->range;
      removed.begin = parameter.name.empty() ? parameter.type_range.end : parameter.name_range.end;
      removals.push_back({removed, ""});
      diagnostic.fixits = removals;
    }
  };
  for (const DefinedOperator& op : checker.index().defined()) {
    for (const OperatorRef& impl : op.impls) check_one(impl, &op.definition.declaration());
  }
  for (const OperatorRef& ref : checker.index().unresolved()) {
    if (ref.role() == Role::impl) check_one(ref, nullptr);
  }
}

}  // namespace structured::gen

// Consistency of impls with their meta function.
#include "check/impl_alignment.h"
#include "check/rules.h"
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
  template <typename... Values>
  DiagnosticBuilder build(const SourceRange& range, FormatFor<Values...> format, const Values&... values) const {
    return checker.build<Values...>(DiagnosticKind::impl_mismatch, range, format, values...);
  }
};

void note_at_meta(DiagnosticBuilder& diagnostic, const ExpectedParameter& expected) {
  if (expected.has_free_name)
    diagnostic.note(expected.range, "`meta` returns the precomputed values here");
  else
    diagnostic.note(expected.range, "`meta` parameter declared here");
}

void report_base(const Pair& pair) {
  const Parameter& base = pair.declaration().parameters.front();
  const Parameter& expected = pair.meta.parameters.front();
  if (is_base(base, pair.meta)) return;
  const Types types(base.type, expected.type);
  pair.build(base.type_range, "`impl` for {} takes {} where `meta` takes {}", pair.impl.name, types.first, types.second)
      .note(expected.range, "`meta` parameter declared here")
      .fix(retyped(base, expected.type.written))
      .emit();
}

/// Returns an edit that states the properties at the parameter by `requires`.
FixIt requiring(const Parameter& parameter, const Refinement& missing) {
  std::string arguments = "\"" + llvm::join(required_arguments(missing), "\", \"") + "\"";
  if (const Attribute* attribute = find_attribute(parameter.attributes, "requires")) {
    if (!attribute->arguments.empty()) {
      return insertion_after(attribute->arguments.back().range, ", " + arguments);
    }
  }
  return insertion_before(parameter.range, "[[structured::requires(" + arguments + ")]] ");
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
  DiagnosticBuilder diagnostic =
      checker.build(DiagnosticKind::refinement, parameter.type_range,
                    "{} for {} requires {} with memory on {}, but is for backend {}", function.role(), function.name,
                    Code(parameter.name), Code(required->device), Code(*backend));
  if (refinement_of(parameter.type.canonical)) diagnostic.fix(retyped(parameter, plain));
  diagnostic.emit();
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
    DiagnosticBuilder diagnostic =
        pair.checker.build(DiagnosticKind::refinement, parameter.type_range,
                           "`impl` for {} requires {} with {}, which `meta` does not require", pair.impl.name,
                           Code(parameter.name), Phrase(llvm::join(properties(missing), " and ")));
    note_at_meta(diagnostic, expected);
    const bool uses_attribute =
        has_attribute(input->attributes, "requires") || has_attribute(parameter.attributes, "requires");
    diagnostic.fix(uses_attribute ? requiring(*input, missing) : retyped(*input, parameter.type.written));
    diagnostic.emit();
  }
  if (known.device.empty()) {
    report_device(pair.checker, pair.impl, parameter, expected.type.written);
  } else if (const std::optional<std::string> backend = other_backend(pair.impl, known.device)) {
    DiagnosticBuilder diagnostic =
        pair.checker.build(DiagnosticKind::refinement, parameter.type_range,
                           "`impl` for {} is for backend {}, but `meta` requires {} with memory on {}", pair.impl.name,
                           Code(*backend), Code(parameter.name), Code(known.device));
    note_at_meta(diagnostic, expected);
    diagnostic.emit();
  }
}

void report_pair(const Pair& pair, const ExpectedParameter& expected, const Parameter& parameter) {
  // Another rule reports a type of the meta function that has no schema type.
  bool is_known = expected.has_free_name || pair.checker.types().argument(expected.type.canonical);
  bool has_type = !is_known || is_same_argument(expected.type, parameter.type, pair.checker.types());
  bool has_name = expected.has_free_name || parameter.name.empty() || expected.name == parameter.name;
  if (!has_type) {
    const Types types(parameter.type, expected.type);
    DiagnosticBuilder diagnostic =
        expected.has_free_name
            ? pair.build(parameter.type_range,
                         "`impl` for {} takes {} where `meta` returns precomputed values; expected {}", pair.impl.name,
                         types.first, types.second)
            : pair.build(parameter.type_range, "`impl` for {} takes {} where `meta` takes {}", pair.impl.name,
                         types.first, types.second);
    note_at_meta(diagnostic, expected);
    diagnostic.fix(retyped(parameter, expected.type.written));
    diagnostic.emit();
  } else if (has_name) {
    report_refinement(pair, expected, parameter);
  }
  if (has_name) return;
  DiagnosticBuilder diagnostic = pair.build(parameter.name_range, "`impl` for {} names a parameter {}; expected {}",
                                            pair.impl.name, Code(parameter.name), Code(expected.name));
  note_at_meta(diagnostic, expected);
  diagnostic.fix(renamed(pair.declaration(), parameter, expected.name));
  diagnostic.emit();
}

void report_additional(const Pair& pair, std::size_t index) {
  llvm::ArrayRef<Parameter> parameters = pair.declaration().parameters;
  const Parameter& parameter = parameters[index];
  bool is_replaced = has_precomputed(pair.meta) && llvm::any_of(pair.meta.result_class->members, [&](const Member& m) {
                       return m.name == parameter.name;
                     });
  const Code written(parameter.type.written + " " + parameter.name);
  DiagnosticBuilder diagnostic =
      is_replaced
          ? pair.build(parameter.range, "`impl` for {} takes {}, which a precomputed value replaces", pair.impl.name,
                       written)
                .note(pair.meta.result_range, "`meta` returns the precomputed values here")
          : pair.build(parameter.range, "`impl` for {} takes {}, which `meta` does not take", pair.impl.name, written)
                .note(pair.meta.parameters_range, "`meta` parameters declared here");
  if (!pair.declaration().is_definition) {
    SourceRange removed = parameter.range;
    if (index + 1 < parameters.size())
      removed.end = parameters[index + 1].range.begin;
    else if (index > 0)
      removed.begin = parameters[index - 1].range.end;
    diagnostic.fix(removal(removed));
  }
  diagnostic.emit();
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
  DiagnosticBuilder diagnostic =
      pair.build(impl.name_range, "`impl` for {} does not take {}, which `meta` {}", pair.impl.name, List(names),
                 Phrase(missing.front().has_free_name ? "returns" : "takes"));
  for (const ExpectedParameter& expected : missing) note_at_meta(diagnostic, expected);
  if (index < impl.parameters.size())
    diagnostic.fix(insertion_before(impl.parameters[index].range, text + ", "));
  else if (!impl.parameters.empty())
    diagnostic.fix(insertion_after(impl.parameters.back().range, ", " + text));
  else
    diagnostic.fix(replacement(impl.parameters_range, text));
  diagnostic.emit();
}

void report_order(const Pair& pair, const ImplAlignment& alignment) {
  llvm::ArrayRef<Parameter> parameters = pair.declaration().parameters;
  std::size_t begin = alignment.has_base ? 1 : 0;
  std::size_t wrong = 0;
  while (*alignment.inputs[wrong].index == begin + wrong) ++wrong;
  const ExpectedParameter& expected = *alignment.inputs[wrong].expected;
  const Parameter& found = parameters[begin + wrong];
  DiagnosticBuilder diagnostic =
      pair.build(found.range, "`impl` for {} takes {} where `meta` takes {}; expected the parameter order of `meta`",
                 pair.impl.name, Code(found.name), Code(expected.name));
  note_at_meta(diagnostic, expected);
  SourceRange all = parameters[begin].range;
  all.end = parameters[begin + alignment.inputs.size() - 1].range.end;
  std::string text;
  for (const AlignedParameter& input : alignment.inputs) text += (text.empty() ? "" : ", ") + input.expected->text();
  diagnostic.fix(replacement(all, text));
  diagnostic.emit();
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
  DiagnosticBuilder diagnostic = pair.build(
      impl.name_range, "`impl` for {} has no output; expected {} as its last parameter", pair.impl.name, Code(output));
  if (!impl.parameters.empty()) diagnostic.fix(insertion_after(impl.parameters.back().range, ", " + output));
  diagnostic.emit();
}

void check_output_properties(const Pair& pair, const ImplAlignment& alignment) {
  for (const Parameter& output : llvm::drop_begin(pair.declaration().parameters, alignment.first_output)) {
    const Attribute* attribute = find_attribute(output.attributes, "requires");
    if (attribute == nullptr) continue;
    pair.checker.report(DiagnosticKind::requires_on_non_input, attribute->range,
                        "`requires` on {}, an output, which is as `meta` describes it", Code(output.name));
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
      DiagnosticBuilder diagnostic =
          checker.build(DiagnosticKind::impl_default, parameter.default_argument->range,
                        "default of {} on an `impl` is ignored; defaults come from `meta`", Code(parameter.name));
      if (meta) {
        for (const Parameter& input : meta->parameters) {
          if (input.name == parameter.name) diagnostic.note(input.range, "`meta` parameter declared here");
        }
      }
      SourceRange removed = parameter.default_argument->range;
      removed.begin = parameter.name.empty() ? parameter.type_range.end : parameter.name_range.end;
      removals.push_back(removal(removed));
      for (const FixIt& edit : removals) diagnostic.fix(edit);
      diagnostic.emit();
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

// Outputs of impls, and the names of results.
#include "check/impl_alignment.h"
#include "check/rules.h"
#include "check/text.h"
#include "model/kernel_form.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// An impl and its output parameters.
struct Outputs {
  const OperatorRef* impl;
  llvm::ArrayRef<Parameter> parameters;
};

/// Returns the outputs of every readable impl of the operator that has any.
std::vector<Outputs> all_outputs(const Checker& checker, const DefinedOperator& op) {
  const Declaration& meta = op.definition.declaration();
  std::vector<Outputs> all;
  if (!op.is_structured() || !is_comparable(meta, checker.types())) return all;
  for (const OperatorRef& impl : op.impls) {
    if (!is_readable(impl.declaration())) continue;
    std::size_t first = align_impl(impl.declaration(), meta, checker.types()).first_output;
    auto outputs = llvm::ArrayRef<Parameter>(impl.declaration().parameters).drop_front(first);
    if (!outputs.empty()) all.push_back({&impl, outputs});  // otherwise reported as a mismatch with the meta function
  }
  return all;
}

std::string subject(const Outputs& outputs) {
  return "`impl` for " + code(to_string(outputs.impl->name)) + " on " + list_of(outputs.impl->backends());
}

void compare(Checker& checker, const Outputs& outputs, const Outputs& first) {
  const Declaration& declaration = outputs.impl->declaration();
  if (outputs.parameters.size() != first.parameters.size()) {
    Diagnostic& diagnostic =
        checker.report(DiagnosticKind::impl_outputs_differ, declaration.name_range,
                       subject(outputs) + " has " + count_of(outputs.parameters.size(), "output") + "; expected " +
                           llvm::Twine(first.parameters.size()) + as_on(first.impl->backends()));
    diagnostic.notes.push_back({"the other `impl` is declared here", first.impl->declaration().name_range});
    return;
  }
  for (std::size_t i = 0; i < first.parameters.size(); ++i) {
    const Parameter& output = outputs.parameters[i];
    const Parameter& expected = first.parameters[i];
    if (output.name.empty() || expected.name.empty() || output.name == expected.name) continue;
    Diagnostic& diagnostic = checker.report(DiagnosticKind::impl_outputs_differ, output.name_range,
                                            subject(outputs) + " names an output " + code(output.name) + "; expected " +
                                                code(expected.name) + as_on(first.impl->backends()));
    diagnostic.notes.push_back({"the other output is declared here", expected.range});
    if (!declaration.is_definition) diagnostic.fixits.push_back({output.name_range, expected.name});
  }
}

void report_count(Checker& checker, const ResultNames& names, std::size_t count, const SourceRange& place,
                  const char* note) {
  if (names.names.size() == count) return;
  Diagnostic& diagnostic = checker.report(DiagnosticKind::returns_count, names.attribute->range,
                                          "`returns` has " + count_of(names.names.size(), "name") + "; expected " +
                                              llvm::Twine(count) + ", one for each result");
  diagnostic.notes.push_back({note, place});
}

}  // namespace

void check_impl_output_types(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    for (const Outputs& outputs : all_outputs(checker, op)) {
      for (const Parameter& output : outputs.parameters) {
        if (is_output_type(output.type, checker.types())) continue;
        auto classified = checker.types().argument(output.type.canonical);
        bool is_mutable = classified && classified->is_mutable;
        std::string expected =
            is_mutable ? "const " + output.type.written : ("const " + checker.types().tensor() + "&").str();
        Diagnostic& diagnostic =
            checker.report(DiagnosticKind::impl_output_type, output.type_range,
                           "output " + code(output.name) + " of `impl` for " + code(to_string(outputs.impl->name)) +
                               " is " + code(output.type.written) + "; expected " + code(expected));
        diagnostic.fixits.push_back(retyped(output, expected));
      }
    }
  }
}

void check_impl_outputs_agree(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    std::vector<Outputs> all = all_outputs(checker, op);
    for (const Outputs& outputs : llvm::drop_begin(all, all.empty() ? 0 : 1)) compare(checker, outputs, all.front());
  }
}

void check_output_names(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    auto report = [&](const SourceRange& range, const llvm::Twine& message) -> Diagnostic& {
      return checker.report(DiagnosticKind::duplicate_argument, range, message);
    };
    if (!is_readable(op.definition.declaration())) continue;
    for (const Parameter& input : input_parameters(op.definition, checker.types())) {
      if (!op.is_structured() && input.name == "out") {
        report(input.name_range, "input " + code(input.name) + " of `pointwise` for " +
                                     code(to_string(op.definition.name)) +
                                     " has the name of the output; expected another name");
      }
      for (const Outputs& outputs : all_outputs(checker, op)) {
        for (const Parameter& output : outputs.parameters) {
          if (output.name.empty() || output.name != input.name) continue;
          report(output.name_range, "output " + code(output.name) + " of " + subject(outputs) +
                                        " has the name of an input; expected another name")
              .notes.push_back({"the input is declared here", input.range});
        }
      }
    }
  }
}

void check_returns_count(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    std::vector<OperatorName> variants;
    for (const NamedVariant& variant : op.variants) variants.push_back(variant.name);
    const Declaration& definition = op.definition.declaration();
    std::vector<Outputs> all = all_outputs(checker, op);
    for (const ResultNames& names : read_result_names(definition, variants, checker.index())) {
      if (!op.is_structured()) {
        report_count(checker, names, 1, definition.result_range, "a scalar function has one result");
      } else if (!all.empty()) {
        report_count(checker, names, all.front().parameters.size(), all.front().impl->declaration().name_range,
                     "the outputs of this `impl` are the results");
      }
    }
  }
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : op.kernels) {
      auto results = checker.types().results(ref.declaration().result.canonical);
      if (!results || !is_readable(ref.declaration())) continue;
      for (const ResultNames& names : read_result_names(ref.declaration(), op.name, checker.index())) {
        report_count(checker, names, results->size(), ref.declaration().result_range, "results declared here");
      }
    }
  }
}

}  // namespace structured::gen

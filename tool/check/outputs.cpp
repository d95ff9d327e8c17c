// Outputs of impls, and the names of results.
#include <algorithm>

#include "check/impl_alignment.h"
#include "check/rules.h"
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

Phrase subject(const Outputs& outputs) {
  return phrase("`impl` for {} on {}", outputs.impl->name, List(outputs.impl->backends()));
}

/// Returns the first output of `longer` whose name no output of `shorter` has, or else the first that is too many.
const Parameter& additional_output(const Outputs& longer, const Outputs& shorter) {
  const Parameter* found = llvm::find_if(longer.parameters, [&](const Parameter& output) {
    return llvm::none_of(shorter.parameters, [&](const Parameter& other) { return other.name == output.name; });
  });
  return found == longer.parameters.end() ? longer.parameters[shorter.parameters.size()] : *found;
}

void compare(Checker& checker, const Outputs& outputs, const Outputs& first) {
  const Declaration& declaration = outputs.impl->declaration();
  if (outputs.parameters.size() != first.parameters.size()) {
    bool has_more = outputs.parameters.size() > first.parameters.size();
    const Parameter& extra = has_more ? additional_output(outputs, first) : additional_output(first, outputs);
    const Count count{outputs.parameters.size(), "output"};
    const std::size_t expected = first.parameters.size();
    const Phrase as_there = as_on(first.impl->backends());
    if (has_more) {
      checker
          .build(DiagnosticKind::impl_outputs_differ, extra.range, "{} has {}; expected {}{}", subject(outputs), count,
                 expected, as_there)
          .note(first.impl->declaration().name_range, "the other `impl` is declared here")
          .emit();
    } else {
      checker
          .build(DiagnosticKind::impl_outputs_differ, outputs.parameters.back().range,
                 "{} has {}; expected {}{}, which also has {}", subject(outputs), count, expected, as_there,
                 Code(extra.name))
          .note(extra.range, "the additional output is declared here")
          .emit();
    }
    return;
  }
  for (std::size_t i = 0; i < first.parameters.size(); ++i) {
    const Parameter& output = outputs.parameters[i];
    const Parameter& expected = first.parameters[i];
    if (output.name.empty() || expected.name.empty() || output.name == expected.name) continue;
    checker
        .build(DiagnosticKind::impl_outputs_differ, output.name_range, "{} names an output {}; expected {}{}",
               subject(outputs), Code(output.name), Code(expected.name), as_on(first.impl->backends()))
        .note(expected.range, "the other output is declared here")
        .fix(renamed(declaration, output, expected.name))
        .emit();
  }
}

void report_count(Checker& checker, const ResultNames& names, std::size_t count, const SourceRange& place,
                  MessageFormat<> note) {
  if (names.names.size() == count) return;
  checker
      .build(DiagnosticKind::returns_count, names.attribute->range,
             "`returns` has {}; expected {}, one for each result", Count{names.names.size(), "name"}, count)
      .note(place, note)
      .emit();
}

/// Results are the outputs in order, so a result must not have the name of an output at another index.
void compare_order(Checker& checker, const ResultNames& names, llvm::ArrayRef<Parameter> outputs) {
  if (names.names.size() != outputs.size()) return;  // another rule reports this
  llvm::ArrayRef<AttributeArgument> written = names.attribute->arguments;
  if (names.variant) written = written.drop_front();
  if (written.size() != outputs.size()) return;
  auto position = [&](llvm::StringRef name) {
    return llvm::find_if(outputs, [&](const Parameter& output) { return output.name == name; }) - outputs.begin();
  };
  std::vector<std::string> in_order;
  for (const Parameter& output : outputs) in_order.push_back(output.name);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    auto found = static_cast<std::size_t>(position(names.names[i]));
    if (found == i || found == outputs.size()) continue;
    DiagnosticBuilder diagnostic =
        checker
            .build(DiagnosticKind::returns_order, written[i].range,
                   "`returns` names result {} {}, the name of output {}; expected the order of the outputs, {}", i,
                   Code(names.names[i]), found, List(in_order))
            .note(outputs[found].range, "output {} is declared here", found);
    if (std::is_permutation(in_order.begin(), in_order.end(), names.names.begin())) {
      for (std::size_t k = 0; k < written.size(); ++k) {
        diagnostic.fix(string_replacement(written[k].range, in_order[k]));
      }
    }
    diagnostic.emit();
    return;
  }
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
        checker
            .build(DiagnosticKind::impl_output_type, output.type_range, "output {} of `impl` for {} is {}; expected {}",
                   Code(output.name), outputs.impl->name, output.type, Code(expected))
            .fix(retyped(output, expected))
            .emit();
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
    if (!is_readable(op.definition.declaration())) continue;
    for (const Parameter& input : input_parameters(op.definition, checker.types())) {
      if (!op.is_structured() && input.name == "out") {
        checker.report(DiagnosticKind::duplicate_argument, input.name_range,
                       "input {} of `pointwise` for {} has the name of the output; expected another name",
                       Code(input.name), op.definition.name);
      }
      for (const Outputs& outputs : all_outputs(checker, op)) {
        for (const Parameter& output : outputs.parameters) {
          if (output.name.empty() || output.name != input.name) continue;
          checker
              .build(DiagnosticKind::duplicate_argument, output.name_range,
                     "output {} of {} has the name of an input; expected another name", Code(output.name),
                     subject(outputs))
              .note(input.range, "the input is declared here")
              .emit();
        }
      }
    }
  }
}

void check_returns_order(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    std::vector<Outputs> all = all_outputs(checker, op);
    if (all.empty()) continue;
    for (const ResultNames& names : read_result_names(op.definition, checker.index())) {
      compare_order(checker, names, all.front().parameters);
    }
  }
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : op.kernels) {
      const Declaration& declaration = ref.declaration();
      if (!is_readable(declaration)) continue;
      std::size_t outputs = kernel_form(declaration, op.name, checker.types()).outputs;
      if (outputs > declaration.parameters.size()) continue;
      for (const ResultNames& names : read_result_names(ref, checker.index())) {
        compare_order(checker, names, llvm::ArrayRef<Parameter>(declaration.parameters).take_back(outputs));
      }
    }
  }
}

void check_returns_count(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    const Declaration& definition = op.definition.declaration();
    std::vector<Outputs> all = all_outputs(checker, op);
    for (const ResultNames& names : read_result_names(op.definition, checker.index())) {
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
      for (const ResultNames& names : read_result_names(ref, checker.index())) {
        report_count(checker, names, results->size(), ref.declaration().result_range, "results declared here");
      }
    }
  }
}

}  // namespace structured::gen

// Outputs of impls, and the names of results.
#include <algorithm>

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
    Diagnostic& diagnostic =
        checker.report(DiagnosticKind::impl_outputs_differ, has_more ? extra.range : outputs.parameters.back().range,
                       subject(outputs) + " has " + count_of(outputs.parameters.size(), "output") + "; expected " +
                           llvm::Twine(first.parameters.size()) + as_on(first.impl->backends()) +
                           (has_more ? "" : ", which also has " + code(extra.name)));
    diagnostic.notes.push_back(has_more
                                   ? Note{"the other `impl` is declared here", first.impl->declaration().name_range}
                                   : Note{"the additional output is declared here", extra.range});
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
    Diagnostic& diagnostic = checker.report(DiagnosticKind::returns_order, written[i].range,
                                            "`returns` names result " + llvm::Twine(i) + " " + code(names.names[i]) +
                                                ", the name of output " + llvm::Twine(found) +
                                                "; expected the order of the outputs, " + list_of(in_order));
    diagnostic.notes.push_back({"output " + llvm::Twine(found).str() + " is declared here", outputs[found].range});
    if (std::is_permutation(in_order.begin(), in_order.end(), names.names.begin())) {
      for (std::size_t k = 0; k < written.size(); ++k) {
        diagnostic.fixits.push_back({written[k].range, "\"" + in_order[k] + "\""});
      }
    }
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

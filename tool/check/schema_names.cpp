// Names that are not valid in schemas, or that Python cannot use.
#include "check/impl_alignment.h"
#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"
#include "model/cpp_names.h"
#include "model/python_names.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral is_reserved = "has a name that PyTorch reserves in schemas; expected another one";

/// Returns the fault of an argument's name, as the rest of a sentence about it; empty if there is none.
llvm::StringRef fault_in(llvm::StringRef name, const TypeTable& types) {
  const bool is_for_torch = types.has_torch_schemas();
  auto is_valid = [&](char c) { return is_word_character(c) || (!is_for_torch && (c & 0x80) != 0); };
  if (!llvm::all_of(name, is_valid)) {
    if (!is_for_torch) return "has a name that is not valid in schemas; expected letters, digits and `_`";
    return "has a name that is not valid in schemas of PyTorch; expected letters of ASCII, digits and `_`";
  }
  return is_for_torch && is_reserved_in_torch(name) ? llvm::StringRef(is_reserved) : "";
}

/// Returns all functions of an operator.
template <typename Op>
std::vector<const OperatorRef*> functions_of(const Op& op) {
  std::vector<const OperatorRef*> functions;
  auto add = [&](llvm::ArrayRef<OperatorRef> refs) {
    for (const OperatorRef& ref : refs) functions.push_back(&ref);
  };
  if constexpr (std::is_same_v<Op, DefinedOperator>) {
    functions.push_back(&op.definition);
    add(op.impls);
  }
  add(op.kernels);
  add(op.backwards);
  return functions;
}

/// Returns the parameters of the functions that have this name.
std::vector<const Parameter*> parameters_named(llvm::StringRef name, llvm::ArrayRef<const OperatorRef*> functions) {
  std::vector<const Parameter*> found;
  for (const OperatorRef* function : functions) {
    for (const Parameter& parameter : function->declaration().parameters) {
      if (parameter.name == name) found.push_back(&parameter);
    }
  }
  return found;
}

/// Returns a name that no argument of the functions has.
std::string free_name(llvm::StringRef name, llvm::ArrayRef<const OperatorRef*> functions) {
  std::string free = name.str() + "_";
  while (!parameters_named(free, functions).empty()) free += '_';
  return free;
}

/// Returns edits that rename the argument in all functions of the operator. Bodies use the name, so there are no edits
/// if a function with this parameter has a body.
std::vector<FixIt> renamed_everywhere(llvm::StringRef name, llvm::StringRef free,
                                      llvm::ArrayRef<const OperatorRef*> functions) {
  std::vector<FixIt> edits;
  for (const OperatorRef* function : functions) {
    for (const Parameter* parameter : parameters_named(name, function)) {
      std::optional<FixIt> edit = renamed(function->declaration(), *parameter, free);
      if (!edit) return {};
      if (!llvm::is_contained(edits, *edit)) edits.push_back(std::move(*edit));
    }
  }
  return edits;
}

/// Whether the name is one that calls from Python cannot say. ATen has such names, and libraries with kernels for it.
bool is_warned_of(const Checker& checker, llvm::StringRef name) {
  return checker.types().has_torch_schemas() && checker.options().cpp_types && is_python_keyword(name);
}

void check_argument(Checker& checker, const OperatorName& op, const Parameter& parameter,
                    llvm::ArrayRef<const OperatorRef*> functions) {
  llvm::StringRef name = parameter.name;
  const llvm::StringRef fault = fault_in(name, checker.types());
  const bool is_keyword = fault.empty() && is_warned_of(checker, name);
  if (fault.empty() && !is_keyword) return;
  if (!is_keyword && !is_reserved_in_torch(name)) {
    checker.report(DiagnosticKind::schema_name, parameter.name_range, "argument {} of {} {}", Code(name), op,
                   Phrase(fault));
    return;
  }
  const std::string free = free_name(name, functions);
  DiagnosticBuilder diagnostic =
      is_keyword ? checker.build(DiagnosticKind::python_keyword, parameter.name_range,
                                 "argument {} of {} has the name of a keyword of Python, so that calls cannot pass it "
                                 "by name; expected another one, such as {}",
                                 Code(name), op, Code(free))
                 : checker.build(DiagnosticKind::schema_name, parameter.name_range, "argument {} of {} {}, such as {}",
                                 Code(name), op, Phrase(fault), Code(free));
  for (FixIt& edit : renamed_everywhere(name, free, functions)) diagnostic.fix(std::move(edit));
  diagnostic.emit();
}

/// Reports results whose name PyTorch reserves. Others that are no identifiers are faults in an argument of `returns`.
void check_results(Checker& checker, const OperatorRef& definition) {
  if (!checker.types().has_torch_schemas()) return;
  for (const ResultNames& names : read_result_names(definition, checker.index())) {
    llvm::ArrayRef<AttributeArgument> written = names.attribute->arguments;
    if (names.variant) written = written.drop_front();
    for (std::size_t i = 0; i < std::min(written.size(), names.names.size()); ++i) {
      if (!is_reserved_in_torch(names.names[i])) continue;
      checker.report(DiagnosticKind::schema_name, written[i].range, "result {} of {} {}", Code(names.names[i]),
                     definition.name, Phrase(is_reserved));
    }
  }
}

void check_name(Checker& checker, const OperatorName& name, const SourceRange& range) {
  if (!checker.types().has_torch_schemas()) return;
  if (is_reserved_in_torch(name.base) || is_reserved_in_torch(name.ns)) {
    checker.report(DiagnosticKind::schema_name, range, "operator {} {}", name, Phrase(is_reserved));
  } else if (is_warned_of(checker, name.base)) {
    std::string ns = name.ns.empty() ? checker.options().schema_namespace : name.ns;
    checker.report(DiagnosticKind::python_keyword, range,
                   "operator {} has the name of a keyword of Python, so that a call is {}; expected another one", name,
                   Code("getattr(torch.ops." + ns + ", \"" + name.base + "\")(...)"));
  }
  llvm::StringRef overload = name.overload;
  if (overload.empty()) return;
  if (is_reserved_in_torch(overload) || overload == "default" || overload.starts_with("__") ||
      llvm::isDigit(overload.front())) {
    checker.report(
        DiagnosticKind::schema_name, range,
        "overload {} of {} has a name that PyTorch does not accept; expected a name other than `default` and "
        "keywords of Python that does not begin with `__`",
        Code(overload), Code(name.base));
  }
}

/// Returns the outputs of the first readable impl.
llvm::ArrayRef<Parameter> outputs_of(const Checker& checker, const DefinedOperator& op) {
  const Declaration& meta = op.definition.declaration();
  if (!op.is_structured() || op.impls.empty() || !is_comparable(meta, checker.types())) return {};
  const Declaration& impl = op.impls.front().declaration();
  if (!is_readable(impl)) return {};
  return llvm::ArrayRef<Parameter>(impl.parameters).drop_front(align_impl(impl, meta, checker.types()).first_output);
}

void check_defined(Checker& checker, const DefinedOperator& op) {
  for (const NamedVariant& variant : op.variants) {
    if (variant.written) check_name(checker, variant.name, variant.written->range);
  }
  if (!is_readable(op.definition.declaration())) return;
  std::vector<const OperatorRef*> functions = functions_of(op);
  for (const Parameter& input : input_parameters(op.definition, checker.types())) {
    check_argument(checker, op.definition.name, input, functions);
  }
  for (const Parameter& output : outputs_of(checker, op)) {
    check_argument(checker, op.definition.name, output, functions);
  }
  check_results(checker, op.definition);
}

void check_plain(Checker& checker, const PlainOperator& op) {
  const OperatorRef& kernel = op.kernels.front();
  check_name(checker, op.name, kernel.attribute->arguments.front().range);
  for (const NamedVariant& variant : op.derived) check_name(checker, variant.name, variant.written->range);
  if (!is_readable(kernel.declaration())) return;
  std::vector<const OperatorRef*> functions = functions_of(op);
  for (const Parameter& parameter : kernel.declaration().parameters) {
    check_argument(checker, op.name, parameter, functions);
  }
  check_results(checker, kernel);
}

}  // namespace

void check_schema_names(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    if (!op.is_imported()) check_defined(checker, op);
  }
  for (const PlainOperator& op : checker.index().plain()) {
    if (!op.is_imported()) check_plain(checker, op);
  }
}

}  // namespace structured::gen

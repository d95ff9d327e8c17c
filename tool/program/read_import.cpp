#include "program/read_import.h"

#include <map>

#include "check/check.h"
#include "derive/derive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/annotation.h"
#include "model/cpp_names.h"
#include "model/signatures_json.h"
#include "program/output_file.h"

namespace structured::gen {
namespace {

/// Whether the text is valid in an include directive.
bool is_header(llvm::StringRef text) {
  return !text.empty() && llvm::none_of(text, [](char c) { return !llvm::isPrint(c) || c == '"' || c == '\\'; });
}

/// Checks the text that emission copies from the document.
llvm::Error check_texts(const Signatures& signatures) {
  if (!is_identifier(signatures.schema_namespace)) {
    return llvm::createStringError("`$.schema_namespace`: expected an identifier, found `" +
                                   signatures.schema_namespace + "`");
  }
  if (!is_cpp_namespace(signatures.cpp_namespace)) {
    return llvm::createStringError("`$.cpp_namespace`: expected a C++ namespace, found `" + signatures.cpp_namespace +
                                   "`");
  }
  for (std::size_t i = 0; i < signatures.operators.size(); ++i) {
    const OperatorSignature& op = signatures.operators[i];
    std::string path = "$.operators[" + std::to_string(i) + "]";
    for (const std::string& output : op.outputs) {
      if (is_identifier(output)) continue;
      return llvm::createStringError("`" + path + ".outputs`: expected identifiers, found `" + output + "`");
    }
    if (role_of(op.definition) == Role::meta && op.outputs.empty()) {
      return llvm::createStringError("`" + path + ".outputs`: expected an output or more, found none");
    }
    for (const std::optional<ClassFact>* fact : {&op.definition.base_class, &op.definition.result_class}) {
      if (!*fact || is_header((*fact)->header)) continue;
      return llvm::createStringError("`" + path + ".definition`: expected the header of `" + (*fact)->name +
                                     "`, found `" + (*fact)->header + "`");
    }
  }
  return llvm::Error::success();
}

/// Checks that the definitions pass every rule and that the schemas follow from them.
llvm::Error check_consistency(const Signatures& signatures, const ImportedLibrary& library, const Dialect& dialect) {
  CheckOptions options;
  options.schema_namespace = library.schema_namespace;
  options.whole_library = false;
  for (const Diagnostic& diagnostic : check(library.definitions, dialect.types(), options)) {
    if (severity_of(diagnostic.kind) != Severity::error) continue;
    return llvm::createStringError("line " + llvm::Twine(diagnostic.range.begin.line) + ": " + diagnostic.message);
  }
  Library derived =
      derive({library.definitions, library.kernels}, dialect.types(), library.schema_namespace, library.cpp_namespace);
  std::map<OperatorName, const Operator*> by_name;
  for (const Operator& op : derived.operators) by_name.try_emplace(op.variants.front().schema.name, &op);
  for (std::size_t i = 0; i < signatures.operators.size(); ++i) {
    const OperatorSignature& op = signatures.operators[i];
    std::string path = "$.operators[" + std::to_string(i) + "].variants";
    const auto entry = by_name.find(op.variants.front().schema.name);
    if (entry == by_name.end()) {
      return llvm::createStringError("`" + path + "`: expected the operator that is defined, found `" +
                                     to_string(op.variants.front().schema) + "`");
    }
    const Operator* found = entry->second;
    if (found->variants.size() != op.variants.size()) {
      return llvm::createStringError("`" + path + "`: expected " + llvm::Twine(found->variants.size()) +
                                     " schemas, as many as the definition has, found " +
                                     llvm::Twine(op.variants.size()));
    }
    for (std::size_t j = 0; j < op.variants.size(); ++j) {
      std::string expected = to_string(found->variants[j].schema);
      std::string stated = to_string(op.variants[j].schema);
      if (stated == expected) continue;
      return llvm::createStringError("`" + path + "[" + llvm::Twine(j) + "].schema`: expected `" + expected +
                                     "`, which follows from the definition, found `" + stated + "`");
    }
  }
  return llvm::Error::success();
}

}  // namespace

llvm::Expected<ImportedLibrary> read_import(const std::string& path, llvm::StringRef name, const Dialect& dialect) {
  llvm::Expected<std::string> text = read_input(path);
  if (!text) return text.takeError();
  auto in_file = [&](llvm::Error error) {
    return llvm::createStringError("`" + path + "`: " + llvm::toString(std::move(error)));
  };
  llvm::Expected<Signatures> signatures = signatures_from_json(*text);
  if (!signatures) return in_file(signatures.takeError());
  if (signatures->dialect != dialect.name()) {
    return llvm::createStringError("`" + path + "`: `$.dialect`: expected `" + dialect.name() +
                                   "`, that of the importing library, found `" + signatures->dialect + "`");
  }
  if (llvm::Error error = check_texts(*signatures)) return in_file(std::move(error));
  ImportedLibrary library = imported_library(*signatures, dialect.types(), name, *text);
  if (llvm::Error error = check_consistency(*signatures, library, dialect)) return in_file(std::move(error));
  return library;
}

}  // namespace structured::gen

#include "model/signatures_json.h"

#include "llvm/ADT/Twine.h"
#include "model/declaration_json.h"
#include "model/json_reader.h"
#include "model/json_writer.h"

namespace structured::gen {

namespace {
constexpr llvm::StringRef signatures_format = "structured signatures";
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<VariantSignature> variant) {
  archive.required("schema", variant.schema);
  archive.field("kernels", variant.kernels);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<OperatorSignature> op) {
  archive.required("variants", op.variants);
  archive.required("definition", op.definition);
  archive.field("outputs", op.outputs);
  archive.field("impls", op.impls);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Signatures> signatures) {
  archive.required("schema_namespace", signatures.schema_namespace);
  archive.required("cpp_namespace", signatures.cpp_namespace);
  archive.required("dialect", signatures.dialect);
  archive.required("operators", signatures.operators);
}

std::string to_json(const Signatures& signatures) {
  return write_json_document(signatures, signatures_format, Signatures::format_version);
}

llvm::Expected<Signatures> signatures_from_json(llvm::StringRef text) {
  auto signatures = read_json_document<Signatures>(text, signatures_format, Signatures::format_version);
  if (!signatures) return signatures;
  for (std::size_t i = 0; i < signatures->operators.size(); ++i) {
    if (!signatures->operators[i].variants.empty()) continue;
    return llvm::createStringError("`$.operators[" + llvm::Twine(i) +
                                   "].variants`: expected the schema of every variant, found none");
  }
  return signatures;
}

}  // namespace structured::gen

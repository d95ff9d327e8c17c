// Storage of declarations in fragments and signatures.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/cpp_type_json.h"
#include "model/declaration.h"
#include "model/scalar_graph_json.h"
#include "model/shape_program_json.h"

namespace structured::gen {

// In the order of the enumerators.
inline llvm::ArrayRef<llvm::StringRef> names_of(LinkageError) {
  static constexpr llvm::StringRef names[] = {
      "is_template",  "is_member",     "is_static",  "is_in_unnamed_namespace", "is_inline", "is_constexpr",
      "returns_auto", "is_c_variadic", "is_deleted", "has_asm_label",
  };
  static_assert(std::size(names) == static_cast<std::size_t>(LinkageError::has_asm_label) + 1);
  return names;
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<AttributeArgument> argument) {
  archive.required("value", argument.value);
  archive.field("range", argument.range);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Attribute> attribute) {
  archive.required("name", attribute.name);
  archive.field("arguments", attribute.arguments);
  archive.field("range", attribute.range);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<DefaultValue> value) {
  archive.field("value", value.evaluated);
  archive.field("literal", value.literal);
  archive.field("enumerator", value.enumerator);
  archive.field("elements", value.elements);
  archive.field("is_initial", value.is_initial);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<DefaultArgument> argument) {
  archive.required("text", argument.text);
  describe(archive, argument.value);
  archive.field("range", argument.range);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Parameter> parameter) {
  archive.field("name", parameter.name);
  archive.required("type", parameter.type);
  archive.field("is_enum", parameter.is_enum);
  archive.field("default_argument", parameter.default_argument);
  archive.field("attributes", parameter.attributes);
  archive.field("range", parameter.range);
  archive.field("type_range", parameter.type_range);
  archive.field("name_range", parameter.name_range);
  archive.field("is_invalid", parameter.is_invalid);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<ClassFact> fact) {
  archive.required("name", fact.name);
  archive.field("bases", fact.bases);
  archive.field("is_final", fact.is_final);
  archive.field("is_abstract", fact.is_abstract);
  archive.field("is_default_constructible", fact.is_default_constructible);
  archive.field("is_visible_from_header", fact.is_visible_from_header);
  archive.field("header", fact.header);
  archive.field("members", fact.members);
  archive.field("range", fact.range);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Ordering> ordering) {
  archive.required("comparison", ordering.comparison);
  archive.field("range", ordering.range);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<StandardUse> use) {
  archive.required("name", use.name);
  archive.field("range", use.range);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<IteratorFact> iterator) {
  archive.field("promotion", iterator.promotion);
  archive.field("refusal", iterator.refusal);
  archive.field("range", iterator.range);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Declaration> declaration) {
  archive.required("name", declaration.name);
  archive.field("is_extern_c", declaration.is_extern_c);
  archive.field("is_definition", declaration.is_definition);
  archive.required("result", declaration.result);
  archive.field("parameters", declaration.parameters);
  archive.field("attributes", declaration.attributes);
  archive.field("linkage_errors", declaration.linkage_errors);
  archive.field("is_invalid", declaration.is_invalid);
  archive.field("base_class", declaration.base_class);
  archive.field("result_class", declaration.result_class);
  archive.field("template_parameters", declaration.template_parameters);
  archive.field("ordering", declaration.ordering);
  archive.field("standard_uses", declaration.standard_uses);
  archive.field("scalar_bodies", declaration.scalar_bodies);
  archive.field("iterator", declaration.iterator);
  archive.field("shape", declaration.shape);
  archive.field("comment", declaration.comment);
  archive.field("range", declaration.range);
  archive.field("name_range", declaration.name_range);
  archive.field("result_range", declaration.result_range);
  archive.field("parameters_range", declaration.parameters_range);
  archive.field("macro_ranges", declaration.macro_ranges);
}

}  // namespace structured::gen

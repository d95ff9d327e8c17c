#include "emit/native/operators_index.h"

#include <set>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/native/public_functions.h"
#include "emit/writer.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

std::string truth(bool value) { return value ? "true" : "false"; }

// A function that returns the default: `[] { return ::structured::Value(::structured::Scalar(1)); }`.
std::string default_function(const LoweredDefault& value) {
  if (value.form == CppDefault::Form::none) return "::structured::no_value";
  const bool is_braced = value.form == CppDefault::Form::braces;
  return "[] { return ::structured::Value(" + value.type +
         (is_braced ? value.expression : "(" + value.expression + ")") + "); }";
}

// `{"self", ::structured::Value::Kind::tensor}`, with designated members for what differs from a plain argument.
void write_parameter(Writer& writer, const LoweredParameter& parameter) {
  std::vector<std::string> members{string_literal(parameter.name), "::structured::Value::Kind::" + parameter.kind};
  if (parameter.length != 0 || parameter.is_optional || parameter.is_alias || parameter.is_keyword_only ||
      parameter.default_value) {
    members.insert(members.end(), {truth(parameter.is_optional), truth(parameter.is_mutable), truth(parameter.is_alias),
                                   truth(parameter.is_keyword_only), std::to_string(parameter.length)});
  }
  if (parameter.default_value) {
    members.push_back(default_function(*parameter.default_value));
  }
  writer.list("{", members, "},");
}

// Constants that stand for schema text.
void write_parameter_lists(Writer& writer, const LoweredLibrary& lowered) {
  for (const LoweredParameterList& list : lowered.parameter_lists) {
    writer.blank();
    if (list.parameters.empty()) {
      writer.line("constexpr const ::structured::ParameterData* " + list.name + " = nullptr;");
      continue;
    }
    const Writer::Scope array =
        writer.block("constexpr ::structured::ParameterData " + list.name + "[] = {", "};", Writer::continuation);
    writer.line("// name, kind, is optional, is mutable, has an alias set, is keyword-only, length, default");
    for (const LoweredParameter& parameter : list.parameters) {
      write_parameter(writer, parameter);
    }
  }
}

// The handle of a variant: its name, table, boxed call, meta function and parameters.
std::vector<std::string> handle_members(const LoweredLibrary& lowered, const LoweredVariant& variant, bool boxed) {
  const Flavour& flavour = *lowered.flavour;
  std::vector<std::string> members{string_literal(variant.full_name),
                                   flavour.has_tables ? "&" + variant.table : "nullptr",
                                   boxed ? variant.boxed : "nullptr"};
  if (!flavour.has_schemas) {
    const LoweredParameterList& list = lowered.parameter_lists[variant.parameters];
    const std::size_t results = variant.derived->schema.returns.size();
    members.push_back("nullptr");
    members.push_back("{" + list.name + ", " + std::to_string(list.parameters.size() - results) + ", " +
                      std::to_string(results) + "}");
  } else if (variant.op->structured) {
    members.push_back(variant.meta);
  }
  return members;
}

}  // namespace

std::string operators_source(const LoweredLibrary& lowered, bool boxed) {
  Writer writer;
  write_banner(writer, "");
  std::set<std::string> headers{"<" + lowered.include_prefix + "/find_operator.h>"};
  std::vector<const LoweredVariant*> variants;
  for (const LoweredVariant& variant : lowered.own_variants()) {
    if (variant.boxed.empty()) {
      continue;
    }
    variants.push_back(&variant);
    add_headers(*lowered.cpp_types, *variant.op, *variant.derived, headers);
    if (!lowered.flavour->has_schemas) {
      add_default_headers(*lowered.cpp_types, variant.derived->schema, headers);
    }
  }
  write_includes(writer, headers);
  if (!variants.empty()) {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    std::set<std::string> metas;
    for (const LoweredVariant* variant : variants) {
      if (lowered.flavour->has_tables) {
        writer.blank();
        write_signature(writer, *variant);
        declare_table(writer, lowered, *variant);
      }
      if (lowered.flavour->has_schemas && variant->op->structured && metas.insert(variant->meta).second) {
        writer.line("const ::structured::MetaFunction& " + variant->meta + "();");
      }
      if (boxed) {
        writer.line("void " + variant->boxed + "(::structured::Stack& stack);");
      }
    }
    write_parameter_lists(writer, lowered);
    writer.blank();
    {
      const Writer::Scope table =
          writer.block("constexpr ::structured::OperatorHandle handles[] = {", "};", Writer::continuation);
      for (const LoweredVariant* variant : variants) {
        writer.list("{", handle_members(lowered, *variant, boxed), "},");
      }
    }
    if (lowered.flavour->has_schemas) {
      writer.blank();
      writer.line("STRUCTURED_ANNOUNCE_OPERATORS(\"" + joined_scopes(lowered.library->cpp_namespace, ".") +
                  "\", handles);");
    }
  }
  {
    const Writer::Scope scope = writer.in_namespace(lowered.library->cpp_namespace);
    const Writer::Scope function =
        writer.block("const ::structured::OperatorHandle* find_operator([[maybe_unused]] std::string_view name) {");
    writer.line(variants.empty()
                    ? std::string("return nullptr;")
                    : "return ::structured::detail::find_operator(::" + lowered.hidden_namespace + "::handles, name);");
  }
  return writer.text();
}

}  // namespace structured::gen

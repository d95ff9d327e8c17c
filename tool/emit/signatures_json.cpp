#include "emit/signatures_json.h"

#include <nlohmann/json.hpp>

#include "model/schema.h"

namespace structured::gen {
namespace {

constexpr int format_version = 1;

const char* kind_name(Variant::Kind kind) {
  switch (kind) {
    case Variant::Kind::functional:
      return "functional";
    case Variant::Kind::inplace:
      return "inplace";
    case Variant::Kind::out:
      return "out";
  }
  return "";
}

nlohmann::json variant_json(const Variant& variant) {
  return {
      {"input_types", variant.input_types}, {"kind", kind_name(variant.kind)}, {"schema", to_string(variant.schema)}};
}

nlohmann::json class_json(const ClassReference& reference) {
  return {{"header", reference.header}, {"name", reference.name}};
}

nlohmann::json operator_json(const Operator& op) {
  nlohmann::json json;
  json["variants"] = nlohmann::json::array();
  for (const Variant& variant : op.variants) {
    json["variants"].push_back(variant_json(variant));
  }
  if (op.structured) {
    json["base"] = class_json(op.structured->base);
    json["outputs"] = op.structured->output_names;
    if (const std::optional<Precomputed>& precomputed = op.structured->precomputed) {
      nlohmann::json members = nlohmann::json::array();
      for (const Member& member : precomputed->members) {
        members.push_back({{"name", member.name}, {"type", member.type.canonical}});
      }
      json["precomputed"] = {
          {"class", class_json(precomputed->type)}, {"members", members}, {"replaced", precomputed->replaced}};
    }
  }
  return json;
}

}  // namespace

std::string signatures_json(const Library& library) {
  nlohmann::json json;
  json["version"] = format_version;
  json["namespace"] = library.schema_namespace;
  json["cpp_namespace"] = library.cpp_namespace;
  json["dialect"] = library.dialect;
  json["operators"] = nlohmann::json::array();
  for (const Operator& op : library.operators) {
    json["operators"].push_back(operator_json(op));
  }
  // Names come from identifiers of a source, which may hold any bytes; none of them may make this fail.
  return json.dump(1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace structured::gen

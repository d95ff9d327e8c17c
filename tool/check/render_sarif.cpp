#include "check/render_sarif.h"

#include <nlohmann/json.hpp>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {
namespace {

using Json = nlohmann::json;

constexpr DiagnosticKind all_kinds[] = {
#define STRUCTURED_DIAGNOSTIC(identifier, name, severity, summary) DiagnosticKind::identifier,
#include "check/diagnostic_kinds.def"
};

const char* level_of(DiagnosticKind kind) { return severity_of(kind) == Severity::error ? "error" : "warning"; }

// Converts a byte column to a column in code points, which excludes UTF-8 continuation bytes.
unsigned code_point_column(const std::string& file, const Position& position, SourceText& sources) {
  const auto line = sources.line(file, position.line);
  if (!line) {
    return position.column;
  }
  const auto before = line->take_front(position.column - 1);
  return 1 + static_cast<unsigned>(llvm::count_if(before, [](char c) { return (c & 0xC0) != 0x80; }));
}

// Converts a path to a relative or `file:` URI, with reserved characters escaped.
std::string uri_of(llvm::StringRef path) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (llvm::isAlnum(c) || llvm::StringRef("/-._~+").contains(c)) {
      uri += c;
    } else {
      uri += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return uri;
}

Json artifact(const std::string& file) {
  Json result = {{"uri", uri_of(file)}};
  if (!llvm::StringRef(file).starts_with("/")) {
    result["uriBaseId"] = "SRCROOT";
  }
  return result;
}

Json region(const SourceRange& range, SourceText& sources) {
  return {{"startLine", range.begin.line},
          {"startColumn", code_point_column(range.file, range.begin, sources)},
          {"endLine", range.end.line},
          {"endColumn", code_point_column(range.file, range.end, sources)}};
}

Json location(const SourceRange& range, SourceText& sources) {
  if (range.file.empty()) {
    return Json::object();
  }
  Json physical = {{"artifactLocation", artifact(range.file)}};
  if (range.valid()) {
    physical["region"] = region(range, sources);
  }
  return {{"physicalLocation", std::move(physical)}};
}

Json rule(DiagnosticKind kind) {
  return {{"id", name_of(kind)},
          {"shortDescription", {{"text", summary_of(kind)}}},
          {"defaultConfiguration", {{"level", level_of(kind)}}}};
}

// A SARIF fix lists each file once, with all replacements in it.
Json fix(const Diagnostic& diagnostic, SourceText& sources) {
  std::map<std::string, Json> replacements;
  for (const FixIt& fixit : diagnostic.fixits) {
    replacements[fixit.range.file].push_back(
        {{"deletedRegion", region(fixit.range, sources)}, {"insertedContent", {{"text", fixit.text}}}});
  }
  Json changes = Json::array();
  for (auto& [file, list] : replacements) {
    changes.push_back({{"artifactLocation", artifact(file)}, {"replacements", std::move(list)}});
  }
  return {{"description", {{"text", diagnostic.message}}}, {"artifactChanges", std::move(changes)}};
}

Json result(const Diagnostic& diagnostic, SourceText& sources) {
  Json json = {{"ruleId", name_of(diagnostic.kind)},
               {"ruleIndex", static_cast<int>(diagnostic.kind)},
               {"level", level_of(diagnostic.kind)},
               {"message", {{"text", diagnostic.message}}},
               {"locations", Json::array({location(diagnostic.range, sources)})}};
  for (const auto& [index, note] : llvm::enumerate(diagnostic.notes)) {
    Json related = location(note.range, sources);
    related["id"] = index;
    related["message"] = {{"text", note.message}};
    json["relatedLocations"].push_back(std::move(related));
  }
  if (!diagnostic.fixits.empty()) {
    json["fixes"] = Json::array({fix(diagnostic, sources)});  // braces alone would copy the object with clang++
  }
  return json;
}

}  // namespace

std::string render_sarif(llvm::ArrayRef<Diagnostic> diagnostics, SourceText& sources, llvm::StringRef tool_version) {
  Json rules = Json::array();
  for (const DiagnosticKind kind : all_kinds) {
    rules.push_back(rule(kind));
  }
  Json results = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    results.push_back(result(diagnostic, sources));
  }
  const Json driver = {{"name", "structured-gen"}, {"version", tool_version.str()}, {"rules", std::move(rules)}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"columnKind", "unicodeCodePoints"},
                    {"originalUriBaseIds", {{"SRCROOT", {{"description", {{"text", "the source root"}}}}}}},
                    {"results", std::move(results)}};
  const Json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", {run}}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace structured::gen

#include "diagnostics.h"

#include "llvm/Support/raw_ostream.h"

namespace structured::lsp {
namespace {

std::string text_of(const Json& value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

}  // namespace

Json diagnostic_json(const Problem& problem, Locations& locations) {
  JsonObject result{{"range", to_json(locations.span(problem.range))},
                    {"severity", static_cast<int>(problem.severity)},
                    {"source", problem.source},
                    {"message", json_text(problem.message)}};
  if (!problem.code.empty()) result["code"] = problem.code;
  JsonArray related;
  for (const gen::Note& note : problem.notes) {
    if (!note.range.valid()) continue;
    related.push_back(JsonObject{{"location", locations.location(note.range)}, {"message", json_text(note.message)}});
  }
  if (!related.empty()) result["relatedInformation"] = std::move(related);
  return result;
}

std::vector<DiagnosticsSender::Message> DiagnosticsSender::changes(const Problems& problems, Locations& locations) {
  std::vector<Message> result;
  std::map<std::string, std::string> now;
  for (const auto& [path, list] : problems) {
    if (list.empty()) continue;
    std::string uri = locations.uri(path);
    JsonArray array;
    for (const Problem& problem : list) array.push_back(diagnostic_json(problem, locations));
    JsonObject params{{"uri", uri}, {"diagnostics", std::move(array)}};
    Json value(std::move(params));
    std::string text = text_of(value);
    now[uri] = text;
    auto sent = sent_.find(uri);
    if (sent != sent_.end() && sent->second == text) continue;
    if (auto version = locations.version(path)) (*value.getAsObject())["version"] = *version;
    result.push_back({uri, std::move(value)});
  }
  for (const auto& [uri, text] : sent_) {
    if (now.count(uri)) continue;
    result.push_back({uri, JsonObject{{"uri", uri}, {"diagnostics", JsonArray()}}});
  }
  sent_ = std::move(now);
  return result;
}

}  // namespace structured::lsp

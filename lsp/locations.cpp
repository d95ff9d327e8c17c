#include "locations.h"

#include "project.h"
#include "uri.h"

namespace structured::lsp {

std::string Locations::path(llvm::StringRef uri) {
  std::optional<std::string> path = path_of_uri(uri);
  if (!path) return {};
  std::string real = real_path(*path);
  uris_[real] = uri.str();
  return real;
}

std::string Locations::uri(const std::string& path) const {
  auto known = uris_.find(path);
  return known == uris_.end() ? uri_of_path(path) : known->second;
}

std::optional<int64_t> Locations::version(const std::string& path) const {
  Documents::Open* document = documents_.find(path);
  return document ? std::optional(document->version) : std::nullopt;
}

Span Locations::span(const gen::SourceRange& range) {
  const TextDocument* document = range.valid() ? documents_.text(range.file) : nullptr;
  return document ? document->span(range, encoding_) : Span();
}

Json Locations::location(const gen::SourceRange& range) {
  return JsonObject{{"uri", uri(range.file)}, {"range", to_json(span(range))}};
}

Json workspace_edit(const std::vector<Edit>& edits, Locations& locations) {
  std::map<std::string, JsonArray> by_uri;
  for (const Edit& edit : edits) {
    by_uri[locations.uri(edit.range.file)].push_back(
        JsonObject{{"range", to_json(locations.span(edit.range))}, {"newText", json_text(edit.text)}});
  }
  JsonObject changes;
  for (auto& [uri, list] : by_uri) changes[uri] = std::move(list);
  return JsonObject{{"changes", std::move(changes)}};
}

}  // namespace structured::lsp

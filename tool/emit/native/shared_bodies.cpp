#include "emit/native/shared_bodies.h"

#include <set>
#include <vector>

#include "emit/cpp/source_text.h"
#include "emit/native/function_text.h"
#include "lower/calling_convention.h"

namespace structured::gen {

void write_shared_bodies(Writer& writer, const LoweredLibrary& lowered, llvm::StringRef source) {
  std::vector<const SharedBody*> own;
  std::vector<const SharedBody*> elsewhere;
  for (const std::size_t index : lowered.sources.at(source.str()).shared_bodies) {
    const SharedBody& body = lowered.shared_bodies[index];
    (body.is_for_many() ? elsewhere : own).push_back(&body);
  }
  if (!elsewhere.empty()) {
    writer.blank();
    writer.comment("//", "Bodies that wrappers of other sources share. shared_bodies.cpp defines them.");
    for (const SharedBody* body : elsewhere) {
      declare_shared_body(writer, body->body, body->name);
    }
  }
  if (!own.empty()) {
    writer.blank();
    writer.comment("//", "Bodies of wrappers that differ only in the functions that they call.");
    const Writer::Scope scope = writer.in_namespace("");
    for (const SharedBody* body : own) {
      write_shared_body(writer, body->body, body->name);
    }
  }
}

std::string shared_bodies_source(const LoweredLibrary& lowered) {
  std::vector<const SharedBody*> bodies;
  std::set<std::string> headers;
  for (const SharedBody& body : lowered.shared_bodies) {
    if (body.is_for_many()) {
      bodies.push_back(&body);
      const LoweredVariant& variant = lowered.variants[body.variant];
      add_headers(*lowered.cpp_types, *variant.op, *variant.derived, headers);
      add_body_headers(body.body, headers);
      add_author_headers(*variant.op->structured, headers);
    }
  }
  Writer writer;
  write_banner(writer, "");
  if (bodies.empty()) {
    writer.line("// No wrappers of different sources share a body.");
    return writer.text();
  }
  write_includes(writer, headers);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(lowered.hidden_namespace);
    for (const SharedBody* body : bodies) {
      write_shared_body(writer, body->body, body->name);
    }
  }
  return writer.text();
}

}  // namespace structured::gen

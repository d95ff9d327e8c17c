#include "model/fragment_json.h"

#include "model/declaration_json.h"
#include "model/json_reader.h"
#include "model/json_writer.h"

namespace structured::gen {

namespace {
constexpr llvm::StringRef fragment_format = "structured fragment";
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Fragment> fragment) {
  archive.required("source", fragment.source);
  archive.places_in(fragment.source);
  archive.required("dialect", fragment.dialect);
  archive.required("declarations", fragment.declarations);
  archive.field("skipped", fragment.skipped);
  archive.field("misspelt", fragment.misspelt);
}

std::string to_json(const Fragment& fragment) {
  return write_json_document(fragment, fragment_format, Fragment::format_version);
}

llvm::Expected<Fragment> fragment_from_json(llvm::StringRef text) {
  return read_json_document<Fragment>(text, fragment_format, Fragment::format_version);
}

}  // namespace structured::gen

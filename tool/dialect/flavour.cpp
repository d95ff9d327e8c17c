#include "dialect/flavour.h"

#include <iterator>

namespace structured::gen {
namespace {

constexpr Flavour flavours[] = {
    {.name = "dynamic", .has_tables = true, .has_layers = true, .has_schemas = true, .has_all_backends = true},
    {.name = "edge", .has_tables = true, .has_layers = false, .has_schemas = false, .has_all_backends = false},
    {.name = "static", .has_tables = false, .has_layers = false, .has_schemas = false, .has_all_backends = false},
};

}  // namespace

const Flavour& dynamic_flavour() { return flavours[0]; }

const Flavour* find_flavour(llvm::StringRef name) {
  for (const Flavour& flavour : flavours) {
    if (flavour.name == name) return &flavour;
  }
  return nullptr;
}

std::string unknown_flavour(llvm::StringRef name) {
  std::string names;
  for (const Flavour& flavour : flavours) {
    const bool is_last = &flavour == std::end(flavours) - 1;
    names += (names.empty() ? "" : is_last ? " or " : ", ") + flavour.name.str();
  }
  return "unknown flavour `" + name.str() + "`; expected " + names;
}

}  // namespace structured::gen

#include "model/refinement.h"

#include "language/backends.h"
#include "language/dtypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/annotation.h"
#include "structured/schema/words.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral refined_template = "structured::RefinedTensor<";
constexpr llvm::StringLiteral device_template = "structured::DeviceTensor<";

// Splits template arguments at commas outside angle brackets.
std::vector<llvm::StringRef> template_arguments(llvm::StringRef text) {
  std::vector<llvm::StringRef> arguments;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      arguments.push_back(text.slice(begin, i).trim());
      begin = i + 1;
    } else {
      depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    }
  }
  if (arguments.size() == 1 && arguments.front().empty()) arguments.clear();
  return arguments;
}

/// Whether there is a backend whose tensors are all on devices of this type.
bool is_device_type(llvm::StringRef name) {
  return name != "Meta" && find_native_backend(name) != nullptr && schema::word_of("DeviceType", name).has_value();
}

/// Sets a property that is not known yet. Returns whether it has the value now.
template <class T>
bool agree(T& known, const T& value) {
  if (known == T()) known = value;
  return value == T() || known == value;
}

}  // namespace

bool Refinement::add(const Refinement& other) {
  const bool has_element = agree(element, other.element);
  const bool has_rank = agree(rank, other.rank);
  is_contiguous = is_contiguous || other.is_contiguous;
  return agree(device, other.device) && has_element && has_rank;
}

std::optional<Refinement> refinement_of(llvm::StringRef canonical) {
  canonical.consume_front("const ");
  const bool has_device = canonical.starts_with(device_template);
  if ((!has_device && !canonical.starts_with(refined_template)) || !canonical.consume_back(">")) return std::nullopt;
  std::vector<llvm::StringRef> arguments =
      template_arguments(canonical.drop_front(has_device ? device_template.size() : refined_template.size()));
  Refinement refinement;
  if (has_device && !arguments.empty()) {
    refinement.device = arguments.front().rsplit("::").second.str();
    arguments.erase(arguments.begin());
  }
  if (!arguments.empty() && arguments[0] != "void") refinement.element = arguments[0].str();
  int rank = -1;
  if (arguments.size() > 1 && !arguments[1].getAsInteger(10, rank) && rank >= 0) refinement.rank = rank;
  refinement.is_contiguous = arguments.size() > 2 && arguments[2] == "true";
  return refinement;
}

std::optional<Refinement> property_named(llvm::StringRef argument) {
  Refinement property;
  llvm::StringRef number = argument;
  if (number.consume_front("rank ")) {
    unsigned rank = 0;
    if (number.getAsInteger(10, rank) || rank > 64) return std::nullopt;
    property.rank = static_cast<int>(rank);
  } else if (argument == "contiguous") {
    property.is_contiguous = true;
  } else if (const DtypeName* dtype = find_dtype(argument)) {
    property.element = dtype->type.str();
  } else if (is_device_type(argument)) {
    property.device = argument.str();
  }
  if (property == Refinement()) return std::nullopt;
  return property;
}

std::vector<std::string> property_names() {
  std::vector<std::string> names{"contiguous", "rank 2"};
  for (const DtypeName& dtype : dtype_names()) {
    if (!dtype.type.empty()) names.push_back(dtype.name.str());
  }
  for (const BackendSpec& backend : native_backends()) {
    if (is_device_type(backend.name)) names.push_back(backend.name.str());
  }
  return names;
}

std::optional<Refinement> refinement_of(const Parameter& parameter) {
  std::optional<Refinement> refinement = refinement_of(parameter.type.canonical);
  if (const Attribute* attribute = find_attribute(parameter.attributes, "requires")) {
    if (!refinement) refinement.emplace();
    for (const std::string& argument : string_arguments(*attribute)) {
      if (const std::optional<Refinement> property = property_named(argument)) refinement->add(*property);
    }
  }
  return refinement;
}

std::string refined_type(const Refinement& refinement) {
  std::vector<std::string> arguments;
  if (!refinement.element.empty() || refinement.rank || refinement.is_contiguous) {
    arguments.push_back(refinement.element.empty() ? "void" : refinement.element);
  }
  if (refinement.rank || refinement.is_contiguous) arguments.push_back(std::to_string(refinement.rank.value_or(-1)));
  if (refinement.is_contiguous) arguments.emplace_back("true");
  return refined_template.str() + llvm::join(arguments, ", ") + ">";
}

std::vector<std::string> required_arguments(const Refinement& refinement) {
  std::vector<std::string> arguments;
  const auto* dtype =
      llvm::find_if(dtype_names(), [&](const DtypeName& each) { return each.type == refinement.element; });
  if (!refinement.element.empty() && dtype != dtype_names().end()) arguments.push_back(dtype->name.str());
  if (refinement.rank) arguments.push_back("rank " + std::to_string(*refinement.rank));
  if (refinement.is_contiguous) arguments.emplace_back("contiguous");
  if (!refinement.device.empty()) arguments.push_back(refinement.device);
  return arguments;
}

std::vector<std::string> properties(const Refinement& refinement) {
  std::vector<std::string> words;
  if (!refinement.element.empty()) words.push_back("elements of type `" + refinement.element + "`");
  if (refinement.rank)
    words.push_back(std::to_string(*refinement.rank) + (*refinement.rank == 1 ? " dimension" : " dimensions"));
  if (refinement.is_contiguous) words.push_back("contiguous elements");
  if (!refinement.device.empty()) words.push_back("memory on `" + refinement.device + "`");
  return words;
}

Refinement without_known(Refinement required, const Refinement& known) {
  if (required.element == known.element) required.element.clear();
  if (required.rank == known.rank) required.rank.reset();
  if (known.is_contiguous) required.is_contiguous = false;
  required.device.clear();
  return required;
}

}  // namespace structured::gen

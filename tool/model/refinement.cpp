#include "model/refinement.h"

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

}  // namespace

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

#include "emit/onnx/onnx_printer.h"

#include "emit/onnx/model.h"
#include "emit/onnx/translation.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {
namespace {

/// One entry for each operator: "float32, float64: has a loop …; bool: …".
std::vector<std::pair<std::string, std::string>> metadata_of(llvm::ArrayRef<OnnxRefusal> refusals) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const OnnxRefusal& refusal : refusals) {
    const std::string text = llvm::join(refusal.types, ", ") + (refusal.types.empty() ? "" : ": ") + refusal.reason;
    if (entries.empty() || entries.back().first != refusal.name) {
      entries.emplace_back(refusal.name, text);
    } else {
      entries.back().second += "; " + text;
    }
  }
  return entries;
}

EmitNote note_about(const OnnxRefusal& refusal) {
  const std::string elements = refusal.types.empty() ? "" : " for " + llvm::join(refusal.types, ", ");
  return {"`" + refusal.name + "` has no ONNX function" + elements + ": it " + refusal.reason, refusal.range};
}

class OnnxPrinter final : public Printer {
 public:
  bool prints_wrappers() const override { return false; }
  StepSet steps() const override { return {}; }

  EmittedFiles files(const LoweredLibrary& lowered, const PrintOptions& options) const override {
    const OnnxFunctions translated = translate_to_onnx(*lowered.library);
    for (const OnnxRefusal& refusal : translated.refusals) {
      if (options.on_note) options.on_note(note_about(refusal));
    }
    return {{"functions.onnx", onnx_model(translated.functions, metadata_of(translated.refusals))}};
  }

  std::string wrappers(const LoweredLibrary&, const LoweredVariant&) const override { return ""; }
};

}  // namespace

const Printer& onnx_printer() {
  static const OnnxPrinter printer;
  return printer;
}

}  // namespace structured::gen

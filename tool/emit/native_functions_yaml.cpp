#include "emit/native_functions_yaml.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {
namespace {

// The backends that torchgen 1.13 takes in a `dispatch` section.
constexpr llvm::StringLiteral known_backends[] = {"CPU",
                                                  "CUDA",
                                                  "CompositeExplicitAutograd",
                                                  "CompositeExplicitAutogradNonFunctional",
                                                  "CompositeImplicitAutograd",
                                                  "CompositeImplicitAutogradNestedTensor",
                                                  "MPS",
                                                  "Meta",
                                                  "MkldnnCPU",
                                                  "NestedTensorCPU",
                                                  "NestedTensorCUDA",
                                                  "NestedTensorMeta",
                                                  "QuantizedCPU",
                                                  "QuantizedCUDA",
                                                  "QuantizedMeta",
                                                  "SparseCPU",
                                                  "SparseCUDA",
                                                  "SparseCsrCPU",
                                                  "SparseCsrCUDA",
                                                  "SparseMeta",
                                                  "ZeroTensor"};
// Its tags; `generated` is torchgen's own and may not be written.
constexpr llvm::StringLiteral known_tags[] = {"data_dependent_output",    "dynamic_output_shape",    "inplace_view",
                                              "nondeterministic_bitwise", "nondeterministic_seeded", "view_copy"};

// The text of one entry: `- func: ...` and the lines below it.
class Entry {
 public:
  explicit Entry(const Schema& schema) { text_ = "- func: " + to_string(schema) + "\n"; }
  void field(llvm::StringRef name, llvm::StringRef value) { line(2, (name + ": " + value).str()); }
  void comment(llvm::StringRef words) { line(2, ("# " + words).str()); }
  void line(unsigned indent, llvm::StringRef words) { text_ += (std::string(indent, ' ') + words + "\n").str(); }
  std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

llvm::StringRef unqualified(llvm::StringRef name) {
  const auto at = name.rfind("::");
  return at == llvm::StringRef::npos ? name : name.substr(at + 2);
}

// torchgen infers CompositeImplicitAutograd where nothing is dispatched.
void write_dispatch(Entry& entry, const std::vector<Kernel>& kernels) {
  const auto is_known = [](const Kernel& kernel) { return llvm::is_contained(known_backends, kernel.backend); };
  for (const Kernel& kernel : kernels) {
    if (!is_known(kernel)) {
      entry.comment("left out: backend " + kernel.backend);
    }
  }
  if (llvm::none_of(kernels, is_known)) {
    return;
  }
  entry.line(2, "dispatch:");
  for (const Kernel& kernel : kernels) {
    if (is_known(kernel)) {
      entry.line(4, kernel.backend + ": " + unqualified(kernel.function.name).str());
    }
  }
}

void write_tags(Entry& entry, const std::vector<std::string>& tags) {
  std::vector<std::string> known;
  for (const std::string& tag : tags) {
    if (llvm::is_contained(known_tags, tag)) {
      known.push_back(tag);
    } else {
      entry.comment("left out: tag " + tag);
    }
  }
  if (known.size() == 1) {
    entry.field("tags", known.front());
  } else if (!known.empty()) {
    entry.field("tags", "[" + llvm::join(known, ", ") + "]");
  }
}

// `dim -> int dim`: the inputs replaced, each by the member of its name, then the members that replace nothing.
void write_precomputed(Entry& entry, const Precomputed& precomputed, const TypeTable& types) {
  std::vector<std::string> replacements;
  std::vector<std::string> additions;
  for (const Member& member : precomputed.members) {
    const auto classified = types.argument(member.type.canonical);
    if (!classified) {
      entry.comment("left out: precomputed values, because `" + member.name + "` has the C++ type `" +
                    member.type.canonical + "`");
      return;
    }
    const std::string declared = to_string(classified->type) + " " + member.name;
    if (llvm::is_contained(precomputed.replaced, member.name)) {
      replacements.push_back(member.name + " -> " + declared);
    } else {
      additions.push_back(declared);
    }
  }
  if (replacements.empty()) {
    entry.comment("left out: precomputed values, because they replace no input");
    return;
  }
  entry.line(2, "precomputed:");
  for (const std::string& replacement : replacements) {
    entry.line(2, "- " + replacement);
  }
  for (const std::string& addition : additions) {
    entry.line(2, "- " + addition);
  }
}

std::string entry_text(const Operator& op, const Variant& variant, const TypeTable& types) {
  Entry entry(variant.schema);
  if (op.is_method && variant.kind != Variant::Kind::out) {
    entry.field("variants", "function, method");
  }
  if (!op.checks_device) {
    entry.field("device_check", "NoCheck");
  }
  std::vector<Kernel> kernels = variant.kernels;
  if (op.structured && variant.kind == Variant::Kind::out) {
    const StructuredParts& parts = *op.structured;
    entry.field("structured", "True");
    if (const llvm::StringRef base = parts.base.name; base != types.meta_base()) {
      entry.field("structured_inherits", unqualified(base));
    }
    if (parts.precomputed) {
      write_precomputed(entry, *parts.precomputed, types);
    }
    kernels.insert(kernels.begin(), parts.impls.begin(), parts.impls.end());
  } else if (op.structured) {
    const auto out = llvm::find_if(op.variants, [](const Variant& v) { return v.kind == Variant::Kind::out; });
    OperatorName name = out->schema.name;
    name.ns.clear();
    entry.field("structured_delegate", to_string(name));
  }
  write_dispatch(entry, kernels);
  write_tags(entry, op.tags);
  return std::move(entry).take();
}

}  // namespace

std::string native_functions_yaml(const Library& library, const TypeTable& types) {
  std::vector<std::string> entries;
  for (const Operator& op : library.operators) {
    for (const Variant& variant : op.variants) {
      entries.push_back(entry_text(op, variant, types));
    }
  }
  return llvm::join(entries, "\n");
}

}  // namespace structured::gen

#include "emit/text/native_functions_yaml.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {
namespace {

// The backends that torchgen 1.13 accepts in a `dispatch` section.
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
// The backends whose functional and in-place variants of a structured operator must be served by its out variant.
constexpr llvm::StringLiteral delegated_backends[] = {"CPU", "CUDA", "MPS"};
// The tags of torchgen, except `generated`, which only torchgen itself may add.
constexpr llvm::StringLiteral known_tags[] = {"data_dependent_output",    "dynamic_output_shape",    "inplace_view",
                                              "nondeterministic_bitwise", "nondeterministic_seeded", "view_copy"};

// Words that YAML reads as booleans or null.
bool is_yaml_word(llvm::StringRef text) {
  constexpr llvm::StringLiteral words[] = {"yes", "no", "on", "off", "true", "false", "null", "y", "n"};
  return llvm::any_of(words, [&](llvm::StringRef word) { return text.equals_insensitive(word); });
}

// Formats a YAML string on one line: plain, or quoted if it would be parsed as a mapping, a comment or another type.
std::string scalar(llvm::StringRef text) {
  if (!text.contains(": ") && !text.contains(" #") && !is_yaml_word(text)) {
    return text.str();
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted.append(c == '\'' ? 2 : 1, c);
  }
  return quoted + "'";
}

// The text of one entry: `- func: ...` and the lines below it.
class Entry {
 public:
  explicit Entry(const Schema& schema) { text_ = "- func: " + scalar(to_string(schema)) + "\n"; }

  void field(llvm::StringRef name, llvm::StringRef value) { line(2, (name + ": " + value).str()); }
  void line(unsigned indent, llvm::StringRef words) { text_ += (std::string(indent, ' ') + words + "\n").str(); }
  void comment(std::string words) {
    // A line break in a tag must not end the comment.
    std::replace_if(words.begin(), words.end(), [](char c) { return llvm::isPrint(c) == 0 && (c & 0x80) == 0; }, ' ');
    line(2, "# " + words);
  }
  std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

llvm::StringRef unqualified(llvm::StringRef name) {
  const auto at = name.rfind("::");
  return at == llvm::StringRef::npos ? name : name.substr(at + 2);
}

bool is_known(const Kernel& kernel) { return llvm::is_contained(known_backends, kernel.backend); }
bool is_implicit(const Kernel& kernel) { return kernel.backend == "CompositeImplicitAutograd"; }
bool is_explicit(const Kernel& kernel) { return kernel.backend == "CompositeExplicitAutograd"; }
bool is_delegated(const Kernel& kernel) { return llvm::is_contained(delegated_backends, kernel.backend); }

// torchgen omits its own namespace, `aten`.
Schema as_torchgen_names_it(Schema schema, const Library& library) {
  if (schema.name.ns.empty()) {
    schema.name.ns = library.schema_namespace;
  }
  if (schema.name.ns == "aten") {
    schema.name.ns.clear();
  }
  return schema;
}

bool has_argument(const Schema& schema, llvm::function_ref<bool(const Argument&)> matches) {
  return llvm::any_of(schema.positional, matches) || llvm::any_of(schema.keyword_only, matches);
}

// Factories. torchgen rejects factories that are CompositeImplicitAutograd.
bool is_factory(const Schema& schema) {
  const auto has = [&](llvm::StringRef name) {
    return has_argument(schema, [&](const Argument& argument) { return argument.name == name; });
  };
  const bool has_options = has("dtype") && has("layout") && has("device") && has("pin_memory");
  const bool has_tensor = has_argument(schema, [](const Argument& a) { return a.type.is_tensor_like(); });
  const llvm::StringRef base = schema.name.base;
  return base.starts_with("new_") || base.ends_with("_like") || (has_options && !has_tensor);
}

// torchgen requires the tag for operators that look random by these criteria.
bool is_random(const Schema& schema) {
  const llvm::StringRef base = schema.name.base;
  const llvm::StringRef overload = schema.name.overload;
  const bool has_generator =
      has_argument(schema, [](const Argument& a) { return a.type.base == Type::Base::Generator; });
  const bool is_dropout = base.contains("dropout") || overload.contains("dropout");
  const bool is_backward = base.contains("backward") || overload.contains("backward");
  return has_generator || base.contains("rand") || overload.contains("rand") || (is_dropout && !is_backward);
}

// Kernels that torchgen supports. Others become comments.
std::vector<Kernel> torchgen_kernels(Entry& entry, const std::vector<Kernel>& kernels, const Operator& op,
                                     const Variant& variant) {
  const bool is_out = variant.kind == Variant::Kind::out;
  std::vector<Kernel> result;
  for (const Kernel& kernel : kernels) {
    std::string reason;
    if (!is_known(kernel)) {
      reason = "which torchgen does not know";
    } else if (op.structured && !is_out && is_delegated(kernel)) {
      reason = "which torchgen takes from the out variant only";
    } else if (op.structured && is_out && is_implicit(kernel)) {
      reason = "which no structured operator has";
    } else if (is_implicit(kernel) && llvm::any_of(kernels, is_explicit)) {
      reason = "which CompositeExplicitAutograd includes";
    }
    if (reason.empty()) {
      result.push_back(kernel);
    } else {
      entry.comment("left out: backend " + kernel.backend + ", " + reason);
    }
  }
  return result;
}

// Without a `dispatch` section, torchgen infers CompositeImplicitAutograd with a kernel named after the operator; it
// rejects a redundant section.
void write_dispatch(Entry& entry, std::vector<Kernel> kernels, const Schema& schema, bool is_structured) {
  if (!is_structured && kernels.size() == 1 && is_implicit(kernels.front())) {
    if (!is_factory(schema)) {
      entry.comment("kernel: " + kernels.front().function.name);
      return;
    }
    entry.comment("as CompositeExplicitAutograd, because torchgen has no implicit factories");
    kernels.front().backend = "CompositeExplicitAutograd";
  }
  if (kernels.empty()) {
    return;
  }
  entry.line(2, "dispatch:");
  for (const Kernel& kernel : kernels) {
    entry.line(4, kernel.backend + ": " + scalar(unqualified(kernel.function.name)));
  }
}

void write_tags(Entry& entry, std::vector<std::string> tags, const Schema& schema) {
  if (is_random(schema) && !llvm::is_contained(tags, "nondeterministic_seeded")) {
    tags.push_back("nondeterministic_seeded");
  }
  std::vector<std::string> known;
  for (const std::string& tag : tags) {
    if (llvm::is_contained(known_tags, tag)) {
      known.push_back(tag);
    } else {
      entry.comment("left out: tag " + tag);
    }
  }
  if (!known.empty()) {
    entry.field("tags", llvm::join(known, ", "));
  }
}

void write_no_defaults(Entry& entry, const Operator& op, const Schema& schema) {
  std::vector<std::string> names;
  const auto add = [&](const Argument& argument) {
    const bool is_named =
        llvm::is_contained(op.no_cpp_default, argument.name) || llvm::is_contained(op.no_cpp_default, "*");
    if (argument.default_value && is_named) {
      names.push_back("'" + argument.name + "'");
    }
  };
  llvm::for_each(schema.positional, add);
  llvm::for_each(schema.keyword_only, add);
  if (!names.empty()) {
    entry.field("cpp_no_default_args", "[" + llvm::join(names, ", ") + "]");
  }
}

// The schema type of a precomputed value; empty if there is none.
std::string precomputed_type(const Member& member, const TypeTable& types) {
  // torchgen accepts this type here, although schemas do not have it.
  if (unqualified(member.type.written) == "DimVector") {
    return "DimVector";
  }
  if (const auto argument = types.argument(member.type.canonical)) {
    return to_string(argument->type);
  }
  // Members may also have the types of results, which own their elements.
  const auto results = types.results(member.type.canonical);
  return results && results->size() == 1 ? to_string(results->front()) : "";
}

// `dim -> int dim`: one line for each replaced input; the last line lists the members that replace no input.
void write_precomputed(Entry& entry, const Precomputed& precomputed, const TypeTable& types) {
  std::vector<std::string> lines;
  std::vector<std::string> additions;
  for (const Member& member : precomputed.members) {
    const std::string type = precomputed_type(member, types);
    if (type.empty()) {
      entry.comment("left out: precomputed values, because `" + member.name + "` has the C++ type `" +
                    member.type.canonical + "`");
      return;
    }
    // torchgen derives template parameters from the upper-case names.
    if (llvm::StringRef(member.name).upper() == member.name) {
      entry.comment("left out: precomputed values, because `" + member.name + "` has no lower case letter");
      return;
    }
    const std::string declared = type + " " + member.name;
    if (llvm::is_contained(precomputed.replaced, member.name)) {
      lines.push_back(member.name + " -> " + declared);
    } else {
      additions.push_back(declared);
    }
  }
  if (!additions.empty()) {
    lines.push_back(llvm::join(additions, ", "));
  }
  if (lines.empty()) {
    return;
  }
  entry.line(2, "precomputed:");
  for (const std::string& line : lines) {
    entry.line(2, "- " + line);
  }
}

std::string base_of(const Operator& op) { return op.structured ? op.structured->base.name : "TensorIteratorBase"; }

// Empty if operators.json was edited and lacks the out variant.
std::string delegate_of(const Operator& op) {
  const auto out = llvm::find_if(op.variants, [](const Variant& v) { return v.kind == Variant::Kind::out; });
  if (out == op.variants.end()) {
    return "";
  }
  OperatorName name = out->schema.name;
  name.ns.clear();
  return to_string(name);
}

// Without a kernel for a backend of torchgen, the entry would claim to support every backend.
bool has_no_kernel_left(const Operator& op, const Variant& variant) {
  return !op.structured && !op.pointwise && llvm::none_of(variant.kernels, is_known);
}

std::string entry_text(const Operator& op, const Variant& variant, const Library& library, const TypeTable& types) {
  const Schema schema = as_torchgen_names_it(variant.schema, library);
  if (has_no_kernel_left(op, variant)) {
    std::vector<std::string> backends;
    for (const Kernel& kernel : variant.kernels) {
      backends.push_back(kernel.backend);
    }
    return "# left out: " + to_string(schema.name) +
           ", which torchgen knows no backend of: " + llvm::join(backends, ", ") + "\n";
  }
  const bool is_structured = op.structured || op.pointwise;
  const bool is_out = variant.kind == Variant::Kind::out;
  Entry entry(schema);
  if (op.is_method && !is_out) {
    entry.field("variants", "function, method");
  }
  // torchgen forbids device checks in `_foreach` operators.
  if (!op.checks_device || llvm::StringRef(schema.name.base).starts_with("_foreach")) {
    entry.field("device_check", "NoCheck");
  }
  write_no_defaults(entry, op, schema);
  std::vector<Kernel> kernels = variant.kernels;
  if (is_structured && is_out) {
    entry.field("structured", "True");
    if (const std::string base = base_of(op); base != types.meta_base()) {
      entry.field("structured_inherits", unqualified(base));
    }
  } else if (is_structured) {
    const std::string delegate = delegate_of(op);
    if (delegate.empty()) {
      entry.comment("left out: structured_delegate, because there is no out variant");
    } else {
      entry.field("structured_delegate", delegate);
    }
  }
  if (op.structured && is_out) {
    if (op.structured->precomputed) {
      write_precomputed(entry, *op.structured->precomputed, types);
    }
    kernels.insert(kernels.begin(), op.structured->impls.begin(), op.structured->impls.end());
  }
  if (op.pointwise && is_out) {
    entry.comment("applied to each element: " + op.pointwise->function.name);
  }
  write_dispatch(entry, torchgen_kernels(entry, kernels, op, variant), schema, is_structured);
  write_tags(entry, op.tags, schema);
  return std::move(entry).take();
}

}  // namespace

std::string native_functions_yaml(const Library& library, const TypeTable& types) {
  std::vector<std::string> entries;
  for (const Operator& op : library.operators) {
    for (const Variant& variant : op.variants) {
      entries.push_back(entry_text(op, variant, library, types));
    }
  }
  return llvm::join(entries, "\n");
}

}  // namespace structured::gen

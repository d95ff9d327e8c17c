#include "emit/text/explain.h"

#include <optional>
#include <vector>

#include "emit/cpp/emitted_sources.h"
#include "emit/onnx/translation.h"
#include "emit/target.h"
#include "language/nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include "lower/compiler_facts.h"
#include "lower/lowered_library.h"
#include "lower/print.h"
#include "model/documentation.h"
#include "model/range_text.h"
#include "model/scalar_function.h"
#include "model/scalar_graph_text.h"

namespace structured::gen {
namespace {

std::string short_name(const Library& library, const Schema& schema) {
  OperatorName name = schema.name;
  if (name.ns == library.schema_namespace) {
    name.ns.clear();
  }
  return to_string(name);
}

std::string place(const Function& function) {
  return (llvm::Twine(function.range.file.empty() ? function.source : function.range.file) + ":" +
          llvm::Twine(function.range.begin.line))
      .str();
}

const char* kind_name(Variant::Kind kind) {
  switch (kind) {
    case Variant::Kind::functional:
      return "functional";
    case Variant::Kind::inplace:
      return "in-place";
    case Variant::Kind::out:
      return "out";
  }
  llvm_unreachable("all kinds are named");
}

// Prints a title and indented lines; omitted if there are no lines.
void section(llvm::raw_ostream& out, llvm::StringRef title, const std::vector<std::string>& lines) {
  if (lines.empty()) {
    return;
  }
  out << title << "\n";
  for (const std::string& line : lines) {
    out << "  " << line << "\n";
  }
}

std::string kernel_line(const Kernel& kernel) {
  std::string line = kernel.backend + ": " + kernel.function.name + " at " + place(kernel.function);
  if (!kernel.dtypes.empty()) {
    line += " (" + llvm::join(kernel.dtypes, ", ") + ")";
  }
  return line;
}

std::vector<std::string> kernel_lines(const Operator& op) {
  std::vector<std::string> lines;
  if (op.structured) {
    for (const Kernel& impl : op.structured->impls) {
      lines.push_back(kernel_line(impl));
    }
    lines.push_back("Meta: derived from the meta function");
  }
  for (const Variant& variant : op.variants) {
    for (const Kernel& kernel : variant.kernels) {
      lines.push_back(kernel_line(kernel) + (op.variants.size() > 1 ? ", for " + to_string(variant.schema.name) : ""));
    }
  }
  if (op.pointwise) {
    const std::string function = op.pointwise->function.name + " at " + place(op.pointwise->function);
    for (const std::string& backend : op.pointwise->backends) {
      lines.push_back(backend + ": " + function + ", applied to each element");
    }
    lines.push_back("Meta: derived from the scalar function");
  }
  return lines;
}

// Lowering copies pointwise operators, so operators are compared by name.
bool is_planned_for(const LoweredVariant& entry, const Operator& op) {
  return entry.imported == nullptr && entry.op->variants.front().schema.name == op.variants.front().schema.name;
}

// One line for each variant: its public function, and those in the namespaces of backends.
std::vector<std::string> public_functions(const LoweredLibrary& lowered, const Operator& op) {
  std::vector<std::string> lines;
  for (const Variant& variant : op.variants) {
    const auto entry = llvm::find_if(lowered.variants, [&](const LoweredVariant& candidate) {
      return is_planned_for(candidate, op) && candidate.derived->schema.name == variant.schema.name;
    });
    if (entry == lowered.variants.end()) {
      continue;
    }
    std::vector<std::string> names{entry->cpp_namespace + "::" + entry->function};
    for (const std::size_t index : entry->wrappers) {
      if (const std::optional<CppBackend>& backend = lowered.wrappers[index].backend) {
        names.push_back(entry->cpp_namespace + "::" + backend->cpp_namespace + "::" + entry->function);
      }
    }
    lines.push_back(llvm::join(names, ", ") + " in <" + entry->header + ">");
  }
  return lines;
}

std::vector<std::string> emitted_functions(const LoweredLibrary& lowered, const Operator& op) {
  std::vector<std::string> lines;
  for (const auto& [source, entry] : lowered.sources) {
    for (const std::size_t index : entry.wrappers) {
      const LoweredWrapper& wrapper = lowered.wrappers[index];
      if (is_planned_for(lowered.variant_of(wrapper), op)) {
        const LoweredVariant& variant = lowered.variant_of(wrapper);
        lines.push_back(variant.base ? variant.full_name + " by calls of " + lowered.variants[*variant.base].full_name
                        : wrapper.entry == LoweredWrapper::Entry::kernel
                            ? wrapper.kernel->function.name + " of " + source + ", which needs no wrapper"
                            : wrapper.name + " in " + emitted_sources(source).wrappers);
      }
    }
  }
  return lines;
}

std::vector<std::string> properties(const Operator& op) {
  std::vector<std::string> lines;
  if (op.is_method) {
    lines.push_back("a method in Python");
  }
  if (!op.autocast.empty()) lines.push_back("torch.autocast: " + op.autocast);
  if (!op.sharding.empty()) lines.push_back("spread over processes: " + op.sharding);
  if (!op.checks_device) {
    lines.push_back("its tensors may be on several devices");
  }
  for (const std::string& name : op.no_cpp_default) {
    lines.push_back(name == "*" ? "no default arguments in C++" : "no default for `" + name + "` in C++");
  }
  return lines;
}

// Suggests the overloads of an operator of that base name, else the most similar name, else names that begin like it.
std::string similar_names(llvm::StringRef wanted, const std::vector<std::string>& names) {
  std::vector<std::string> bases;
  for (const std::string& known : names) {
    bases.push_back(llvm::StringRef(known).split('.').first.str());
  }
  const std::optional<std::string> nearest_name = nearest(wanted, names);
  const std::optional<std::string> nearest_base = nearest(wanted, bases);
  std::vector<std::string> similar;
  const auto add_if = [&](auto&& is_similar) {
    constexpr std::size_t most = 4;
    for (const std::string& known : names) {
      if (similar.size() < most && is_similar(llvm::StringRef(known))) {
        similar.push_back("`" + known + "`");
      }
    }
  };
  const auto base_of = [](llvm::StringRef known) { return known.split('.').first; };
  add_if([&](llvm::StringRef known) { return base_of(known) == wanted; });
  if (similar.empty() && nearest_name) {
    similar.push_back("`" + *nearest_name + "`");
  }
  if (similar.empty() && nearest_base) {
    add_if([&](llvm::StringRef known) { return base_of(known) == *nearest_base; });
  }
  if (similar.empty() && !wanted.empty()) {
    add_if([&](llvm::StringRef known) { return known.starts_with_insensitive(wanted); });
  }
  return similar.empty() ? "" : "; did you mean " + llvm::join(similar, " or ") + "?";
}

/// The ONNX functions of an operator, and why it has none for some dtypes; empty without bodies.
std::vector<std::string> onnx_lines(const Library& library, const Operator& op) {
  if (!op.pointwise || op.pointwise->bodies.empty()) return {};
  Library alone;
  alone.schema_namespace = library.schema_namespace;
  alone.operators.push_back(op);
  const OnnxFunctions translated = translate_to_onnx(alone);
  std::vector<std::string> lines;
  for (const OnnxFunction& function : translated.functions) {
    lines.push_back("function " + function.domain + "." + function.name);
  }
  for (const OnnxRefusal& refusal : translated.refusals) {
    const std::string types = refusal.types.empty() ? "" : " for " + llvm::join(refusal.types, ", ");
    lines.push_back("no function" + types + ": it " + refusal.reason + " at " + range_text(refusal.range, ""));
  }
  return lines;
}

}  // namespace

llvm::Expected<const Operator*> find_operator(const Library& library, llvm::StringRef name) {
  llvm::StringRef wanted = name;
  wanted.consume_front(library.schema_namespace + "::");
  std::vector<std::string> names;
  for (const Operator& op : library.operators) {
    for (const Variant& variant : op.variants) {
      const std::string known = short_name(library, variant.schema);
      if (wanted == known) {
        return &op;
      }
      names.push_back(known);
    }
  }
  return llvm::createStringError("no operator `" + name.str() + "` in the library" + similar_names(wanted, names));
}

llvm::Expected<std::string> explain(const Library& library, const Dialect& dialect, const Operator& op) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << short_name(library, op.variants.front().schema) << "\n";
  if (!op.documentation.empty()) {
    const std::string documentation = documentation_docstring(read_documentation(op.documentation));
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(documentation).trim().split(lines, '\n');
    section(out, "documentation", {lines.begin(), lines.end()});
  }
  std::vector<std::string> schemas;
  for (const Variant& variant : op.variants) {
    schemas.push_back(std::string(kind_name(variant.kind)) + ": " + to_string(variant.schema));
  }
  section(out, "schemas", schemas);
  if (op.structured) {
    section(out, "meta", {op.structured->meta.name + " at " + place(op.structured->meta)});
    section(out, "base class", {op.structured->base.name});
    if (op.structured->precomputed) {
      section(out, "precomputed values", {op.structured->precomputed->type.name});
    }
  }
  section(out, "backends", kernel_lines(op));
  std::vector<std::string> derivatives;
  for (const Backward& backward : dialect.types().has_gradients() ? derivatives_of(op) : op.backwards) {
    const bool is_derived = backward.kind == Backward::Kind::derived;
    derivatives.push_back(llvm::join(backward.inputs, ", ") + ": " + (is_derived ? "derived from " : "") +
                          backward.function.name + " at " + place(backward.function));
  }
  if (dialect.types().has_gradients() && lacks_derivative(op)) derivatives.emplace_back("none: a backward pass throws");
  section(out, "derivatives", derivatives);
  if (const Target* target = default_target(dialect); target != nullptr && target->printer.decomposes()) {
    section(out, "compilers", compiler_facts(op));
    section(out, "ONNX", onnx_lines(library, op));
  }
  section(out, "properties", properties(op));
  section(out, "tags", op.tags);
  if (const CppTypes* cpp_types = dialect.cpp_types()) {
    llvm::Expected<LoweredLibrary> lowered = lower(library, *cpp_types, lower_options(default_target(dialect)));
    if (!lowered) {
      return lowered.takeError();
    }
    section(out, "C++ functions", public_functions(*lowered, op));
    section(out, "emitted functions", emitted_functions(*lowered, op));
  }
  return text;
}

llvm::Expected<std::string> explain_lowered(const Library& library, const Dialect& dialect, const Operator& op) {
  const Target* target = default_target(dialect);
  if (target == nullptr)
    return llvm::createStringError("no C++ is emitted for the dialect `" + dialect.name().str() + "`");
  LowerOptions options = lower_options(target);
  options.shares_bodies = false;
  llvm::Expected<LoweredLibrary> lowered = lower(library, *dialect.cpp_types(), options);
  if (!lowered) return lowered.takeError();
  std::string text;
  for (const LoweredVariant& variant : lowered->variants) {
    if (is_planned_for(variant, op)) text += to_text(*lowered, variant);
  }
  return text;
}

llvm::Expected<std::string> explain_scalar_graphs(const Library& library, const Operator& op) {
  const std::string name = short_name(library, op.variants.front().schema);
  const Pointwise* function = element_function(op);
  if (!function) return llvm::createStringError("`" + name + "` has no scalar function");
  std::vector<ScalarBody> values;
  llvm::copy_if(function->bodies, std::back_inserter(values),
                [](const ScalarBody& body) { return body.derivative.empty(); });
  if (values.empty()) {
    return llvm::createStringError("no graph of `" + function->function.name +
                                   "` for a real dtype in the fragment of `" + function->function.source +
                                   "`; scan it with `--scalar-graphs`");
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  out << name << "\n";
  section(out, function->function.name + " at " + place(function->function), text_of(values));
  for (const Backward& backward : derivatives_of(op)) {
    if (backward.kind == Backward::Kind::tensors) continue;
    const bool is_derived = backward.kind == Backward::Kind::derived;
    section(out, (is_derived ? "derived from " : "") + backward.function.name + " at " + place(backward.function),
            text_of(backward.bodies));
  }
  return text;
}

}  // namespace structured::gen

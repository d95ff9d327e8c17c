#include "import/yaml_library.h"

#include <map>

#include "check/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace structured::gen {
namespace {

// Backends whose kernels for an out variant with `structured: True` are impls. torchgen treats kernels for other
// backends as ordinary functions.
constexpr llvm::StringLiteral structured_backends[] = {"CPU", "CUDA", "MPS", "XPU", "MTIA"};

Variant::Kind kind_of(const Schema& schema) {
  if (!schema.out.empty()) return Variant::Kind::out;
  return schema.name.is_inplace() ? Variant::Kind::inplace : Variant::Kind::functional;
}

llvm::StringRef word_of(Variant::Kind kind) {
  switch (kind) {
    case Variant::Kind::functional:
      return "functional";
    case Variant::Kind::inplace:
      return "in-place";
    case Variant::Kind::out:
      return "out";
  }
  return "";
}

class LibraryBuilder {
 public:
  LibraryBuilder(llvm::StringRef file, llvm::ArrayRef<NativeFunction> functions, const Dialect& dialect,
                 llvm::StringRef schema_namespace)
      : file_(file), functions_(functions), dialect_(dialect), schema_namespace_(schema_namespace) {}

  YamlLibrary build() && {
    std::map<OperatorName, std::vector<const NativeFunction*>> delegating;
    for (const NativeFunction& function : functions_) {
      if (function.structured_delegate) delegating[*function.structured_delegate].push_back(&function);
    }
    // A structured operator stands where its first entry does.
    std::map<const NativeFunction*, YamlOperator> by_entry;
    for (const NativeFunction& function : functions_) {
      if (function.structured) {
        std::vector<const NativeFunction*> group;
        if (auto found = delegating.find(function.schema.name); found != delegating.end()) {
          group = std::move(found->second);
          delegating.erase(found);
        }
        group.push_back(&function);
        const NativeFunction* first = *llvm::min_element(group);
        if (auto op = structured_operator(std::move(group))) by_entry.emplace(first, std::move(*op));
      } else if (!function.structured_delegate) {
        by_entry.emplace(&function, plain_operator(function));
      }
    }
    for (const auto& [name, group] : delegating) {
      for (const NativeFunction* function : group) {
        error(*function, "expected an entry " + code(to_string(name)) +
                             " with `structured: True`, to which it delegates; found none");
      }
    }
    for (auto& [entry, op] : by_entry) library_.operators.push_back(std::move(op));
    return std::move(library_);
  }

 private:
  void error(const NativeFunction& function, const llvm::Twine& message) {
    library_.errors.push_back(
        (file_ + ":" + llvm::Twine(function.line) + ": operator `" + to_string(function.schema.name) + "`: " + message)
            .str());
  }

  /// Returns the operator's name in the library, for notes.
  std::string named(const NativeFunction& function) const {
    return code(to_string(in_library(function.schema.name, schema_namespace_)));
  }

  Variant variant_of(const NativeFunction& function) const {
    Variant variant;
    variant.kind = kind_of(function.schema);
    variant.schema = function.schema;
    variant.schema.name = in_library(function.schema.name, schema_namespace_);
    return variant;
  }

  /// Returns the kernels for backends of the target; notes the others.
  std::vector<Kernel> kernels_of(const NativeFunction& function, YamlOperator& op) const {
    std::vector<Kernel> kernels;
    for (const NativeKernel& kernel : function.kernels) {
      if (dialect_.types().is_backend(kernel.backend)) {
        Kernel known;
        known.backend = kernel.backend;
        known.function.name = kernel.function;
        kernels.push_back(std::move(known));
      } else {
        op.notes.push_back("kernel " + code(kernel.function) + " of " + named(function) + ": the dialect " +
                           dialect_.name().str() + " has no backend " + code(kernel.backend));
      }
    }
    return kernels;
  }

  /// Adds the facts about one entry that annotations cannot express.
  void add_notes(const NativeFunction& function, YamlOperator& op) const {
    const std::string of = " of " + named(function);
    for (const std::string& field : function.inexpressible) op.notes.push_back(field + of);
    if (function.is_method && !function.is_function) {
      op.notes.push_back("`variants: method`" + of + ": annotated operators are functions, too");
    }
    for (const OperatorName& name : function.autogen) {
      op.notes.push_back("`autogen: " + to_string(in_library(name, schema_namespace_)) + "`" + of +
                         ": write a kernel for this variant if it is used");
    }
  }

  static void set_metadata(const NativeFunction& function, Operator& op) {
    op.is_method = function.is_method;
    op.checks_device = function.checks_device;
    op.tags = function.tags;
    op.no_cpp_default = function.cpp_no_default_args;
    llvm::sort(op.tags);
  }

  YamlOperator plain_operator(const NativeFunction& function) const {
    YamlOperator result;
    Variant variant = variant_of(function);
    variant.kernels = kernels_of(function, result);
    add_notes(function, result);
    set_metadata(function, result.op);
    result.op.variants.push_back(std::move(variant));
    result.lines.push_back(function.line);
    return result;
  }

  /// Orders a group as functional, in-place, out. Returns false after reporting errors.
  bool order(std::vector<const NativeFunction*>& group) {
    const NativeFunction& out = *group.back();
    if (kind_of(out.schema) != Variant::Kind::out) {
      error(out, "expected outputs such as `*, Tensor(a!) out`, because the entry has `structured: True`; found none");
      return false;
    }
    std::map<Variant::Kind, const NativeFunction*> by_kind;
    for (const NativeFunction* function : group) {
      const Variant::Kind kind = kind_of(function->schema);
      const auto [first, is_new] = by_kind.try_emplace(kind, function);
      if (is_new) continue;
      error(*function, "expected one " + word_of(kind) + " variant of " + code(to_string(out.schema.name)) +
                           ", found another; the first is " + code(to_string(first->second->schema.name)));
      return false;
    }
    if (!by_kind.contains(Variant::Kind::functional)) {
      error(out,
            "expected a functional variant with `structured_delegate: " + to_string(out.schema.name) + "`, found none");
      return false;
    }
    group.clear();
    for (const auto& [kind, function] : by_kind) group.push_back(function);
    return true;
  }

  std::optional<YamlOperator> structured_operator(std::vector<const NativeFunction*> group) {
    if (!order(group)) return std::nullopt;
    const NativeFunction& functional = *group.front();
    const NativeFunction& out = *group.back();
    YamlOperator result;
    StructuredParts parts;
    parts.base.name = base_of(out);
    if (!set_precomputed(out, parts, result)) return std::nullopt;
    for (const Argument& output : out.schema.out) parts.output_names.push_back(output.name);
    set_metadata(functional, result.op);
    for (const NativeFunction* function : group) {
      Variant variant = variant_of(*function);
      for (Kernel& kernel : kernels_of(*function, result)) {
        const bool is_impl = function == &out && llvm::is_contained(structured_backends, kernel.backend);
        (is_impl ? parts.impls : variant.kernels).push_back(std::move(kernel));
      }
      add_notes(*function, result);
      note_differences(functional, *function, result);
      result.op.variants.push_back(std::move(variant));
      result.lines.push_back(function->line);
    }
    result.op.structured = std::move(parts);
    return result;
  }

  /// Annotations give all variants of a structured operator the metadata of the functional one.
  void note_differences(const NativeFunction& functional, const NativeFunction& other, YamlOperator& op) const {
    const auto note = [&](bool differs, const llvm::Twine& fact) {
      if (!differs) return;
      op.notes.push_back(
          (named(other) + " " + fact + "; annotations hold for every variant of " + named(functional)).str());
    };
    const auto words = [](llvm::StringRef what, const std::vector<std::string>& list) {
      return ("has " + (list.empty() ? "no " + what : what + " `" + llvm::join(list, "`, `") + "`")).str();
    };
    const bool is_out = kind_of(other.schema) == Variant::Kind::out;
    note(!is_out && other.is_method != functional.is_method, other.is_method ? "is a method" : "is not a method");
    note(other.checks_device != functional.checks_device,
         other.checks_device ? "has a device check" : "has no device check");
    note(other.tags != functional.tags, words("tags", other.tags));
    note(other.cpp_no_default_args != functional.cpp_no_default_args,
         words("cpp_no_default_args", other.cpp_no_default_args));
  }

  std::string base_of(const NativeFunction& out) const {
    const llvm::StringRef base = dialect_.types().meta_base();
    if (out.structured_inherits.empty()) return base.str();
    const llvm::StringRef name_space = base.take_until([](char c) { return c == ':'; });
    return (name_space + "::" + out.structured_inherits).str();
  }

  /// Reads lines such as `dim -> int dim` and `int size, int stride`. Returns false after reporting an error.
  bool set_precomputed(const NativeFunction& out, StructuredParts& parts, YamlOperator& op) {
    if (out.precomputed.empty()) return true;
    Precomputed values;
    for (llvm::StringRef line : out.precomputed) {
      const auto [before, after] = line.split("->");
      const bool replaces = line.contains("->");
      llvm::SmallVector<llvm::StringRef> members;
      (replaces ? after : before).split(members, ',');
      bool is_kept = replaces;
      for (llvm::StringRef member : members) {
        const auto [type, name] = member.trim().rsplit(' ');
        std::optional<CppType> cpp_type = member_type(type.trim());
        if (name.empty() || !cpp_type) {
          error(out, "expected a type and a name in `precomputed`, such as `int dim`, found " + code(member.trim()));
          return false;
        }
        values.members.push_back({name.str(), std::move(*cpp_type)});
        if (replaces && name == before.trim()) {
          values.replaced.push_back(name.str());
          is_kept = false;
        }
      }
      if (is_kept) {
        op.notes.push_back(code(line) + " in `precomputed`: impl takes " + code(before.trim()) +
                           ", too, because only a value of that name replaces it");
      }
    }
    values.type.name = out.schema.name.base + "_values";
    parts.precomputed = std::move(values);
    return true;
  }

  std::optional<CppType> member_type(llvm::StringRef text) const {
    if (text == "DimVector") {  // torchgen accepts this type here, although schemas do not have it
      const llvm::StringRef base = dialect_.types().meta_base();
      const bool is_native = base.starts_with("structured::");
      return CppType{is_native ? "structured::DimVector" : "at::DimVector", is_native ? "DimVector" : "at::DimVector"};
    }
    llvm::Expected<Type> type = parse_type(text);
    if (!type) {
      llvm::consumeError(type.takeError());
      return std::nullopt;
    }
    // Results own their elements, which parameters do not.
    if (auto result = dialect_.types().result_type(*type)) return result;
    return dialect_.types().parameter_type(*type);
  }

  llvm::StringRef file_;
  llvm::ArrayRef<NativeFunction> functions_;
  const Dialect& dialect_;
  llvm::StringRef schema_namespace_;
  YamlLibrary library_;
};

}  // namespace

OperatorName in_library(OperatorName name, llvm::StringRef schema_namespace) {
  if (name.ns.empty()) name.ns = "aten";
  if (name.ns == schema_namespace) name.ns.clear();
  return name;
}

YamlLibrary yaml_library(llvm::StringRef file, llvm::ArrayRef<NativeFunction> functions, const Dialect& dialect,
                         llvm::StringRef schema_namespace) {
  return LibraryBuilder(file, functions, dialect, schema_namespace).build();
}

}  // namespace structured::gen

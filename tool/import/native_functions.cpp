#include "import/native_functions.h"

#include "derive/alias.h"
#include "import/yaml_entries.h"
#include "language/nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/YAMLParser.h"
#include "structured/schema/default_value.h"

namespace structured::gen {
namespace {

// Fields about ATen's Python bindings and C++ API, which annotations do not describe.
constexpr llvm::StringLiteral inexpressible_fields[] = {"category_override",
                                                        "device_guard",
                                                        "manual_cpp_binding",
                                                        "python_module",
                                                        "use_const_ref_for_mutable_tensors",
                                                        "manual_kernel_registration"};

// Backends with kernels that torchgen generates for `ufunc_inner_loop`.
constexpr llvm::StringLiteral ufunc_backends[] = {"CPU", "CUDA"};

/// Makes defaults those of derived schemas: strings in double quotes, no blanks between elements. Invalid ones stay.
void use_canonical_defaults(Schema& schema) {
  for (std::vector<Argument>* arguments : {&schema.positional, &schema.keyword_only, &schema.out}) {
    for (Argument& argument : *arguments) {
      if (!argument.default_value) continue;
      const auto value = schema::parse_default(argument.type, *argument.default_value);
      if (value) argument.default_value = to_string(*value);
    }
  }
}

std::vector<std::string> words_of(llvm::StringRef text) {
  std::vector<std::string> words;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    if (!part.trim().empty()) words.push_back(part.trim().str());
  }
  return words;
}

std::string text_of(const YamlField& field) {
  if (const auto* text = std::get_if<std::string>(&field.value)) return *text;
  if (const auto* list = std::get_if<YamlField::List>(&field.value)) return "[" + llvm::join(*list, ", ") + "]";
  std::string text;
  for (const auto& [key, value, line] : std::get<YamlField::Mapping>(field.value)) {
    text.append(text.empty() ? "" : ", ").append(key).append(": ").append(value);
  }
  return "{" + text + "}";
}

/// Returns ATen's name of the function without a `dispatch` section: `add_out` for `add.out`.
std::string implied_function(const Schema& schema) { return schema.name.base + (schema.out.empty() ? "" : "_out"); }

/// A name without a namespace belongs to `aten`.
void omit_default_namespace(OperatorName& name) {
  if (name.ns == "aten") name.ns.clear();
}

/// Renames alias sets to `a`, `b`, ... in order of appearance, as derived schemas have them.
void rename_alias_sets(Schema& schema) {
  AliasLetters letters;
  llvm::StringMap<std::string> renamed;
  const auto rename = [&](std::optional<AliasSet>& alias) {
    if (!alias) return;
    for (std::vector<std::string>* names : {&alias->before, &alias->after}) {
      for (std::string& name : *names) {
        if (name == "*") continue;
        const auto [entry, is_new] = renamed.try_emplace(name);
        if (is_new) entry->second = letters.next();
        name = entry->second;
      }
    }
  };
  for (std::vector<Argument>* arguments : {&schema.positional, &schema.keyword_only, &schema.out}) {
    for (Argument& argument : *arguments) rename(argument.alias);
  }
  for (Return& result : schema.returns) rename(result.alias);
}

class EntryReader {
 public:
  EntryReader(llvm::StringRef file, const YamlEntry& entry, std::vector<std::string>& errors)
      : file_(file), entry_(entry), errors_(errors) {}

  /// Returns std::nullopt after reporting errors.
  std::optional<NativeFunction> read() {
    const std::size_t errors_before = errors_.size();
    function_.line = entry_.line;
    const YamlField* func = find("func");
    if (!func) {
      error(entry_.line, "expected the field `func` with a schema, found " + fields());
      return std::nullopt;
    }
    read_schema(*func);
    llvm::StringSet<> seen;
    for (const YamlField& field : entry_.fields) {
      if (!seen.insert(field.key).second) {
        error(field.line, "expected one field `" + field.key + "`, found another");
      } else if (&field != func) {
        read_field(field);
      }
    }
    if (errors_.size() != errors_before) return std::nullopt;
    add_implied_kernels();
    return std::move(function_);
  }

 private:
  const YamlField* find(llvm::StringRef key) const {
    const auto found = llvm::find_if(entry_.fields, [&](const YamlField& field) { return field.key == key; });
    return found == entry_.fields.end() ? nullptr : &*found;
  }

  std::string fields() const {
    std::vector<std::string> keys;
    for (const YamlField& field : entry_.fields) keys.push_back("`" + field.key + "`");
    return keys.empty() ? "no fields" : llvm::join(keys, ", ");
  }

  void error(unsigned line, const llvm::Twine& message) {
    const std::string subject = subject_.empty() ? "" : "operator `" + subject_ + "`: ";
    errors_.push_back((file_ + ":" + llvm::Twine(line) + ": " + subject + message).str());
  }
  void expected(const YamlField& field, const llvm::Twine& what) {
    error(field.line, "expected " + what + " after `" + field.key + ":`, found `" + text_of(field) + "`");
  }

  void read_schema(const YamlField& field) {
    const auto* text = std::get_if<std::string>(&field.value);
    if (!text) return expected(field, "a schema");
    subject_ = subject_of(*text).str();
    llvm::Expected<Schema> schema = parse_schema(*text);
    if (!schema) return error(field.line, "malformed schema: " + llvm::toString(schema.takeError()));
    function_.schema = std::move(*schema);
    omit_default_namespace(function_.schema.name);
    use_canonical_defaults(function_.schema);
    const std::string written = to_string(function_.schema);
    rename_alias_sets(function_.schema);
    if (to_string(function_.schema) != written)
      function_.inexpressible.push_back("the names of the alias sets in `" + written + "`");
  }

  void read_field(const YamlField& field) {
    const llvm::StringRef key = field.key;
    if (key == "structured") return read_flag(field, function_.structured);
    if (key == "structured_delegate") return read_delegate(field);
    if (key == "structured_inherits") return read_text(field, function_.structured_inherits, "a class");
    if (key == "precomputed") return read_list(field, function_.precomputed, "a list such as `- dim -> int dim`");
    if (key == "dispatch") return read_dispatch(field);
    if (key == "ufunc_inner_loop") return read_ufunc(field);
    if (key == "variants") return read_variants(field);
    if (key == "device_check") return read_device_check(field);
    if (key == "tags") return read_words(field, function_.tags);
    if (key == "cpp_no_default_args") {
      return read_list(field, function_.cpp_no_default_args, "a list such as `['dim']`");
    }
    if (key == "autogen") return read_autogen(field);
    if (llvm::is_contained(inexpressible_fields, key)) {
      add_inexpressible(field);
      return;
    }
    std::vector<std::string> known = {"func",         "structured", "structured_delegate", "structured_inherits",
                                      "precomputed",  "dispatch",   "ufunc_inner_loop",    "variants",
                                      "device_check", "tags",       "cpp_no_default_args", "autogen"};
    for (llvm::StringRef name : inexpressible_fields) known.push_back(name.str());
    error(field.line, "unknown field `" + field.key + "`" + did_you_mean(key, known));
  }

  void read_flag(const YamlField& field, bool& flag) {
    const auto* text = std::get_if<std::string>(&field.value);
    const std::optional<bool> value = text ? llvm::yaml::parseBool(*text) : std::nullopt;
    if (!value) return expected(field, "`True` or `False`");
    flag = *value;
  }

  void read_text(const YamlField& field, std::string& result, const llvm::Twine& what) {
    const auto* text = std::get_if<std::string>(&field.value);
    if (!text || text->empty()) return expected(field, what);
    result = *text;
  }

  void read_list(const YamlField& field, std::vector<std::string>& result, const llvm::Twine& what) {
    const auto* list = std::get_if<YamlField::List>(&field.value);
    if (!list) return expected(field, what);
    result = *list;
  }

  void read_words(const YamlField& field, std::vector<std::string>& result) {
    if (const auto* text = std::get_if<std::string>(&field.value)) {
      result = words_of(*text);
    } else {
      read_list(field, result, "words");
    }
  }

  std::optional<OperatorName> read_name(const YamlField& field, llvm::StringRef text) {
    llvm::Expected<OperatorName> name = parse_operator_name(text);
    if (name) {
      if (name->ns.empty()) name->ns = function_.schema.name.ns;
      omit_default_namespace(*name);
      return std::move(*name);
    }
    error(field.line,
          "malformed operator name `" + text + "` after `" + field.key + ":`: " + llvm::toString(name.takeError()));
    return std::nullopt;
  }

  void read_delegate(const YamlField& field) {
    std::string text;
    read_text(field, text, "the name of an out variant");
    if (!text.empty()) function_.structured_delegate = read_name(field, text);
  }

  void read_autogen(const YamlField& field) {
    std::vector<std::string> names;
    read_words(field, names);
    for (const std::string& text : names) {
      if (auto name = read_name(field, text)) function_.autogen.push_back(std::move(*name));
    }
  }

  void read_variants(const YamlField& field) {
    std::vector<std::string> words;
    read_words(field, words);
    function_.is_function = llvm::is_contained(words, "function");
    function_.is_method = llvm::is_contained(words, "method");
    const bool are_known =
        llvm::all_of(words, [](llvm::StringRef word) { return word == "function" || word == "method"; });
    if (words.empty() || !are_known) expected(field, "`function`, `method` or both");
  }

  void read_device_check(const YamlField& field) {
    const auto* text = std::get_if<std::string>(&field.value);
    if (!text || (*text != "NoCheck" && *text != "ExactSame")) return expected(field, "`NoCheck` or `ExactSame`");
    function_.checks_device = *text == "ExactSame";
  }

  void read_dispatch(const YamlField& field) {
    const auto* pairs = std::get_if<YamlField::Mapping>(&field.value);
    if (!pairs) return expected(field, "backends and kernels, such as `CPU, CUDA: add_kernel`");
    for (const auto& [backends, kernel, line] : *pairs) {
      const llvm::StringRef function = unqualified_kernel(kernel);
      if (words_of(backends).empty() || !is_identifier(function)) {
        error(line, "expected backends and the name of a function in `dispatch`, found `" + llvm::Twine(backends) +
                        ": " + kernel + "`");
        continue;
      }
      for (std::string& backend : words_of(backends)) {
        const auto is_same = [&](const NativeKernel& other) { return other.backend == backend; };
        if (llvm::any_of(function_.kernels, is_same)) {
          error(line,
                "expected one kernel for the backend `" + llvm::Twine(backend) + "`, found another, `" + kernel + "`");
        }
        function_.kernels.push_back({std::move(backend), function.str()});
      }
    }
  }

  static llvm::StringRef unqualified_kernel(llvm::StringRef kernel) {
    return kernel.contains("::") ? kernel.rsplit("::").second : kernel;
  }

  static bool is_identifier(llvm::StringRef text) {
    return !text.empty() && !llvm::isDigit(text.front()) &&
           llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  }

  /// torchgen writes these kernels itself.
  void read_ufunc(const YamlField& field) {
    for (llvm::StringRef backend : ufunc_backends) {
      function_.kernels.push_back({backend.str(), ("ufunc_" + function_.schema.name.base + "_" + backend).str()});
    }
    add_inexpressible(field);
  }

  void add_inexpressible(const YamlField& field) {
    function_.inexpressible.push_back("`" + field.key + ": " + text_of(field) + "`");
  }

  void add_implied_kernels() {
    if (function_.structured || function_.structured_delegate || !function_.kernels.empty()) return;
    const bool is_declared = find("dispatch") != nullptr;
    if (is_declared) function_.inexpressible.push_back("the empty `dispatch`");
    function_.kernels.push_back(
        {is_declared ? "CompositeExplicitAutograd" : "CompositeImplicitAutograd", implied_function(function_.schema)});
  }

  llvm::StringRef file_;
  const YamlEntry& entry_;
  std::vector<std::string>& errors_;
  std::string subject_;
  NativeFunction function_;
};

}  // namespace

NativeFunctions read_native_functions(llvm::StringRef file, llvm::StringRef text) {
  NativeFunctions result;
  YamlEntries yaml = read_yaml_entries(file, text);
  result.errors = std::move(yaml.errors);
  llvm::StringMap<unsigned> lines;
  for (const YamlEntry& entry : yaml.entries) {
    std::optional<NativeFunction> function = EntryReader(file, entry, result.errors).read();
    if (!function) continue;
    const std::string name = to_string(function->schema.name);
    const auto [first, is_new] = lines.try_emplace(name, function->line);
    if (is_new) {
      result.functions.push_back(std::move(*function));
    } else {
      result.errors.push_back((file + ":" + llvm::Twine(function->line) + ": operator `" + name +
                               "`: expected one entry, found another; the first is on line " +
                               llvm::Twine(first->second))
                                  .str());
    }
  }
  return result;
}

}  // namespace structured::gen

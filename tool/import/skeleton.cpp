#include "import/skeleton.h"

#include <utility>

#include "check/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/cpp_names.h"
#include "model/schema_default.h"

namespace structured::gen {
namespace {

// Types of inputs in the meta functions and impls of libtorch.
constexpr TypeTable::Row structured_aten_types[] = {
    {"at::OptionalTensorRef", "Tensor?", "at::OptionalTensorRef"},
    {"const c10::IListRef<at::Tensor> &", "Tensor[]", "const at::ITensorListRef&"},
    {"c10::IListRef<at::OptionalTensorRef>", "Tensor?[]", "at::IOptTensorListRef"},
    {"c10::OptionalRef<c10::Scalar>", "Scalar?", "at::OptionalScalarRef"},
};

Attribute attribute(llvm::StringRef name) { return {name.str(), {}, {}}; }
Attribute attribute(llvm::StringRef name, llvm::ArrayRef<std::string> arguments) {
  Attribute result = attribute(name);
  for (const std::string& argument : arguments) result.arguments.push_back({argument, {}});
  return result;
}
Attribute attribute(llvm::StringRef name, int64_t argument) { return {name.str(), {{argument, {}}}, {}}; }
Attribute attribute(llvm::StringRef name, bool argument) { return {name.str(), {{argument, {}}}, {}}; }

/// Returns the type without list lengths; `size` is set to the length of the innermost list.
Type without_sizes(Type type, std::optional<int64_t>& size) {
  for (Type::Wrapper& wrapper : type.wrappers) {
    if (wrapper.size && !size) size = wrapper.size;
    wrapper.size.reset();
  }
  return type;
}

/// Returns a name that no argument has.
std::string unused(std::string name, const Schema& schema) {
  const auto is_used = [&](const std::vector<Argument>& arguments) {
    return llvm::any_of(arguments, [&](const Argument& argument) { return argument.name == name; });
  };
  while (is_used(schema.positional) || is_used(schema.keyword_only) || is_used(schema.out)) name += '_';
  return name;
}

/// Returns the overload name after an underscore, or nothing.
std::string suffix_of(const OperatorName& name) { return name.overload.empty() ? "" : "_" + name.overload; }

bool is_written(const std::optional<AliasSet>& alias) { return alias && alias->is_write; }

/// The functions of one operator.
class OperatorSkeleton {
 public:
  OperatorSkeleton(const Operator& op, const Dialect& dialect, llvm::StringRef name_space,
                   llvm::StringSet<>& signatures)
      : op_(op),
        types_(dialect.types()),
        cpp_types_(dialect.cpp_types() ? *dialect.cpp_types() : *find_dialect("torch")->cpp_types()),
        namespace_(name_space),
        signatures_(signatures) {}

  llvm::Expected<Skeleton> build() && {
    uses_symint_ = op_.structured == std::nullopt && are_symint_kernels();
    if (op_.structured) add_structured();
    for (const Variant& variant : op_.variants) add_kernels(variant);
    if (error_.empty() && skeleton_.declarations.empty()) fail("none of its kernels is for a backend of the dialect");
    if (!error_.empty()) return llvm::createStringError(error_);
    return std::move(skeleton_);
  }

 private:
  void fail(const llvm::Twine& message) {
    if (error_.empty()) error_ = message.str();
  }

  bool is_native() const { return types_.tensor() == "structured::Tensor"; }

  /// Kernels of one operator have equal types, so c10::SymInt is used only if all kernels take it.
  bool are_symint_kernels() const {
    std::size_t kernels = 0;
    std::size_t symint = 0;
    for (const Variant& variant : op_.variants) {
      kernels += variant.kernels.size();
      symint += static_cast<std::size_t>(llvm::count_if(variant.kernels, is_symint));
    }
    return !is_native() && kernels > 0 && symint == kernels;
  }
  static bool is_symint(const Kernel& kernel) { return llvm::StringRef(kernel.function.name).contains("_symint"); }

  // Parameters.

  std::optional<CppType> input_type(const Type& type) const {
    if (op_.structured && !is_native() && in_structured_) {
      const std::string schema = to_string(type);
      for (const TypeTable::Row& row : structured_aten_types) {
        if (row.schema == schema) return CppType{row.canonical.str(), row.written.str()};
      }
    }
    return types_.parameter_type(type);
  }

  /// Sets the C++ type, and the attributes that complete it. Returns false if the target has no such type.
  bool set_type(Parameter& parameter, const Argument& argument) const {
    std::optional<int64_t> size;
    Type type = without_sizes(argument.type, size);
    if (type.is(Type::Base::Tensor) && argument.is_mutable()) {
      parameter.type = {types_.mutable_tensor(), (types_.written_tensor() + "&").str()};
      return true;
    }
    if (argument.type.base == Type::Base::Bool && argument.type.is_list() && size) {
      const std::string array = "std::array<bool, " + std::to_string(*size) + ">";
      parameter.type = {array, array};
      return argument.type.wrappers.size() == 1;
    }
    const bool hides_symint = type.base == Type::Base::SymInt && !uses_symint_;
    if (hides_symint) type.base = Type::Base::Int;
    std::optional<CppType> found = input_type(type);
    if (!found) return false;
    parameter.type = std::move(*found);
    if (size) parameter.attributes.push_back(attribute("size", *size));
    if (hides_symint) parameter.attributes.push_back(attribute("symint"));
    return true;
  }

  /// Adds `alias` for views and for mutable lists. Other mutable arguments are references to non-const.
  static void add_alias(Parameter& parameter, const Argument& argument, const std::vector<Return>& returns) {
    const std::optional<AliasSet>& alias = argument.alias;
    if (!alias || (alias->is_write && argument.type.is(Type::Base::Tensor))) return;
    std::string set = llvm::join(alias->before, "|") + (alias->is_write ? "!" : "");
    if (!alias->after.empty()) set += " -> " + llvm::join(alias->after, "|");
    Attribute result = attribute("alias", {set});
    const auto shares = [&](const Return& candidate) {
      return candidate.alias && !candidate.alias->is_write &&
             llvm::any_of(candidate.alias->before,
                          [&](const std::string& name) { return llvm::is_contained(alias->before, name); });
    };
    const auto view = llvm::find_if(returns, shares);
    const auto first = llvm::find_if(returns, [](const Return& candidate) { return candidate.type.is_tensor_like(); });
    if (view != returns.end() && view != first) {
      result.arguments.push_back({static_cast<int64_t>(view - returns.begin()), {}});
    }
    parameter.attributes.push_back(std::move(result));
  }

  std::optional<Parameter> parameter_of(const Argument& argument, const std::vector<Return>& returns) {
    Parameter parameter;
    parameter.name = argument.name;
    if (is_cpp_keyword(argument.name)) {
      fail("the argument name " + code(argument.name) + " is a keyword of C++");
      return std::nullopt;
    }
    add_alias(parameter, argument, returns);
    if (!set_type(parameter, argument)) {
      fail("the dialect has no C++ type for the argument " + code(to_string(argument)));
      return std::nullopt;
    }
    if (argument.default_value) {
      if (!is_schema_default(argument.type, *argument.default_value)) {
        fail("the default in " + code(to_string(argument)) + " is not valid for its type");
        return std::nullopt;
      }
      parameter.attributes.push_back(attribute("schema_default", {*argument.default_value}));
    }
    return parameter;
  }

  /// C++ allows a default only if all later parameters have one.
  void set_cpp_defaults(std::vector<Parameter>& parameters, llvm::ArrayRef<Argument> arguments) const {
    for (std::size_t i = parameters.size(); i-- > 0;) {
      if (i >= arguments.size() || !arguments[i].default_value) return;
      std::optional<std::string> text = cpp_default(arguments[i].type, *arguments[i].default_value);
      if (!text) return;
      parameters[i].default_argument.emplace().text = std::move(*text);
    }
  }

  std::optional<std::string> cpp_default(const Type& type, llvm::StringRef text) const {
    Type spelled = type;
    if (type.base == Type::Base::SymInt && (type.is_list() || !uses_symint_)) spelled.base = Type::Base::Int;
    std::optional<CppDefault> found = cpp_types_.default_value(spelled, text);
    if (!found) return std::nullopt;
    std::string expression = std::move(found->expression);
    if (llvm::StringRef(expression).contains('"')) return expression;
    // libtorch has no conversion from a number to a list of SymInt.
    const bool is_single = type.is_list() && !llvm::StringRef(expression).starts_with("{");
    if (type.base == Type::Base::SymInt && uses_symint_ && is_single) return "c10::SymInt(" + expression + ")";
    // Emitted code qualifies names from the global namespace.
    for (llvm::StringRef prefix : {"::structured::", "::at::", "::c10::"}) {
      const std::string shorter = prefix == "::structured::" ? "" : prefix.drop_front(2).str();
      for (std::size_t at = 0; (at = expression.find(prefix, at)) != std::string::npos;) {
        expression.replace(at, prefix.size(), shorter);
      }
    }
    return expression;
  }

  /// Appends the inputs of the schema and, if `with_outputs`, its outputs.
  void add_inputs(std::vector<Parameter>& parameters, const Schema& schema, bool with_outputs) {
    std::vector<Argument> arguments = schema.positional;
    llvm::append_range(arguments, schema.keyword_only);
    const std::size_t inputs = arguments.size();
    if (with_outputs) llvm::append_range(arguments, schema.out);
    std::vector<Parameter> added;
    for (const Argument& argument : arguments) {
      auto parameter = parameter_of(argument, schema.returns);
      if (!parameter) return;
      const bool is_first_keyword = added.size() == schema.positional.size() && added.size() < inputs;
      if (is_first_keyword) parameter->attributes.insert(parameter->attributes.begin(), attribute("kwonly"));
      added.push_back(std::move(*parameter));
    }
    set_cpp_defaults(added, arguments);
    llvm::append_range(parameters, std::move(added));
  }

  // Functions.

  void set_result(Declaration& function, const Schema& schema) {
    std::vector<CppType> results;
    for (const Return& result : schema.returns) {
      std::optional<int64_t> size;
      const Type type = without_sizes(result.type, size);
      if (is_written(result.alias) && type.is(Type::Base::Tensor)) {
        results.push_back({types_.mutable_tensor(), (types_.written_tensor() + "&").str()});
      } else if (auto found = types_.result_type(type)) {
        results.push_back(std::move(*found));
      } else {
        return fail("the dialect has no C++ type for the result " + code(to_string(result.type)));
      }
    }
    if (results.empty()) {
      function.result = {"void", "void"};
    } else if (results.size() == 1) {
      function.result = std::move(results.front());
    } else {
      const auto tuple = [&](std::string CppType::* spelling) {
        return "std::tuple<" +
               llvm::join(llvm::map_range(results, [&](const CppType& type) { return type.*spelling; }), ", ") + ">";
      };
      function.result = {tuple(&CppType::canonical), tuple(&CppType::written)};
    }
  }

  /// Adds result names: one attribute if all variants share them, otherwise one for each variant with names.
  void add_result_names(Declaration& function, llvm::ArrayRef<const Variant*> variants) const {
    std::vector<std::pair<std::string, std::vector<std::string>>> named;
    for (const Variant* variant : variants) {
      std::vector<std::string> names;
      for (const Return& result : variant->schema.returns) names.push_back(result.name);
      const bool has_names = llvm::any_of(names, [](const std::string& name) { return !name.empty(); });
      if (has_names) named.emplace_back(to_string(variant->schema.name), std::move(names));
    }
    if (named.empty()) return;
    const std::vector<std::string>& first = named.front().second;
    const bool are_shared = named.size() == variants.size() &&
                            llvm::all_of(named, [&](const auto& entry) { return entry.second == first; });
    // A first result with the name of a variant would be read as that variant.
    const bool is_ambiguous = llvm::any_of(
        variants, [&](const Variant* variant) { return to_string(variant->schema.name) == first.front(); });
    if (are_shared && !is_ambiguous) {
      function.attributes.push_back(attribute("returns", first));
      return;
    }
    for (auto& [variant, names] : named) {
      std::vector<std::string> arguments{variant};
      llvm::append_range(arguments, names);
      function.attributes.push_back(attribute("returns", arguments));
    }
  }

  void add_metadata(Declaration& function) const {
    if (op_.is_method) function.attributes.push_back(attribute("method"));
    if (!op_.checks_device) function.attributes.push_back(attribute("device_check", false));
    if (!op_.tags.empty()) function.attributes.push_back(attribute("tags", op_.tags));
    if (!op_.no_cpp_default.empty()) function.attributes.push_back(attribute("no_cpp_default", op_.no_cpp_default));
  }

  /// Names the function and adds it. `is_kernel` tells whether the file gives the name.
  void add(Declaration function, const std::string& name, const OperatorName& op, bool is_kernel) {
    if (!error_.empty()) return;
    std::string parameters;
    for (const Parameter& parameter : function.parameters) parameters.append(parameter.type.canonical).append(",");
    std::string chosen = name;
    for (unsigned attempt = 2;
         is_cpp_keyword(chosen) || !signatures_.insert((chosen + llvm::Twine("(") + parameters).str()).second;
         ++attempt) {
      chosen = (name + suffix_of(op) + llvm::Twine("_") + llvm::Twine(attempt)).str();
    }
    if (is_kernel && chosen != name) {
      skeleton_.notes.push_back("kernel " + code(name) + ": declared as " + code(chosen) +
                                ", because another function has this name and these parameters");
    }
    function.name = (namespace_ + "::" + chosen).str();
    skeleton_.declarations.push_back(std::move(function));
  }

  /// Groups kernels by function, in order.
  static std::vector<std::pair<std::string, std::vector<std::string>>> by_function(llvm::ArrayRef<Kernel> kernels) {
    std::vector<std::pair<std::string, std::vector<std::string>>> functions;
    for (const Kernel& kernel : kernels) {
      auto found = llvm::find_if(functions, [&](const auto& entry) { return entry.first == kernel.function.name; });
      if (found == functions.end()) found = functions.insert(found, {kernel.function.name, {}});
      found->second.push_back(kernel.backend);
    }
    return functions;
  }

  void add_structured() {
    const StructuredParts& parts = *op_.structured;
    const Variant& functional = op_.variants.front();
    const OperatorName& name = functional.schema.name;
    if (parts.impls.empty()) return fail("none of its impls is for a backend of the dialect");
    in_structured_ = true;
    add_values();

    Declaration meta;
    std::vector<std::string> names;
    std::vector<const Variant*> variants;
    for (const Variant& variant : op_.variants) {
      names.push_back(to_string(variant.schema.name));
      variants.push_back(&variant);
    }
    meta.attributes.push_back(attribute("meta", names));
    add_result_names(meta, variants);
    add_metadata(meta);
    meta.result = skeleton_.values ? value_type() : CppType{"void", "void"};
    meta.result_class = skeleton_.values;
    meta.base_class = base();
    meta.parameters.push_back(base_parameter(functional.schema));
    add_inputs(meta.parameters, functional.schema, /*with_outputs=*/false);
    if (!error_.empty()) return;

    Declaration impl;
    impl.result = {"void", "void"};
    impl.base_class = meta.base_class;
    for (const Parameter& parameter : meta.parameters) {
      if (skeleton_.values && llvm::is_contained(parts.precomputed->replaced, parameter.name)) continue;
      impl.parameters.emplace_back().name = parameter.name;
      impl.parameters.back().type = parameter.type;
    }
    if (skeleton_.values) {
      const CppType type = value_type();
      impl.parameters.emplace_back().name = unused("values", functional.schema);
      impl.parameters.back().type = {"const " + type.canonical + " &", "const " + type.written + "&"};
    }
    for (const std::string& output : parts.output_names) {
      if (is_cpp_keyword(output)) return fail("the output name " + code(output) + " is a keyword of C++");
      impl.parameters.emplace_back().name = output;
      impl.parameters.back().type = {("const " + types_.tensor() + " &").str(),
                                     ("const " + types_.written_tensor() + "&").str()};
    }
    add(std::move(meta), name.base + suffix_of(name) + "_meta", name, /*is_kernel=*/false);
    for (auto& [function, backends] : by_function(parts.impls)) {
      std::vector<std::string> arguments{names.back()};
      llvm::append_range(arguments, backends);
      Declaration declaration = impl;
      declaration.attributes.push_back(attribute("impl", arguments));
      add(std::move(declaration), function, name, /*is_kernel=*/true);
    }
    in_structured_ = false;
  }

  CppType value_type() const {
    const std::string& name = skeleton_.values->name;
    return {name, llvm::StringRef(name).rsplit("::").second.str()};
  }

  ClassFact base() const {
    ClassFact fact;
    fact.name = op_.structured->base.name;
    if (fact.name != types_.meta_base()) fact.bases.push_back(types_.meta_base().str());
    fact.is_default_constructible = true;
    fact.is_visible_from_header = true;
    return fact;
  }

  Parameter base_parameter(const Schema& schema) const {
    const std::string& name = op_.structured->base.name;
    Parameter parameter;
    parameter.name = unused("op", schema);
    llvm::StringRef written = name;
    if (is_native()) written.consume_front("structured::");
    parameter.type = {name + " &", (written + "&").str()};
    return parameter;
  }

  void add_values() {
    const std::optional<Precomputed>& precomputed = op_.structured->precomputed;
    if (!precomputed) return;
    ClassFact fact;
    const OperatorName& name = op_.variants.front().schema.name;
    fact.name = (namespace_ + "::" + name.base + suffix_of(name) + "_values").str();
    fact.is_default_constructible = true;
    fact.is_visible_from_header = true;
    fact.members = precomputed->members;
    skeleton_.values = std::move(fact);
  }

  void add_kernels(const Variant& variant) {
    const Schema& schema = variant.schema;
    const std::string name = to_string(schema.name);
    Declaration kernel;
    set_result(kernel, schema);
    add_inputs(kernel.parameters, schema, /*with_outputs=*/true);
    for (auto& [function, backends] : by_function(variant.kernels)) {
      Declaration declaration = kernel;
      if (backends == std::vector<std::string>{"CompositeImplicitAutograd"}) {
        declaration.attributes.push_back(attribute("composite", {name}));
      } else {
        std::vector<std::string> arguments{name};
        llvm::append_range(arguments, backends);
        declaration.attributes.push_back(attribute("kernel", arguments));
      }
      add_result_names(declaration, {&variant});
      if (!op_.structured) add_metadata(declaration);
      if (!schema.out.empty() && schema.returns.empty()) declaration.attributes.push_back(attribute("out"));
      add(std::move(declaration), function, schema.name, /*is_kernel=*/true);
    }
    for (const Kernel& each : variant.kernels) {
      if (is_native() || uses_symint_ || !is_symint(each)) continue;
      skeleton_.notes.push_back("kernel " + code(each.function.name) + ": takes int64_t in place of c10::SymInt, as " +
                                "other kernels of the operator do");
    }
  }

  const Operator& op_;
  const TypeTable& types_;
  const CppTypes& cpp_types_;
  llvm::StringRef namespace_;
  llvm::StringSet<>& signatures_;
  Skeleton skeleton_;
  std::string error_;
  bool uses_symint_ = false;    ///< whether parameters are c10::SymInt rather than int64_t with `symint`
  bool in_structured_ = false;  ///< whether meta or impls are being built
};

}  // namespace

llvm::Expected<Skeleton> SkeletonBuilder::build(const Operator& op) {
  return OperatorSkeleton(op, dialect_, namespace_, signatures_).build();
}

}  // namespace structured::gen

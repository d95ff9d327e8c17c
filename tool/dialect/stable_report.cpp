#include "dialect/stable_report.h"

#include <set>
#include <utility>

#include "dialect/type_tables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "model/schema.h"

namespace structured::gen {
namespace {

// The first version whose stable ABI has kernels with boxed arguments, dispatcher calls and tensors.
constexpr llvm::StringLiteral first_version = "2.10";

/// The name by which the table of the stable dialect gives advice on a type.
llvm::StringRef advised_type(Type::Base base) {
  switch (base) {
    case Type::Base::Scalar:
      return "c10::Scalar";
    case Type::Base::Generator:
      return "at::Generator";
    case Type::Base::Storage:
      return "c10::Storage";
    case Type::Base::Stream:
      return "c10::Stream";
    case Type::Base::Complex:
      return "c10::complex";
    default:
      return "";
  }
}

bool is_possible(Type::Base base) {
  // Kernels get the values of symbolic integers, and fakes in Python get the symbols.
  static constexpr Type::Base possible[] = {
      Type::Base::Tensor, Type::Base::Int,        Type::Base::SymInt, Type::Base::Float,  Type::Base::Bool,
      Type::Base::Str,    Type::Base::ScalarType, Type::Base::Layout, Type::Base::Device, Type::Base::MemoryFormat};
  return llvm::is_contained(possible, base);
}

class Report {
 public:
  explicit Report(const Library& library) : library_(library) { report_.first_version = first_version.str(); }

  StableReport finish() && {
    for (const Operator& op : library_.operators) add(op);
    for (const ImportedOperator& imported : library_.imported) {
      obstacle(name_of(imported.op.variants.front()),
               "it is an operator of PyTorch, whose classes the stable ABI lacks",
               "put its kernels in a library without STABLE_ABI");
    }
    add_tags();
    report_.additions.push_back({"2.13", "PyTorch's own text in errors of operators that kernels call"});
    return std::move(report_);
  }

 private:
  std::string name_of(const Variant& variant) const {
    OperatorName name = variant.schema.name;
    if (name.ns == library_.schema_namespace) name.ns.clear();
    return to_string(name);
  }

  /// The schema with the types that it has in a library for the stable ABI.
  std::string schema_of(const Variant& variant) const {
    Schema schema = variant.schema;
    if (schema.name.ns == library_.schema_namespace) schema.name.ns.clear();
    for (std::vector<Argument>* arguments : {&schema.positional, &schema.keyword_only}) {
      for (Argument& each : *arguments) {
        if (each.type.base == Type::Base::SymInt) each.type.base = Type::Base::Int;
        // Only a scalar function can have one.
        if (each.type.base == Type::Base::Scalar) each.type.base = Type::Base::Float;
      }
    }
    return to_string(schema);
  }

  void obstacle(std::string name, std::string what, llvm::StringRef remedy) {
    report_.obstacles.push_back({std::move(name), std::move(what), remedy.str()});
  }

  void add(const Operator& op) {
    const std::size_t before = report_.obstacles.size();
    const std::string name = name_of(op.variants.front());
    if (op.pointwise) {
      add_scalar_function(name, *op.pointwise);
    } else {
      if (op.structured && llvm::StringRef(op.structured->base.name).contains("TensorIterator")) {
        obstacle(name, "its kernel runs on at::TensorIterator", "write it as a scalar function");
      }
      add_types(name, op.variants.front().schema);
    }
    if (report_.obstacles.size() > before) return;
    ++report_.operators;
    for (const Variant& variant : op.variants) report_.possible.push_back(schema_of(variant));
    tags_.insert(op.tags.begin(), op.tags.end());
    if (op.pointwise) tags_.insert("pointwise");
  }

  // Other numbers of scalar functions are `float` in schemas.
  void add_scalar_function(const std::string& name, const Pointwise& pointwise) {
    if (llvm::is_contained(pointwise.roles, Pointwise::Role::promoting_scalar)) {
      obstacle(name, "a number takes part in type promotion, and the stable ABI passes each as a double",
               "use a tensor without dimensions");
    }
    const std::vector<std::string> with_kernels = torch_stable_types().pointwise_backends({});
    for (const std::string& backend : pointwise.backends) {
      if (!llvm::is_contained(with_kernels, backend)) {
        obstacle(name, "it has a kernel for " + backend, "leave `" + backend + "` to a library without STABLE_ABI");
      }
    }
  }

  void add_types(const std::string& name, const Schema& schema) {
    for (const std::vector<Argument>* arguments : {&schema.positional, &schema.keyword_only}) {
      for (const Argument& each : *arguments) add_type(name, "parameter `" + each.name + "`", each.type);
    }
    for (const Return& result : schema.returns) add_type(name, "a result", result.type);
  }

  void add_type(const std::string& name, const std::string& what, const Type& type) {
    if (is_possible(type.base)) return;
    const llvm::StringRef advice = torch_stable_types().advice(advised_type(type.base));
    obstacle(name, what + " is a " + std::string(to_string(type.base)), advice.empty() ? "" : ("use " + advice).str());
  }

  void add_tags() {
    std::string names = "`pt2_compliant_tag`";  // every operator has it
    for (const std::string& tag : tags_) names += ", `" + tag + "`";
    report_.additions.push_back({"2.12", "tags of operators: " + names});
  }

  const Library& library_;
  StableReport report_;
  std::set<std::string> tags_;
};

}  // namespace

StableReport stable_report(const Library& library) { return Report(library).finish(); }

}  // namespace structured::gen

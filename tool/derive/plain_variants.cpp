// Variants of unstructured operators that the runtime computes by calls of the operator.
#include <iterator>

#include "derive/alias.h"
#include "derive/conventions.h"
#include "llvm/ADT/STLExtras.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// Removes the four options of a factory, which the runtime takes from the output.
void drop_options(Variant& variant) {
  std::vector<Argument>& arguments = variant.schema.keyword_only;
  const auto is_start = [](const Argument& argument) {
    return argument.name == "dtype" && argument.type.base == Type::Base::ScalarType;
  };
  const auto start = llvm::find_if(arguments, is_start);
  if (arguments.end() - start < 4 || start[1].type.base != Type::Base::Layout) return;
  const auto first_type = variant.input_types.begin() + static_cast<std::ptrdiff_t>(variant.schema.positional.size()) +
                          (start - arguments.begin());
  variant.input_types.erase(first_type, first_type + 4);
  arguments.erase(start, start + 4);
}

// Outputs have the `names` that the declaration gives to the results of the variant.
void add_outputs(Schema& schema, llvm::ArrayRef<std::string> names) {
  AliasLetters letters;
  const bool is_list = schema.returns.size() == 1 && schema.returns.front().type.is_list();
  for (std::size_t i = 0; i < schema.returns.size(); ++i) {
    Return& result = schema.returns[i];
    const std::string number = schema.returns.size() == 1 ? "" : std::to_string(i);
    result.name = i < names.size() ? names[i] : "";
    const std::string name = result.name.empty() ? "out" + number : result.name;
    schema.out.push_back({name, result.type, letters.written(), std::nullopt});
    result.alias = schema.out.back().alias;
  }
  if (is_list) schema.returns.clear();
}

std::string documentation(Variant::Kind kind, const OperatorName& base, const std::string& text) {
  const std::string name = "`" + to_string(base) + "`";
  const std::string what = kind == Variant::Kind::functional
                               ? "Applies " + name + " to a copy of its first argument, and returns it.\n\n"
                               : "Writes the result of " + name +
                                     " to the output, which is resized and must have the dtype of the result.\n\n";
  return what + text;
}

}  // namespace

std::vector<Operator> derive_variants(const PlainOperator& plain, const Operator& op, const OperatorIndex& index) {
  const std::vector<ResultNames> all_names = read_result_names(plain.kernels.front(), index);
  std::vector<Operator> result;
  for (const NamedVariant& named : plain.derived) {
    // An out= variant of an in-place kernel is computed by the functional variant, which is first.
    const Variant& base =
        op.variants.front().kind == Variant::Kind::inplace && named.kind == Variant::Kind::out && !result.empty()
            ? result.front().variants.front()
            : op.variants.front();
    Operator& derived = result.emplace_back();
    derived.is_differentiable = op.is_differentiable;
    derived.checks_device = op.checks_device;
    llvm::copy_if(op.tags, std::back_inserter(derived.tags), [](const std::string& tag) { return tag != "core"; });
    derived.documentation = documentation(named.kind, base.schema.name, op.documentation);
    Variant& variant = derived.variants.emplace_back();
    variant.kind = named.kind;
    variant.derived_from = to_string(base.schema.name);
    variant.schema = base.schema;
    variant.schema.name = named.name;
    variant.input_types = base.input_types;
    variant.kernels.push_back({"CompositeExplicitAutograd", op.variants.front().kernels.front().function, false, {}});
    if (named.kind == Variant::Kind::out) {
      drop_options(variant);
      add_outputs(variant.schema, result_names(all_names, named.name));
    } else {
      variant.schema.positional.front().alias.reset();
      variant.schema.returns.front().alias.reset();
    }
  }
  return result;
}

}  // namespace structured::gen

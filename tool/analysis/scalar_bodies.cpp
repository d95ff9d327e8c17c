#include "analysis/scalar_bodies.h"

#include <map>
#include <utility>

#include "analysis/element_loops.h"
#include "analysis/first_error.h"
#include "analysis/scalar_evaluator.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "language/dtypes.h"
#include "model/annotation.h"
#include "model/scalar_function.h"
#include "scan/clang_versions.h"
#include "scan/source_map.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral gradient_name = "grad";

clang::QualType element_type(ScalarType type, const clang::ASTContext& context) {
  switch (type) {
    case ScalarType::boolean:
      return context.BoolTy;
    case ScalarType::int8:
      return context.SignedCharTy;
    case ScalarType::uint8:
      return context.UnsignedCharTy;
    case ScalarType::float32:
      return context.FloatTy;
    case ScalarType::float64:
      return context.DoubleTy;
    default:
      return context.getIntTypeForBitwidth(8 * size_of(type), is_signed(type));
  }
}

/// Evaluates one function template.
class BodyEvaluator {
 public:
  BodyEvaluator(const clang::FunctionDecl& pattern, clang::Sema& sema, const SourceMap& map)
      : pattern_(pattern), sema_(sema), context_(sema.getASTContext()), map_(map) {}

  /// Evaluates the function on elements of a type; with the index of a parameter, its derivative by that element.
  ScalarBody evaluate(ScalarType type, std::optional<unsigned> by = std::nullopt) {
    ScalarBody body;
    FirstError errors(sema_.getDiagnostics());
    ScalarGraphBuilder builder;
    ScalarEvaluator evaluator(sema_, builder);
    clang::QualType element = element_type(type, context_);
    if (by) {
      element = dual_of(element);
      if (element.isNull()) return refused(std::string("includes no <") + dual_numbers_header + ">", {});
    }
    const clang::FunctionDecl* function = instance(element);
    std::optional<std::vector<SymbolicValue>> arguments;
    if (function) arguments = arguments_of(*function, builder, by, body);
    if (!body.refusal.empty()) return body;
    SymbolicValue result;
    if (arguments) result = evaluator.call(*function, std::move(*arguments));
    if (!function || !errors.text().empty()) {
      compile_errors_[by.has_value()] =
          refused((does_not_compile + (by ? " for dual numbers: " : ": ") + errors.text()).str(), errors.place());
      return compile_errors_[by.has_value()];
    }
    if (const auto& refusal = evaluator.refusal()) {
      // Clang reports an error in a template once.
      const auto known = compile_errors_.find(by.has_value());
      const bool is_repeated = refusal->reason == does_not_compile && known != compile_errors_.end();
      return is_repeated ? known->second : refused(refusal->reason, refusal->range);
    }
    if (by && result.parts.size() == 2) result = weighted(builder, result.parts[1], type);
    if (!result.is_number()) return refused("has a result that is not a number", pattern_.getReturnTypeSourceRange());
    body.graph = builder.graph_of(result.node);
    body.graph->masked_iterations = evaluator.masked_iterations();
    return body;
  }

 private:
  ScalarBody refused(std::string reason, clang::SourceRange range) const {
    if (range.isInvalid()) range = pattern_.getLocation();
    ScalarBody body;
    body.refusal = std::move(reason);
    body.range = map_.range(range);
    return body;
  }

  clang::FunctionDecl* instance(clang::QualType element) const {
    clang::FunctionTemplateDecl* scalar_template = pattern_.getDescribedFunctionTemplate();
    if (!scalar_template || scalar_template->getTemplateParameters()->size() != 1) return nullptr;
    const clang::TemplateArgument argument(context_.getCanonicalType(element));
    auto* arguments = clang::TemplateArgumentList::CreateCopy(context_, argument);
    return sema_.InstantiateFunctionDeclaration(scalar_template, arguments, pattern_.getLocation());
  }

  /// Returns `structured::Dual` of a type, complete, or a null type if the source does not know it.
  clang::QualType dual_of(clang::QualType element) const {
    const clang::DeclContext* unit = context_.getTranslationUnitDecl();
    for (const clang::NamedDecl* space : unit->lookup(&context_.Idents.get("structured"))) {
      const auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(space);
      if (!scope) continue;
      for (clang::NamedDecl* found : scope->lookup(&context_.Idents.get("Dual"))) {
        auto* dual = llvm::dyn_cast<clang::ClassTemplateDecl>(found);
        if (!dual) continue;
        clang::TemplateArgumentListInfo arguments;
        arguments.addArgument(sema_.getTrivialTemplateArgumentLoc(clang::TemplateArgument(element), {}, {}));
        const clang::QualType type = specialization_type(sema_, clang::TemplateName(dual), {}, arguments);
        if (!type.isNull() && sema_.isCompleteType({}, type)) return type;
      }
    }
    return {};
  }

  static SymbolicValue input(ScalarGraphBuilder& builder, const clang::ParmVarDecl& parameter, ScalarType type,
                             bool is_presence = false) {
    return SymbolicValue::number(builder.input({parameter.getNameAsString(), type, is_presence}));
  }

  /// Returns a number, or a dual number whose derivative is 1 if `is_variable`.
  std::optional<SymbolicValue> number(ScalarGraphBuilder& builder, const clang::ParmVarDecl& parameter,
                                      clang::QualType type, bool is_variable) const {
    if (const auto scalar = scalar_type(type, context_)) return input(builder, parameter, *scalar);
    const auto* dual = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (!dual || dual->getName() != "Dual") return std::nullopt;
    const auto scalar = scalar_type(dual->getTemplateArgs()[0].getAsType(), context_);
    if (!scalar) return std::nullopt;
    SymbolicValue value = input(builder, parameter, *scalar);
    const auto slope = builder.cast(builder.constant(is_variable), *scalar);
    return SymbolicValue::object({std::move(value), SymbolicValue::number(slope)});
  }

  std::optional<std::vector<SymbolicValue>> arguments_of(const clang::FunctionDecl& function,
                                                         ScalarGraphBuilder& builder, std::optional<unsigned> by,
                                                         ScalarBody& body) const {
    std::vector<SymbolicValue> result;
    for (unsigned i = 0; i < function.getNumParams(); ++i) {
      const clang::ParmVarDecl& parameter = *function.getParamDecl(i);
      const clang::QualType type = parameter.getType().getNonReferenceType().getUnqualifiedType();
      clang::QualType contained;
      std::optional<SymbolicValue> argument;
      if (is_optional(type, contained)) {
        SymbolicValue presence = input(builder, parameter, ScalarType::boolean, /*is_presence=*/true);
        if (auto value = number(builder, parameter, contained, false)) {
          argument = SymbolicValue::object({std::move(presence), std::move(*value)});
        }
      } else {
        argument = number(builder, parameter, type, by == i);
      }
      if (!argument) {
        body = refused("parameter `" + parameter.getNameAsString() + "` has the type `" + type.getAsString() +
                           "`, which is not a number",
                       pattern_.getParamDecl(i)->getSourceRange());
        return std::nullopt;
      }
      result.push_back(std::move(*argument));
    }
    return result;
  }

  /// Returns the product with the gradient of the result, and 0 where the slope is 0, as slope_times() of the runtime.
  SymbolicValue weighted(ScalarGraphBuilder& builder, const SymbolicValue& slope, ScalarType type) const {
    if (!slope.is_number()) return {};
    const auto gradient = builder.input({gradient_name.str(), type});
    const auto zero = builder.zero(type);
    return SymbolicValue::number(builder.select(builder.make(ScalarOp::eq, {slope.node, zero}), zero,
                                                builder.make(ScalarOp::mul, {slope.node, gradient})));
  }

  const clang::FunctionDecl& pattern_;
  clang::Sema& sema_;
  clang::ASTContext& context_;
  const SourceMap& map_;
  std::map<bool, ScalarBody> compile_errors_;  ///< for the function and for its derivatives
};

/// Dtypes whose elements a scalar function may get.
schema::DtypeSet supported_dtypes(const Declaration& declaration, bool is_backward) {
  const std::string promotion = promotion_of(declaration);
  const schema::DtypeSet floating = find_dtype("floating")->dtypes;
  if (is_backward) return floating;
  schema::DtypeSet result = 0;
  for (const std::string& name : pointwise_dtypes(declaration)) {
    if (const DtypeName* dtype = find_dtype(name)) result |= dtype->dtypes;
  }
  if (result == 0) result = schema::kAllTypes;
  return promotion == "int_to_float" ? result & floating : result;
}

/// Whether gradients by the parameter are derived from the function; see is_dual_function().
bool is_variable(const Declaration& declaration, const Parameter& parameter) {
  return parameter.type.canonical == declaration.template_parameters.front() &&
         !has_attribute(parameter.attributes, "scalar");
}

bool has_dual_form(const Declaration& declaration) {
  const std::string promotion = promotion_of(declaration);
  const bool has_flag = llvm::any_of(
      declaration.parameters, [](const Parameter& parameter) { return has_attribute(parameter.attributes, "tensor"); });
  return (promotion == "default" || promotion == "int_to_float") && declaration.result.canonical != "bool" && !has_flag;
}

}  // namespace

void evaluate_scalar_bodies(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                            Declaration& declaration) {
  read_iterator(function, sema, map, declaration);
  evaluate_element_loop(function, sema, map, declaration);
  const bool is_pointwise = has_attribute(declaration.attributes, "pointwise");
  const bool is_backward = has_attribute(declaration.attributes, "backward");
  if (!(is_pointwise || is_backward) || declaration.template_parameters.size() != 1) return;
  const auto* scalar_template = function.getDescribedFunctionTemplate();
  if (!scalar_template || !function.hasBody()) return;
  BodyEvaluator evaluator(function, sema, map);
  const schema::DtypeSet dtypes = supported_dtypes(declaration, is_backward && !is_pointwise);
  for (const schema::Dtype& dtype : schema::kDtypes) {
    const auto type = computed_type(dtype);
    if (!type || !(dtypes >> dtype.number & 1)) continue;
    const auto add = [&](ScalarBody body, llvm::StringRef derivative) {
      body.dtype = dtype.word;
      body.derivative = derivative.str();
      declaration.scalar_bodies.push_back(std::move(body));
    };
    add(evaluator.evaluate(*type), "");
    if (!is_pointwise || !is_floating(*type) || !has_dual_form(declaration)) continue;
    for (unsigned i = 0; i < declaration.parameters.size(); ++i) {
      const Parameter& parameter = declaration.parameters[i];
      if (is_variable(declaration, parameter)) add(evaluator.evaluate(*type, i), parameter.name);
    }
  }
}

}  // namespace structured::gen

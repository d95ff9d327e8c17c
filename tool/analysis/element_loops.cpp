#include "analysis/element_loops.h"

#include <set>
#include <utility>

#include "analysis/bare_expression.h"
#include "analysis/definitions.h"
#include "analysis/first_error.h"
#include "analysis/scalar_evaluator.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "model/annotation.h"
#include "scan/source_map.h"
#include "structured/schema/dtype.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral iterator_class = "at::TensorIteratorBase";

bool is_on_iterator(const Declaration& declaration) {
  return declaration.base_class && declaration.base_class->name == iterator_class;
}

/// Returns the qualified name of a function or class, without inline namespaces; empty for operators.
std::string library_name(const clang::NamedDecl& declaration) {
  if (!declaration.getDeclName().isIdentifier()) return "";
  std::string name = declaration.getName().str();
  for (const clang::DeclContext* context = declaration.getDeclContext(); context; context = context->getParent()) {
    const auto* scope = llvm::dyn_cast<clang::NamedDecl>(context);
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
    if (scope && !(space && space->isInline())) name = scope->getNameAsString() + "::" + name;
  }
  return name;
}

std::string class_in_torch(clang::QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record ? library_name(*record) : "";
}

bool is_torch_tensor(clang::QualType type) {
  const std::string name = class_in_torch(type);
  return name == "at::Tensor" || name == "at::TensorBase";
}
bool is_torch_scalar(clang::QualType type) { return class_in_torch(type) == "c10::Scalar"; }
bool is_iterator(clang::QualType type) { return class_in_torch(type) == iterator_class; }
bool is_handle(clang::QualType type) { return is_torch_tensor(type) || is_torch_scalar(type) || is_iterator(type); }

bool is_of_torch(const clang::FunctionDecl& function) {
  const std::string name = function.getQualifiedNameAsString();
  return llvm::any_of(std::initializer_list<llvm::StringRef>{"at::", "c10::", "torch::", "caffe2::"},
                      [&](llvm::StringRef space) { return llvm::StringRef(name).starts_with(space); });
}

/// Whether the type is the class of 16-bit floating-point numbers `Half` or `BFloat16`, which compute as float.
bool is_short_float(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->getDeclName().isIdentifier()) return false;
  const bool is_named = record->getName() == "Half" || record->getName() == "BFloat16";
  return is_named && library_name(*record).find("::") != std::string::npos;
}

const llvm::fltSemantics& semantics_of(clang::QualType short_float) {
  const bool is_half = short_float.getNonReferenceType()->getAsCXXRecordDecl()->getName() == "Half";
  return is_half ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
}

/// Executes an impl for one dtype. Tensors, scalars and the iterator are handles.
class ElementLoop final : public ScalarEvaluator {
 public:
  ElementLoop(clang::Sema& sema, ScalarGraphBuilder& builder, const clang::FunctionDecl& impl,
              const schema::Dtype& dtype)
      : ScalarEvaluator(sema, builder),
        impl_(impl),
        dtype_(dtype),
        computed_(computed_type(dtype).value_or(ScalarType::float32)) {}

  /// Returns the graph of the loop's body; nullopt if refusal() has a reason, or if the impl fails for the dtype.
  std::optional<ScalarGraph> evaluate() {
    std::vector<SymbolicValue> arguments;
    for (unsigned i = 0; i < impl_.getNumParams(); ++i) arguments.push_back(argument_for(i));
    if (!refusal()) call(impl_, std::move(arguments));
    if (!refusal() && !result_) refuse(impl_.getLocation(), "has no loop `at::native::cpu_kernel`");
    if (refusal()) return std::nullopt;
    ScalarGraph graph = builder_.graph_of(*result_);
    order_inputs(graph);
    graph.masked_iterations = masked_iterations();
    return graph;
  }

  /// Whether the impl throws an exception for the dtype. Conditions outside the loop are known.
  bool fails() const { return refusal() && refusal()->is_failure && !is_in_loop_; }

 protected:
  std::optional<SymbolicValue> known_call(const clang::CallExpr& call, const clang::FunctionDecl& function) override {
    if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) {
      const clang::Expr* object = member->getImplicitObjectArgument()->IgnoreParenImpCasts();
      if (is_short_float(object->getType()) && llvm::isa<clang::CXXConversionDecl>(function)) return widened(*object);
      if (!is_handle(object->getType())) return std::nullopt;
      const SymbolicValue handle = load(place(object), *object);
      return handle.kind == SymbolicValue::Kind::handle ? method(call, function, handle) : unknown(call, function);
    }
    const bool takes_handle = llvm::any_of(call.arguments(), [](const clang::Expr* argument) {
      return is_handle(argument->IgnoreParenImpCasts()->getType());
    });
    if (!takes_handle || !is_of_torch(function) || is_in_source(function)) return std::nullopt;
    const std::string name = library_name(function);
    if (name == "at::native::cpu_kernel" || name == "at::native::gpu_kernel") return loop(call);
    if (name == "at::native::cpu_kernel_vec") {
      return refuse(call.getSourceRange(), "has a loop with a second body, for vectors");
    }
    return unknown(call, function);
  }

  std::optional<SymbolicValue> known_object(const clang::CXXConstructExpr& expression) override {
    const clang::QualType type = expression.getType();
    const bool is_copy = expression.getNumArgs() > 0 && expression.getConstructor()->isCopyOrMoveConstructor();
    if (is_handle(type) && is_copy) return value(expression.getArg(0));
    if (!is_short_float(type) || is_copy || expression.getNumArgs() == 0) return std::nullopt;
    const auto from = scalar_type(expression.getArg(0)->getType(), context_);
    if (from != ScalarType::float32) return std::nullopt;
    const Node node = number(expression.getArg(0));
    if (refusal()) return SymbolicValue();
    return SymbolicValue::number(builder_.is_constant(node) ? rounded(node, type) : node);
  }

  Node condition(const clang::Expr* expression) override {
    const Node result = ScalarEvaluator::condition(expression);
    if (!is_in_loop_ && !refusal() && !builder_.is_constant(result)) {
      refuse(expression->getSourceRange(), "has a condition outside the loop that depends on arguments");
      return builder_.constant(false);
    }
    return result;
  }

  void assign(const ScalarPlace& place, const SymbolicValue& value, const clang::Expr& use) override {
    if (is_in_loop_ && target_of(place).cell < outer_cells_) {
      refuse(use.getSourceRange(), "changes a variable that all elements share");
      return;
    }
    ScalarEvaluator::assign(place, value, use);
  }

 private:
  /// The parameter of an input of the graph. Its presence precedes its value.
  struct Owner {
    unsigned parameter;
    bool is_value;  ///< false: whether the optional parameter has a value
    friend auto operator<=>(const Owner&, const Owner&) = default;
  };

  unsigned output() const { return impl_.getNumParams() - 1; }

  Node input(unsigned parameter, ScalarType type, bool is_presence = false) {
    owners_.push_back({parameter, /*is_value=*/!is_presence});
    return builder_.input({impl_.getParamDecl(parameter)->getNameAsString(), type, is_presence});
  }

  SymbolicValue argument_for(unsigned index) {
    const clang::ParmVarDecl& parameter = *impl_.getParamDecl(index);
    const clang::QualType type = parameter.getType().getNonReferenceType().getUnqualifiedType();
    const auto handle = SymbolicValue::handle(static_cast<Node>(index));
    if (index == 0 || index == output()) return handle;
    clang::QualType contained;
    if (is_torch_tensor(type)) {
      elements_.push_back(input(index, computed_));
      return handle;
    }
    if (is_torch_scalar(type)) return handle;
    if (is_optional(type, contained) && is_torch_scalar(contained)) {
      const auto presence = SymbolicValue::number(input(index, ScalarType::boolean, /*is_presence=*/true));
      return SymbolicValue::object({presence, handle});
    }
    const auto number_type = scalar_type(type, context_);
    if (number_type && !type->isEnumeralType()) return SymbolicValue::number(input(index, *number_type));
    return refuse(parameter.getSourceRange(),
                  "has the parameter `" + parameter.getNameAsString() + "`, which is neither a tensor nor a number");
  }

  /// Lists the inputs in the order of the parameters, with those that the impl does not read.
  void order_inputs(ScalarGraph& graph) {
    std::map<Owner, std::size_t> known;
    for (std::size_t i = 0; i < owners_.size(); ++i) known.emplace(owners_[i], i);
    std::vector<ScalarInput> inputs;
    std::vector<int64_t> positions(owners_.size());
    for (unsigned i = 1; i < output(); ++i) {
      for (const bool is_value : {false, true}) {
        if (const auto found = known.find({i, is_value}); found != known.end()) {
          positions[found->second] = static_cast<int64_t>(inputs.size());
          inputs.push_back(graph.inputs[found->second]);
        } else if (is_value) {
          inputs.push_back({impl_.getParamDecl(i)->getNameAsString(), computed_});
        }
      }
    }
    graph.inputs = std::move(inputs);
    for (ScalarNode& node : graph.nodes) {
      if (node.op == ScalarOp::input)
        node.operands.front() = positions[static_cast<std::size_t>(node.operands.front())];
    }
  }

  SymbolicValue unknown(const clang::CallExpr& call, const clang::FunctionDecl& function) {
    return refuse(call.getSourceRange(), "calls `" + function.getQualifiedNameAsString() + "`");
  }

  /// A method of a tensor, a scalar or the iterator.
  SymbolicValue method(const clang::CallExpr& call, const clang::FunctionDecl& function, const SymbolicValue& handle) {
    const auto index = static_cast<unsigned>(handle.node);
    const llvm::StringRef name = function.getDeclName().isIdentifier() ? function.getName() : "";
    if (index == 0) {
      const auto type = scalar_type(call.getType(), context_);
      const bool is_dtype =
          type && llvm::StringSwitch<bool>(name).Cases("common_dtype", "dtype", "input_dtype", true).Default(false);
      if (!is_dtype) return unknown(call, function);
      if (name == "dtype") {
        const Node operand = number(call.getArg(0));
        if (refusal()) return {};
        if (!builder_.is_constant(operand)) return unknown(call, function);
        reads_output_dtype_ |= builder_.is_false(operand);
      }
      const auto number = static_cast<int64_t>(dtype_.number);
      return SymbolicValue::number(builder_.cast(builder_.constant(number), *type));
    }
    if (is_short_float(call.getType())) {
      return refuse(call.getSourceRange(), "rounds `" + impl_.getParamDecl(index)->getNameAsString() + "` to `" +
                                               call.getType()->getAsCXXRecordDecl()->getNameAsString() + "`");
    }
    const auto type = scalar_type(call.getType(), context_);
    if (!is_torch_scalar(call_object(call)->getType()) || !name.starts_with("to") || !type || call.getNumArgs() != 0) {
      return unknown(call, function);
    }
    const auto [found, is_new] = scalars_.try_emplace(index, *type, -1);
    if (is_new) found->second.second = input(index, *type);
    if (found->second.first != *type) {
      return refuse(call.getSourceRange(),
                    "converts `" + impl_.getParamDecl(index)->getNameAsString() + "` to two types of numbers");
    }
    return SymbolicValue::number(found->second.second);
  }

  static const clang::Expr* call_object(const clang::CallExpr& call) {
    return llvm::cast<clang::CXXMemberCallExpr>(call).getImplicitObjectArgument()->IgnoreParenImpCasts();
  }

  bool is_element(clang::QualType type) const {
    if (computed_type(dtype_)) return scalar_type(type.getUnqualifiedType(), context_) == computed_;
    return is_short_float(type) && type->getAsCXXRecordDecl()->getName() == dtype_.name;
  }

  static const clang::FunctionDecl* call_operator(clang::QualType type) {
    const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    if (!record) return nullptr;
    const clang::FunctionDecl* result = nullptr;
    for (const clang::CXXMethodDecl* method : record->methods()) {
      if (method->getOverloadedOperator() != clang::OO_Call) continue;
      if (result) return nullptr;
      result = method;
    }
    return result;
  }

  /// `at::native::cpu_kernel(op, function)`
  SymbolicValue loop(const clang::CallExpr& call) {
    const clang::Expr* object = call.getArg(1);
    const SymbolicValue iterator = load(place(call.getArg(0)->IgnoreParenImpCasts()), call);
    if (refusal()) return {};
    if (is_in_loop_ || result_) return refuse(call.getSourceRange(), "has more than one loop");
    const bool is_own = iterator.kind == SymbolicValue::Kind::handle && iterator.node == 0;
    const bool converts = call.getNumArgs() > 3 && !llvm::isa<clang::CXXDefaultArgExpr>(call.getArg(3));
    if (!is_own || converts)
      return refuse(call.getSourceRange(), "has a loop that does not follow the iterator's dtypes");
    const clang::FunctionDecl* function = call_operator(object->getType());
    if (!function) return refuse(object->getSourceRange(), "has a loop over something other than a lambda");
    if (function->getNumParams() != elements_.size()) {
      return refuse(object->getSourceRange(), "has a loop over " + std::to_string(function->getNumParams()) +
                                                  " operands, and " + std::to_string(elements_.size()) + " tensors");
    }
    const auto is_unlike = [&](clang::QualType type) { return !is_element(type.getNonReferenceType()); };
    const bool is_boolean = function->getReturnType()->isBooleanType() && !reads_output_dtype_;
    if (llvm::any_of(function->parameters(), [&](const auto* each) { return is_unlike(each->getType()); }) ||
        (is_unlike(function->getReturnType()) && !is_boolean)) {
      return refuse(object->getSourceRange(), "has a loop over elements of another type than the dtype's");
    }
    std::vector<SymbolicValue> elements;
    for (const Node element : elements_) elements.push_back(SymbolicValue::number(element));
    const ScalarPlace self = place(object);
    if (refusal()) return {};
    outer_cells_ = state_.cells.size();
    is_in_loop_ = true;
    SymbolicValue result = run(*function, &call, self, passed(*function, std::move(elements)));
    if (refusal()) return {};
    is_in_loop_ = false;
    if (result.kind == SymbolicValue::Kind::reference) result = at(result.place);
    if (!result.is_number()) return refuse(object->getSourceRange(), "has a loop whose result is not a number");
    result_ = result.node;
    return {};
  }

  /// Returns the constant rounded to a short floating-point type.
  Node rounded(Node constant, clang::QualType short_float) {
    const auto bits = static_cast<uint32_t>(builder_.value_of(constant).bits);
    llvm::APFloat number(llvm::APFloat::IEEEsingle(), llvm::APInt(32, bits));
    bool loses_digits = false;
    number.convert(semantics_of(short_float), llvm::APFloat::rmNearestTiesToEven, &loses_digits);
    number.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &loses_digits);
    return builder_.constant(ScalarValue{ScalarType::float32, number.bitcastToAPInt().getZExtValue()});
  }

  /// Returns a short floating-point number as float. Graphs cannot round to it.
  SymbolicValue widened(const clang::Expr& object) {
    const SymbolicValue number = load(place(&object), object);
    if (refusal()) return {};
    const bool is_known = number.is_number() && builder_.is_constant(number.node);
    if (!is_known && !(number.is_number() && llvm::is_contained(elements_, number.node))) {
      return refuse(object.getSourceRange(), "rounds an intermediate result to `" +
                                                 object.getType()->getAsCXXRecordDecl()->getNameAsString() + "`");
    }
    return number;
  }

  const clang::FunctionDecl& impl_;
  const schema::Dtype& dtype_;
  const ScalarType computed_;                                ///< in which elements are computed
  std::vector<Owner> owners_;                                ///< of the graph's inputs
  std::vector<Node> elements_;                               ///< of the tensors
  std::map<unsigned, std::pair<ScalarType, Node>> scalars_;  ///< by parameter
  bool reads_output_dtype_ = false;
  bool is_in_loop_ = false;
  std::size_t outer_cells_ = 0;  ///< number of variables that exist before the loop
  std::optional<Node> result_;
};

std::optional<ScalarBody> body_for(const clang::FunctionDecl& impl, clang::Sema& sema, const SourceMap& map,
                                   const schema::Dtype& dtype) {
  ScalarBody body;
  body.dtype = dtype.word;
  const FirstError errors(sema.getDiagnostics());
  ScalarGraphBuilder builder;
  ElementLoop loop(sema, builder, impl, dtype);
  body.graph = loop.evaluate();
  if (loop.fails()) return std::nullopt;
  clang::SourceRange range;
  if (!errors.text().empty()) {
    body.graph.reset();
    body.refusal = (does_not_compile + ": " + errors.text()).str();
    range = errors.place();
  } else if (const auto& refusal = loop.refusal()) {
    body.refusal = refusal->reason;
    range = refusal->range;
  }
  if (body.graph) return body;
  if (range.isInvalid()) range = impl.getLocation();
  // Within the arguments of a macro that dispatches by dtype.
  const clang::SourceManager& sources = sema.getSourceManager();
  body.range = map.range(clang::SourceRange(sources.getFileLoc(range.getBegin()), sources.getFileLoc(range.getEnd())));
  return body;
}

/// The rule of type promotion by which a function of at::TensorIteratorBase builds the iterator; empty for others.
llvm::StringRef promotion_by(llvm::StringRef builder) {
  return llvm::StringSwitch<llvm::StringRef>(builder)
      .Cases("build_unary_op", "build_borrowing_unary_op", "build_output_borrowing_argument_owning_unary_op", "default")
      .Cases("build_binary_op", "build_borrowing_binary_op", "build_ternary_op", "default")
      .Cases("build_unary_float_op", "build_borrowing_unary_float_op", "int_to_float")
      .Cases("build_binary_float_op", "build_borrowing_binary_float_op", "int_to_float")
      .Cases("build_comparison_op", "build_borrowing_comparison_op",
             "build_borrowing_except_last_argument_comparison_op", "build_borrowing_unary_force_boolean_op", "bool")
      .Default("");
}

/// Reads the body of a meta function: one call that builds the iterator.
class IteratorReader {
 public:
  IteratorReader(const clang::FunctionDecl& meta, const SourceMap& map) : meta_(meta), map_(map) {}

  IteratorFact read() {
    const auto* body = llvm::dyn_cast<clang::CompoundStmt>(meta_.getBody());
    if (!body) return refuse(meta_.getSourceRange(), "has a `try` block");
    for (const clang::Stmt* statement : body->body()) {
      if (fact_.refusal.empty() && !llvm::isa<clang::NullStmt>(statement)) read(*statement);
    }
    if (fact_.refusal.empty() && fact_.promotion.empty()) refuse(meta_.getLocation(), "does not build the iterator");
    return std::move(fact_);
  }

 private:
  IteratorFact& refuse(clang::SourceRange range, std::string reason) {
    if (!fact_.refusal.empty()) return fact_;
    fact_.promotion.clear();
    fact_.refusal = std::move(reason);
    fact_.range = map_.range(range);
    return fact_;
  }

  static bool is_failing(const clang::Stmt* statement) {
    if (!statement) return false;
    if (llvm::isa<clang::CXXThrowExpr>(statement)) return true;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
    if (call && call->getDirectCallee() && call->getDirectCallee()->isNoReturn()) return true;
    return llvm::any_of(statement->children(), is_failing);
  }

  void read(const clang::Stmt& statement) {
    const auto* expression = llvm::dyn_cast<clang::Expr>(&statement);
    const auto* call = expression ? llvm::dyn_cast<clang::CXXMemberCallExpr>(bare(expression)) : nullptr;
    if (call && is_parameter(call->getImplicitObjectArgument(), 0) && call->getDirectCallee()) return build(*call);
    refuse(statement.getSourceRange(),
           is_failing(&statement) ? "checks its arguments" : "does more than to build the iterator");
  }

  bool is_parameter(const clang::Expr* expression, unsigned index) const {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare(expression)->IgnoreParenImpCasts());
    return reference && reference->getDecl() == meta_.getParamDecl(index);
  }

  /// `op.maybe_get_output()`
  bool is_output(const clang::Expr* expression) const {
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(bare(expression)->IgnoreParenImpCasts());
    const clang::FunctionDecl* function = call ? call->getDirectCallee() : nullptr;
    return function && function->getNameAsString() == "maybe_get_output" &&
           is_parameter(call->getImplicitObjectArgument(), 0);
  }

  void build(const clang::CXXMemberCallExpr& call) {
    const std::string name = call.getDirectCallee()->getNameAsString();
    if (!fact_.promotion.empty()) return void(refuse(call.getSourceRange(), "does more than to build the iterator"));
    std::vector<const clang::Expr*> operands;
    if (name == "build") {
      if (!read_config(call.getArg(0), operands)) return;
    } else {
      fact_.promotion = promotion_by(name).str();
      if (fact_.promotion.empty()) return void(refuse(call.getSourceRange(), "calls `" + name + "`"));
      operands.assign(call.arguments().begin(), call.arguments().end());
    }
    if (operands.empty() || !is_output(operands.front())) {
      return void(refuse(call.getSourceRange(), "builds an iterator with another output than its own"));
    }
    std::vector<unsigned> tensors;
    for (unsigned i = 1; i < meta_.getNumParams(); ++i) {
      if (is_torch_tensor(meta_.getParamDecl(i)->getType())) tensors.push_back(i);
    }
    bool is_plain = tensors.size() + 1 == operands.size();
    for (std::size_t i = 0; is_plain && i < tensors.size(); ++i) is_plain = is_parameter(operands[i + 1], tensors[i]);
    if (!is_plain) {
      refuse(call.getSourceRange(), "builds an iterator of other operands than its tensors in their order");
    }
  }

  /// `at::TensorIteratorConfig().add_output(op.maybe_get_output()).add_input(self)…`
  bool read_config(const clang::Expr* config, std::vector<const clang::Expr*>& operands) {
    std::vector<const clang::CXXMemberCallExpr*> calls;
    const clang::Expr* rest = inner(config);
    while (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(rest)) {
      calls.push_back(call);
      rest = inner(call->getImplicitObjectArgument());
    }
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(rest);
    if (!made || made->getNumArgs() != 0 || calls.empty()) {
      refuse(config->getSourceRange(), "builds the iterator by a variable");
      return false;
    }
    std::set<std::string> flags;
    for (const clang::CXXMemberCallExpr* call : llvm::reverse(calls)) {
      const std::string name = call->getDirectCallee() ? call->getDirectCallee()->getNameAsString() : "";
      const llvm::StringRef text = name;
      const bool adds_output = text.starts_with("add_") && text.ends_with("output");
      const bool adds_input = text.starts_with("add_") && text.ends_with("input");
      if (adds_output || adds_input) {
        if (adds_output != operands.empty()) {
          refuse(call->getSourceRange(), "builds an iterator with another output than its own");
          return false;
        }
        operands.push_back(call->getArg(0));
        continue;
      }
      // Overlap is checked of outputs that the caller passes, and numbers on the CPU join tensors of any device.
      if (text == "set_check_mem_overlap" || text == "allow_cpu_scalars") continue;
      bool is_on = false;
      const bool is_known = llvm::is_contained({"promote_inputs_to_common_dtype", "cast_common_dtype_to_outputs",
                                                "enforce_safe_casting_to_output", "promote_integer_inputs_to_float"},
                                               text) &&
                            call->getArg(0)->EvaluateAsBooleanCondition(is_on, meta_.getASTContext());
      if (!is_known) {
        refuse(call->getSourceRange(), "builds an iterator by `" + name + "`");
        return false;
      }
      if (is_on) flags.insert(name);
    }
    for (const char* needed : {"promote_inputs_to_common_dtype", "cast_common_dtype_to_outputs"}) {
      if (flags.count(needed) != 0) continue;
      refuse(config->getSourceRange(), std::string("builds an iterator without `") + needed + "`");
      return false;
    }
    fact_.promotion = flags.count("promote_integer_inputs_to_float") != 0 ? "int_to_float" : "default";
    return true;
  }

  /// Skips what wraps the object of a chain of calls.
  static const clang::Expr* inner(const clang::Expr* expression) {
    expression = bare(expression)->IgnoreParenImpCasts();
    while (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
      expression = bare(temporary->getSubExpr())->IgnoreParenImpCasts();
    }
    return bare(expression);
  }

  const clang::FunctionDecl& meta_;
  const SourceMap& map_;
  IteratorFact fact_;
};

}  // namespace

void read_iterator(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                   Declaration& declaration) {
  if (!has_attribute(declaration.attributes, "meta") || !is_on_iterator(declaration)) return;
  const clang::FunctionDecl* definition = definition_of(function, sema);
  if (definition) declaration.iterator = IteratorReader(*definition, map).read();
}

void evaluate_element_loop(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                           Declaration& declaration) {
  if (!has_attribute(declaration.attributes, "impl") || !is_on_iterator(declaration)) return;
  const clang::FunctionDecl* definition = definition_of(function, sema);
  if (!definition || definition->getNumParams() < 2) return;
  for (const schema::Dtype& dtype : schema::kDtypes) {
    const bool is_real = computed_type(dtype) || (dtype.is_floating() && dtype.computes && dtype.size() == 2);
    if (!is_real) continue;
    if (auto body = body_for(*definition, sema, map, dtype)) declaration.scalar_bodies.push_back(std::move(*body));
  }
}

}  // namespace structured::gen

#include "analysis/scalar_evaluator.h"

#include <algorithm>
#include <utility>

#include "analysis/definitions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

namespace structured::gen {
namespace {

constexpr std::size_t most_calls = 64;

}  // namespace

ScalarPlace ScalarPlace::part(unsigned index) const {
  ScalarPlace result = *this;
  result.path.push_back(index);
  return result;
}

SymbolicValue SymbolicValue::number(ScalarNodeId node) {
  SymbolicValue result;
  result.kind = Kind::number;
  result.node = node;
  return result;
}
SymbolicValue SymbolicValue::object(std::vector<SymbolicValue> parts) {
  SymbolicValue result;
  result.kind = Kind::object;
  result.parts = std::move(parts);
  return result;
}
SymbolicValue SymbolicValue::reference(ScalarPlace place) {
  SymbolicValue result;
  result.kind = Kind::reference;
  result.place = std::move(place);
  return result;
}

SymbolicValue SymbolicValue::handle(ScalarNodeId identity) {
  SymbolicValue result;
  result.kind = Kind::handle;
  result.node = identity;
  return result;
}

std::optional<ScalarType> scalar_type(clang::QualType type, const clang::ASTContext& context) {
  if (const auto* enumeration = type->getAs<clang::EnumType>()) type = enumeration->getDecl()->getIntegerType();
  if (type.isNull() || !type->isBuiltinType()) return std::nullopt;
  if (type->isBooleanType()) return ScalarType::boolean;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Float)) return ScalarType::float32;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Double)) return ScalarType::float64;
  if (!type->isIntegerType()) return std::nullopt;
  const bool is_unsigned = type->isUnsignedIntegerType();
  switch (context.getTypeSize(type)) {
    case 8:
      return is_unsigned ? ScalarType::uint8 : ScalarType::int8;
    case 16:
      return is_unsigned ? ScalarType::uint16 : ScalarType::int16;
    case 32:
      return is_unsigned ? ScalarType::uint32 : ScalarType::int32;
    case 64:
      return is_unsigned ? ScalarType::uint64 : ScalarType::int64;
    default:
      return std::nullopt;
  }
}

bool is_optional(clang::QualType type, clang::QualType& value) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  const auto* specialization = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!specialization || !specialization->isInStdNamespace() || specialization->getName() != "optional") return false;
  value = specialization->getTemplateArgs()[0].getAsType();
  return true;
}

ScalarEvaluator::ScalarEvaluator(clang::Sema& sema, ScalarGraphBuilder& builder)
    : sema_(sema), context_(sema.getASTContext()), builder_(builder) {}

SymbolicValue ScalarEvaluator::refuse(clang::SourceRange range, std::string reason) {
  if (refusal_) return {};
  // An author can change their own code only.
  const clang::SourceManager& sources = context_.getSourceManager();
  for (const ScalarFrame& frame : llvm::reverse(frames_)) {
    if (range.isValid() && !sources.isInSystemHeader(sources.getExpansionLoc(range.getBegin()))) break;
    if (frame.call) range = frame.call->getSourceRange();
  }
  refusal_ = {std::move(reason), range};
  return {};
}

SymbolicValue ScalarEvaluator::refuse_failure(clang::SourceRange range, std::string reason) {
  if (!refusal_) {
    refuse(range, std::move(reason));
    refusal_->is_failure = true;
  }
  return {};
}

ScalarPlace ScalarEvaluator::new_place(SymbolicValue value) {
  llvm::erase_if(read_only_, [&](std::size_t cell) { return cell >= state_.cells.size(); });
  state_.cells.push_back(std::move(value));
  return {state_.cells.size() - 1, {}};
}

SymbolicValue& ScalarEvaluator::at(const ScalarPlace& place) {
  static SymbolicValue undefined;
  if (place.cell >= state_.cells.size()) return undefined = {};
  SymbolicValue* value = &state_.cells[place.cell];
  for (unsigned index : place.path) {
    if (index >= value->parts.size()) return undefined = {};
    value = &value->parts[index];
  }
  return *value;
}

ScalarPlace ScalarEvaluator::target_of(ScalarPlace place) {
  const SymbolicValue& value = at(place);
  return value.kind == SymbolicValue::Kind::reference ? value.place : place;
}

SymbolicValue ScalarEvaluator::load(const ScalarPlace& place, const clang::Expr& use) {
  if (refusal_) return {};
  SymbolicValue result = at(target_of(place));
  if (result.is_undefined()) return refuse(use.getSourceRange(), "uses a variable that may have no value");
  return result;
}

ScalarEvaluator::Node ScalarEvaluator::mask_for(std::size_t cell) {
  Node mask = builder_.constant(true);
  for (std::size_t i = frames_.size(); i-- > 0;) {
    const ScalarFlow& flow = i + 1 == frames_.size() ? state_.flow : frames_[i].flow;
    if (cell < frames_[i].cells) {
      mask = builder_.conjunction(mask, flow.live);
      continue;
    }
    // The variables of a call that has returned are gone, and those of a loop for elements that have left it.
    const bool is_awaited = llvm::any_of(flow.loops, [&](const ScalarLoop& loop) {
      return (!builder_.is_false(loop.left) && cell < loop.cells) ||
             (!builder_.is_false(loop.continued) && cell < loop.outer_cells);
    });
    return is_awaited ? builder_.conjunction(mask, flow.live) : mask;
  }
  return mask;
}

void ScalarEvaluator::assign(const ScalarPlace& place, const SymbolicValue& value, const clang::Expr& use) {
  if (refusal_) return;
  if (llvm::is_contained(read_only_, place.cell)) {
    refuse(use.getSourceRange(), "assigns to a variable that a condition selects");
    return;
  }
  const ScalarPlace target = target_of(place);
  const Node mask = mask_for(target.cell);
  SymbolicValue merged = builder_.is_true(mask) ? value : merge(mask, value, at(target));
  at(target) = std::move(merged);
}

SymbolicValue ScalarEvaluator::merge(Node condition, const SymbolicValue& yes, const SymbolicValue& no) {
  using Kind = SymbolicValue::Kind;
  if (yes == no || no.is_undefined()) return yes;
  if (yes.is_undefined()) return no;
  const bool are_numbers = yes.is_number() && no.is_number() && builder_.type_of(yes.node) == builder_.type_of(no.node);
  if (are_numbers) return SymbolicValue::number(builder_.select(condition, yes.node, no.node));
  if (yes.kind != Kind::object || no.kind != Kind::object || yes.parts.size() != no.parts.size()) {
    return refuse(frame().function->getSourceRange(), "selects one of several variables by a condition");
  }
  std::vector<SymbolicValue> parts;
  for (std::size_t i = 0; i < yes.parts.size(); ++i) parts.push_back(merge(condition, yes.parts[i], no.parts[i]));
  return SymbolicValue::object(std::move(parts));
}

bool ScalarEvaluator::has_returned(const ScalarFlow& flow) const {
  return builder_.is_false(flow.live) && llvm::all_of(flow.loops, [&](const ScalarLoop& loop) {
           return builder_.is_false(loop.left) && builder_.is_false(loop.continued);
         });
}

ScalarState ScalarEvaluator::merge(Node condition, ScalarState yes, ScalarState no) {
  // The variables of this call matter only where it goes on.
  const std::size_t outer = frame().cells;
  const bool only_yes = has_returned(no.flow);
  const bool only_no = has_returned(yes.flow);
  for (std::size_t i = 0; i < yes.cells.size(); ++i) {
    if (i >= outer && only_yes) continue;
    yes.cells[i] = i >= outer && only_no ? std::move(no.cells[i]) : merge(condition, yes.cells[i], no.cells[i]);
  }
  yes.flow.result = merge(condition, yes.flow.result, no.flow.result);
  yes.flow.live = builder_.select(condition, yes.flow.live, no.flow.live);
  for (std::size_t i = 0; i < yes.flow.loops.size(); ++i) {
    ScalarLoop& loop = yes.flow.loops[i];
    loop.left = builder_.select(condition, loop.left, no.flow.loops[i].left);
    loop.continued = builder_.select(condition, loop.continued, no.flow.loops[i].continued);
  }
  return yes;
}

SymbolicValue ScalarEvaluator::fork(Node condition, llvm::function_ref<SymbolicValue()> yes,
                                    llvm::function_ref<SymbolicValue()> no) {
  if (refusal_) return {};
  if (builder_.is_true(condition)) return yes();
  if (builder_.is_false(condition)) return no();
  ScalarState before = state_;
  const std::size_t cells = before.cells.size();
  const SymbolicValue first = yes();
  ScalarState after_first = std::exchange(state_, std::move(before));
  const SymbolicValue second = no();
  after_first.cells.resize(cells);
  state_.cells.resize(cells);
  state_ = merge(condition, std::move(after_first), std::move(state_));
  return merge(condition, first, second);
}

void ScalarEvaluator::scope(llvm::function_ref<void()> statements) {
  const std::size_t outer = frame().returned.size();
  statements();
  while (frame().returned.size() > outer) {
    ReturnedBranch branch = std::move(frame().returned.back());
    frame().returned.pop_back();
    state_.cells.resize(branch.state.cells.size());
    if (branch.when) {
      state_ = merge(branch.condition, std::move(branch.state), std::move(state_));
    } else {
      state_ = merge(branch.condition, std::move(state_), std::move(branch.state));
    }
  }
}

SymbolicValue ScalarEvaluator::run(const clang::FunctionDecl& function, const clang::Expr* call,
                                   std::optional<ScalarPlace> self, std::vector<SymbolicValue> arguments) {
  if (refusal_) return {};
  const clang::SourceRange range = call ? call->getSourceRange() : function.getSourceRange();
  const auto name = [&] { return "`" + function.getQualifiedNameAsString() + "`"; };
  const clang::FunctionDecl* definition = definition_of(function, sema_);
  const bool is_visible = function.hasBody() || function.getTemplateInstantiationPattern();
  if (!definition && is_visible) return refuse(range, does_not_compile.str());
  if (!definition) return refuse(range, "calls " + name() + ", whose body is not visible");
  if (frames_.size() >= most_calls) return refuse(range, "calls itself, or calls are nested too deeply");
  if (arguments.size() != definition->getNumParams()) return refuse(range, "calls " + name() + ", which is variadic");

  if (!frames_.empty()) frame().flow = std::move(state_.flow);
  state_.flow = {builder_.constant(true), {}, {}};
  frames_.emplace_back();
  frame().function = definition;
  frame().call = call;
  frame().cells = state_.cells.size();
  frame().self = std::move(self);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool is_reference = arguments[i].kind == SymbolicValue::Kind::reference;
    ScalarPlace place = is_reference ? arguments[i].place : new_place(std::move(arguments[i]));
    frame().variables[definition->getParamDecl(static_cast<unsigned>(i))] = std::move(place);
  }
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
      method && method->getParent()->isLambda()) {
    clang::FieldDecl* this_capture = nullptr;
    method->getParent()->getCaptureFields(frame().captures, this_capture);
  }
  scope([&] {
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition)) construct(*constructor);
    execute(definition->getBody());
  });
  SymbolicValue result = std::move(state_.flow.result);
  state_.cells.resize(frame().cells);
  const bool is_lost = !builder_.is_false(state_.flow.live) && !definition->getReturnType()->isVoidType();
  if (is_lost && !llvm::isa<clang::CXXConstructorDecl>(definition)) {
    refuse(definition->getSourceRange(), "may end without a result");
  }
  frames_.pop_back();
  if (!frames_.empty()) state_.flow = std::move(frame().flow);
  return result;
}

std::vector<SymbolicValue> ScalarEvaluator::passed(const clang::FunctionDecl& function,
                                                   std::vector<SymbolicValue> arguments) {
  for (std::size_t i = 0; i < arguments.size() && i < function.getNumParams(); ++i) {
    if (!function.getParamDecl(static_cast<unsigned>(i))->getType()->isReferenceType()) continue;
    arguments[i] = SymbolicValue::reference(new_place(std::move(arguments[i])));
  }
  return arguments;
}

SymbolicValue ScalarEvaluator::call(const clang::FunctionDecl& function, std::vector<SymbolicValue> arguments) {
  SymbolicValue result = run(function, nullptr, std::nullopt, passed(function, std::move(arguments)));
  return result.kind == SymbolicValue::Kind::reference ? at(result.place) : result;
}

}  // namespace structured::gen

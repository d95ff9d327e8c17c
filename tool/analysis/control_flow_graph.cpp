#include "analysis/control_flow_graph.h"

#include "analysis/body_visitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

class HandlerFinder : public BodyVisitor {
 public:
  bool enter(const clang::Stmt& statement) override {
    has_handlers |= llvm::isa<clang::CXXTryStmt>(statement);
    return !has_handlers;
  }
  bool has_handlers = false;
};

class PlainUseFinder : public BodyVisitor {
 public:
  explicit PlainUseFinder(llvm::SmallPtrSetImpl<const clang::DeclRefExpr*>& found) : found_(found) {}

  bool enter(const clang::Stmt& statement) override {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&statement)) {
      add(member->getBase());
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
      if (plain_callee(*call)) {
        for (const clang::Expr* argument : call->arguments()) add(argument);
      }
    } else if (const auto* cast = llvm::dyn_cast<clang::CStyleCastExpr>(&statement)) {
      if (cast->getCastKind() == clang::CK_ToVoid) add(cast->getSubExpr());
    }
    return true;
  }

 private:
  void add(const clang::Expr* expression) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
    if (reference) found_.insert(reference);
  }
  llvm::SmallPtrSetImpl<const clang::DeclRefExpr*>& found_;
};

using Blocks = std::vector<const clang::CFGBlock*>;

/// Appends the blocks reachable from `start` to `order` in post-order. Hand-written because LLVM's iterators do not
/// accept the null successors of unreachable edges.
template <class Neighbours>
void add_reached(const clang::CFGBlock* start, Neighbours neighbours, std::vector<bool>& seen, Blocks& order) {
  if (seen[start->getBlockID()]) return;
  seen[start->getBlockID()] = true;
  std::vector<std::pair<const clang::CFGBlock*, unsigned>> stack{{start, 0}};
  while (!stack.empty()) {
    auto& [block, index] = stack.back();
    const auto range = neighbours(*block);
    if (index == static_cast<unsigned>(range.end() - range.begin())) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    const clang::CFGBlock* next = (range.begin() + index++)->getReachableBlock();
    if (!next || seen[next->getBlockID()]) continue;
    seen[next->getBlockID()] = true;
    stack.emplace_back(next, 0);
  }
}

/// Kosaraju's algorithm. Returns the strongly connected components that contain an edge.
std::vector<Blocks> cycles(const clang::CFG& graph) {
  const auto forward = [](const clang::CFGBlock& block) { return block.succs(); };
  const auto backward = [](const clang::CFGBlock& block) { return block.preds(); };
  Blocks order;
  std::vector<bool> is_reached(graph.getNumBlockIDs());
  add_reached(&graph.getEntry(), forward, is_reached, order);
  // Unreachable blocks belong to no component.
  std::vector<bool> seen = is_reached;
  seen.flip();
  std::vector<Blocks> result;
  for (auto start = order.rbegin(); start != order.rend(); ++start) {
    Blocks component;
    add_reached(*start, backward, seen, component);
    if (component.empty()) continue;
    const bool is_cycle = component.size() > 1 || ControlFlowGraph::leads_to(*component.front(), *component.front());
    if (is_cycle) result.push_back(std::move(component));
  }
  return result;
}

}  // namespace

const clang::FunctionDecl* plain_callee(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || callee->isVariadic() || callee->getNumParams() < call.getNumArgs()) return nullptr;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  return method && method->isInstance() ? nullptr : callee;
}

std::unique_ptr<ControlFlowGraph> ControlFlowGraph::make(const clang::FunctionDecl& definition,
                                                         clang::ASTContext& context) {
  clang::Stmt* body = definition.getBody();
  clang::CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  HandlerFinder handlers;
  handlers.walk(body);
  options.AddEHEdges = handlers.has_handlers;
  std::unique_ptr<clang::CFG> graph = clang::CFG::buildCFG(&definition, body, &context, options);
  if (!graph) return nullptr;
  return std::unique_ptr<ControlFlowGraph>(new ControlFlowGraph(std::move(graph), *body));
}

ControlFlowGraph::ControlFlowGraph(std::unique_ptr<clang::CFG> graph, const clang::Stmt& body)
    : graph_(std::move(graph)), changes_(body), loops_(cycles(*graph_)) {
  PlainUseFinder(plain_uses_).walk(&body);
  for (unsigned i = 0; i < loops_.size(); ++i) {
    for (const clang::CFGBlock* block : loops_[i]) loop_of_[block] = i;
  }
}

const ControlFlowGraph::Loop* ControlFlowGraph::loop_of(const clang::CFGBlock& block) const {
  const auto found = loop_of_.find(&block);
  return found == loop_of_.end() ? nullptr : &loops_[found->second];
}

bool ControlFlowGraph::leads_to(const clang::CFGBlock& block, const clang::CFGBlock& next) {
  return llvm::any_of(block.succs(), [&](const auto& successor) { return successor.getReachableBlock() == &next; });
}

const clang::CFGBlock* ControlFlowGraph::handlers_of(const clang::CFGBlock& block) {
  for (const clang::CFGBlock::AdjacentBlock& successor : block.succs()) {
    const clang::CFGBlock* next = successor.getReachableBlock();
    if (next && llvm::isa_and_nonnull<clang::CXXTryStmt>(next->getTerminatorStmt())) return next;
  }
  return nullptr;
}

}  // namespace structured::gen

#include "analysis/body_analysis.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "analysis/definitions.h"
#include "analysis/output_paths.h"
#include "analysis/precondition_analysis.h"
#include "analysis/symbolic_expr_builder.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

/// Returns the parameter that can be an operator's base, or null.
const clang::ParmVarDecl* base_of(const clang::FunctionDecl& definition) {
  if (definition.getNumParams() == 0) return nullptr;
  const clang::ParmVarDecl& first = *definition.getParamDecl(0);
  const clang::QualType type = first.getType();
  const bool is_mutable = type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
  return is_mutable && !is_tensor(type) ? &first : nullptr;
}

class OutputFacts {
 public:
  OutputFacts(std::vector<PathEffect> paths, const SourceMap& map) : paths_(std::move(paths)), map_(map) {
    const clang::SourceManager& sources = map.sources();
    std::stable_sort(paths_.begin(), paths_.end(), [&](const PathEffect& a, const PathEffect& b) {
      return sources.isBeforeInTranslationUnit(a.end, b.end);
    });
  }

  void add_to(BodyFacts& facts) const {
    std::set<int64_t> indices;
    for (const PathEffect& path : paths_) {
      for (const auto& [index, setting] : path.outputs) indices.insert(index);
      indices.insert(path.maybe_set.begin(), path.maybe_set.end());
    }
    for (const int64_t index : indices) {
      const PathEffect* path = without(index);
      facts.outputs.push_back({index, end_of(path), path ? branch_note(*path, index) : std::nullopt, set_twice(index)});
    }
    // Any index that no path sets.
    facts.others_unset_at = end_of(without(indices.empty() ? 0 : *indices.rbegin() + 1));
  }

 private:
  // Returns the first path that does not set the output, or null.
  const PathEffect* without(int64_t index) const {
    const auto found = llvm::find_if(paths_, [&](const PathEffect& path) { return !path.may_set(index); });
    return found == paths_.end() ? nullptr : &*found;
  }

  std::optional<SourceRange> end_of(const PathEffect* path) const {
    if (!path) return std::nullopt;
    return map_.range(clang::SourceRange(path->end, path->end));
  }

  std::optional<BranchNote> branch_note(const PathEffect& path, int64_t index) const {
    const auto found = path.branch_notes.find(index);
    if (found == path.branch_notes.end()) return std::nullopt;
    return BranchNote{found->second.kind, map_.range(found->second.range)};
  }

  std::optional<SecondSetting> set_twice(int64_t index) const {
    for (const PathEffect& path : paths_) {
      const auto found = path.outputs.find(index);
      if (found == path.outputs.end() || found->second.count < 2) continue;
      return SecondSetting{map_.range(found->second.first), map_.range(found->second.second)};
    }
    return std::nullopt;
  }

  std::vector<PathEffect> paths_;
  const SourceMap& map_;
};

}  // namespace

void analyze_body(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                  Declaration& declaration) {
  const clang::FunctionDecl* definition = definition_of(function, sema);
  if (!definition) return;
  BodyFacts& facts = declaration.body.emplace();
  analyze_preconditions(*definition, function, sema, map, facts);
  if (const clang::ParmVarDecl* base = base_of(*definition)) {
    if (auto paths = output_paths(*definition, *base, sema)) {
      OutputFacts(std::move(*paths), map).add_to(facts);
    }
  }
}

}  // namespace structured::gen

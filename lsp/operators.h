// Operators as the sources have them, whether or not they are without errors, and where they are written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "documents.h"
#include "model/operator_index.h"
#include "workspace.h"

namespace structured::lsp {

/// All that belongs to one operator. Points into the library's index.
struct OperatorView {
  std::vector<std::string> variants;             ///< names without the library's namespace, functional first
  const gen::OperatorRef* definition = nullptr;  ///< `meta` or `pointwise`; null for an operator of kernels alone
  std::vector<const gen::OperatorRef*> impls;
  std::vector<const gen::OperatorRef*> kernels;
  std::vector<const gen::OperatorRef*> backwards;

  /// The definition, or the first kernel.
  const gen::OperatorRef& main() const { return definition ? *definition : *kernels.front(); }
  /// Impls and kernels, in this order.
  std::vector<const gen::OperatorRef*> computations() const;
  /// The backends of these, sorted.
  std::vector<std::string> backends() const;
  bool is_structured() const { return definition && definition->role() == gen::Role::meta; }
};

/// The library's operators, those of its imports among them that it has kernels for.
std::vector<OperatorView> operators_of(const KnownLibrary& library);

/// What is at a place in a file.
struct Target {
  const gen::Declaration* declaration = nullptr;
  const gen::Attribute* attribute = nullptr;  ///< at the place; null for the function's name
  std::optional<OperatorView> op;             ///< that the function, or the attribute, is part of
  gen::SourceRange range;                     ///< of the attribute or the name; its file as the library has it
};

/// Nothing where there is neither an attribute nor an annotated function's name.
std::optional<Target> target_at(const KnownLibrary& library, const std::string& path, const gen::Position& position);

/// `impl for relu on CPU, CUDA`
std::string describe(const gen::OperatorRef& ref);

}  // namespace structured::lsp

// Operators and their functions as written in the sources, including those with errors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "documents.h"
#include "model/operator_index.h"
#include "workspace.h"

namespace structured::lsp {

/// Functions of one operator; points into the index of the library.
struct OperatorView {
  std::vector<std::string> variants;             ///< names without namespace, functional first
  const gen::OperatorRef* definition = nullptr;  ///< `meta` or `pointwise`; null if the operator has kernels only
  std::vector<const gen::OperatorRef*> impls;
  std::vector<const gen::OperatorRef*> kernels;
  std::vector<const gen::OperatorRef*> backwards;

  /// Returns the definition, or the first kernel.
  const gen::OperatorRef& main() const { return definition ? *definition : *kernels.front(); }
  /// Returns the impls, then the kernels.
  std::vector<const gen::OperatorRef*> computations() const;
  /// Returns the sorted backends of impls and kernels.
  std::vector<std::string> backends() const;
  bool is_structured() const { return definition && definition->role() == gen::Role::meta; }
};

/// Returns the operators of the library, including imported ones for which it has kernels.
std::vector<OperatorView> operators_of(const KnownLibrary& library);

/// An annotated function, or an attribute of one, at a position.
struct FunctionAtPosition {
  const gen::Declaration* declaration = nullptr;
  const gen::Attribute* attribute = nullptr;  ///< null if the position is in the name of the function
  std::optional<OperatorView> op;             ///< operator to which the function or attribute belongs
  gen::SourceRange range;                     ///< range of the attribute or name, with the path that the library uses
};

/// Returns nullopt unless the position is in an attribute or in the name of an annotated function.
std::optional<FunctionAtPosition> target_at(const KnownLibrary& library, const std::string& path,
                                            const gen::Position& position);

/// Returns a description such as `impl for relu on CPU, CUDA`.
std::string describe(const gen::OperatorRef& ref);

}  // namespace structured::lsp

// The parts of `lower`, in the order in which they run. Each file adds what its name says to one library.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "lower/gradient_operators.h"
#include "lower/lowered_library.h"
#include "lower/names.h"

namespace structured::gen {

/// A library that is being lowered.
struct Lowering {
  /// The arguments must outlive this object.
  Lowering(const Library& the_library, const CppTypes& the_types, const LowerOptions& the_options);

  const Library& library;
  const CppTypes& cpp_types;
  const LowerOptions& options;
  const Flavour& flavour;
  const WrapperTraits traits;
  LoweredLibrary lowered;
  NameTable names;
  std::map<const Operator*, GradientOperator> gradients;

  /// Whether the library has kernels of this backend.
  bool has_backend(llvm::StringRef name) const;
  /// Returns `aten::add.Tensor` for `add.Tensor`.
  std::string full_name(const OperatorName& name) const;
  /// Returns null for an operator of the author.
  const GradientOperator* find_gradient(const Operator& op) const;
};

/// Returns an error about the operator: "operator `acme::add` " and the problem.
llvm::Error error_for(const LoweredVariant& variant, const llvm::Twine& problem);

/// variants.cpp: adds the variants of own and imported operators and of gradient operators, sorted, with their names
/// and scalar functions.
llvm::Error add_variants(Lowering& lowering);
/// entries.cpp: adds a wrapper for each kernel of each variant.
llvm::Error add_wrappers(Lowering& lowering);
/// out_variants.cpp: names the wrappers of variants that are served by the out= variant.
void name_wrappers_via_out(Lowering& lowering);
/// out_variants.cpp: finds the operators by which derived variants are computed.
llvm::Error find_bases(Lowering& lowering);
/// recordings.cpp: decides how calls are recorded, and adds the nodes.
llvm::Error add_recordings(Lowering& lowering);
/// gradient_functions.cpp: makes operators of the author's functions that compute gradients, for targets without nodes.
llvm::Error add_gradient_functions(Lowering& lowering);
/// symbolic_functions.cpp: adds the meta functions that can be computed on symbolic sizes.
void add_symbolic_functions(Lowering& lowering);
/// decompositions.cpp: finds the operators that compilers see into.
void add_decompositions(Lowering& lowering);

}  // namespace structured::gen

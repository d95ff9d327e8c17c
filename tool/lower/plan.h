// What is to be emitted, and where: every operator's table, every wrapper and all the names that emission invents.
// Emitters write down what stands here and decide nothing.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "lower/calling_convention.h"
#include "model/operator.h"
#include "target/target.h"

namespace structured::gen {

/// A function that the dispatcher calls: one variant on one backend.
struct PlannedWrapper {
  std::size_t variant = 0;  ///< in Plan::variants
  /// Of the author. Null if the variant comes from meta and impl.
  const Kernel* kernel = nullptr;
  /// Nothing for a composite, which serves every backend.
  std::optional<CppBackend> backend;
  /// What the dispatcher calls: `wrapper_cpu_add_Tensor`, or the author's `::acme::kernels::view`.
  std::string name;
  /// Whether that is the author's kernel, and no wrapper is emitted: there is nothing to do around it, and its types
  /// are the dispatcher's.
  bool is_kernel_itself = false;
  const Kernel* impl = nullptr;  ///< null on the Meta backend, where meta is all there is
  /// Whether the kernel writes arguments whose versions the wrapper bumps.
  bool bumps_versions = false;
};

/// An operator of the dispatcher.
struct PlannedVariant {
  const Operator* op = nullptr;
  const Variant* variant = nullptr;
  const ImportedOperator* imported = nullptr;  ///< null for an operator of the library itself
  CppSignature dispatched;                     ///< as the dispatcher calls it
  std::string schema;                          ///< its text, as its own library has it
  std::string full_name;                       ///< `aten::add.Tensor`
  std::string signature;                       ///< name of its kernels' function type: `signature_add_Tensor`
  std::string table;                           ///< name of the global: `op_add_Tensor`
  std::string boxed;                           ///< name of its boxed call: `boxed_add_Tensor`
  std::string slow_path;                       ///< name of its way through layers: `slow_path_add_Tensor`
  /// Of a structured operator: the function that gives its meta function to other libraries, or, if it is imported, the
  /// global that stands for the meta function here. `meta_add_Tensor`
  std::string meta;
  /// Of a structured operator with an out= variant: the constant that lists its variants, `variants_add_Tensor`, and
  /// the place of that variant in Plan::variants.
  std::string variants;
  std::size_t out_variant = 0;
  /// For its other variants: the wrapper for backends that have a kernel for out= only, `wrapper_common_add_Tensor`.
  std::string common;
  // Of the public API, which an imported operator has in its own library only.
  std::string function;               ///< unqualified: `add_out`
  std::string cpp_namespace;          ///< `structured`, or below it for a foreign schema namespace
  std::string header;                 ///< `structured/ops/add.h`
  std::vector<std::size_t> wrappers;  ///< in Plan::wrappers, by backend, the composite one last
};

/// What belongs to one kernel source. Indices into the plan.
struct PlannedSource {
  std::vector<std::size_t> wrappers;
  std::vector<std::size_t> variants;  ///< whose tables stand there
};

struct Plan {
  const Library* library = nullptr;
  /// Operators that are a scalar function, with the functions that are emitted for them.
  std::deque<Operator> lowered;
  const CppTypes* cpp_types = nullptr;
  std::string hidden_namespace;  ///< `structured::emitted`
  std::string include_prefix;    ///< `structured`
  std::string export_macro;      ///< `STRUCTURED_OPS_API`
  /// Sorted by full name, those that are imported last; of these, only variants with wrappers.
  std::vector<PlannedVariant> variants;
  std::size_t own_count = 0;  ///< of the variants that are the library's own
  std::vector<PlannedWrapper> wrappers;
  std::map<std::string, PlannedSource> sources;

  /// Whether the checks of a wrapper can be done once for many runs: it writes to out= arguments, by meta and impl, and
  /// belongs to an operator of this library.
  bool is_preparable(const PlannedWrapper& wrapper) const {
    const PlannedVariant& planned = variant_of(wrapper);
    return wrapper.kernel == nullptr && wrapper.impl != nullptr && planned.imported == nullptr &&
           planned.variant->kind == Variant::Kind::out;
  }
  const PlannedVariant& variant_of(const PlannedWrapper& wrapper) const { return variants[wrapper.variant]; }
  /// The kernel source that the wrapper belongs to.
  const std::string& source_of(const PlannedWrapper& wrapper) const;
  llvm::ArrayRef<PlannedVariant> own_variants() const { return llvm::ArrayRef(variants).take_front(own_count); }
  llvm::ArrayRef<PlannedVariant> imported_variants() const { return llvm::ArrayRef(variants).drop_front(own_count); }
};

/// `a/b` of `a::b`: where the library's headers are below the include directory.
std::string joined_scopes(llvm::StringRef cpp_namespace, llvm::StringRef separator);

/// Errors name the operator: one whose kernels name an unknown backend, or whose scalar function (`pointwise`) takes
/// more than loops can. The plan refers to `library` and `cpp_types`, which must outlive it. `sources` get a place
/// each, whether or not they have operators.
llvm::Expected<Plan> make_plan(const Library& library, const CppTypes& cpp_types,
                               const std::vector<std::string>& sources);

}  // namespace structured::gen

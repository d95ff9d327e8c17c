// A library's operators in the form that a printer emits: tables, wrappers and their steps, shared bodies, and all
// emitted names.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "dialect/flavour.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "lower/calling_convention.h"
#include "lower/decomposition.h"
#include "lower/function.h"
#include "lower/nodes.h"
#include "lower/parameters.h"
#include "lower/pointwise.h"
#include "lower/recording_steps.h"
#include "model/operator.h"
#include "model/sharding_rule.h"

namespace structured::gen {

/// One variant on one backend.
struct LoweredWrapper {
  std::size_t variant = 0;  ///< in LoweredLibrary::variants
  /// The kernel that the author wrote for this variant. Null if the variant comes from meta and impl.
  const Kernel* kernel = nullptr;
  /// nullopt for a composite kernel, which serves every backend.
  std::optional<CppBackend> backend;
  /// The function that the dispatcher calls.
  enum class Entry {
    wrapper,  ///< the emitted function `name`
    kernel,   ///< the author's function `name`
    derived,  ///< the runtime's function for variants that are computed by another one, LoweredVariant::base
  };
  Entry entry = Entry::wrapper;
  std::string name;              ///< `wrapper_cpu_add_Tensor`, or qualified: `::acme::kernels::view`
  CppSignature signature;        ///< type of that function, with the author's types where the dispatcher accepts them
  const Kernel* impl = nullptr;  ///< null on the Meta backend, which runs only meta
  bool bumps_versions = false;   ///< whether the kernel has mutable arguments whose versions the wrapper bumps
  /// At most one for each WrapperPart, in that order.
  std::vector<LoweredFunction> functions;

  /// Whether the wrapper, for Meta, calls the meta function and no kernel.
  bool runs_only_meta() const { return kernel == nullptr && impl == nullptr; }
  /// Whether the author's kernel serves all backends and is differentiable, since it calls differentiable operators.
  bool is_implicit_composite() const;

  /// Null if the wrapper has no such part.
  const LoweredFunction* find(WrapperPart part) const {
    for (const LoweredFunction& function : functions) {
      if (function.body.part == part) {
        return &function;
      }
    }
    return nullptr;
  }
};

/// An operator of the dispatcher.
struct LoweredVariant {
  const Operator* op = nullptr;
  const Variant* derived = nullptr;
  const ImportedOperator* imported = nullptr;  ///< null for an operator of the library itself
  CppSignature dispatched;                     ///< as the dispatcher calls it
  CppSignature called;                         ///< the same, with symbolic integers where some kernel takes them
  std::string schema;                          ///< schema text in the library that defines it
  std::string full_name;                       ///< `aten::add.Tensor`
  std::string schema_namespace;                ///< `aten`
  std::string functional;                      ///< full name of the functional variant, in another variant; or empty
  std::vector<std::string> tags;               ///< those of the author, and of the form of the operator
  std::string autocast;                        ///< rule of torch.autocast, in a functional variant; or empty
  bool takes_spread_tensors = false;           ///< whether PyTorch asks how processes share its work
  std::optional<ShardingRule> sharding;        ///< that of the author, or of a pointwise operator
  std::string signature;                       ///< name of its kernels' function type: `signature_add_Tensor`
  /// Name of the global with the dispatch table, `op_add_Tensor`, or of the function with the switch over backends,
  /// `dispatch_add_Tensor`. Both are called with the dispatcher's arguments.
  std::string table;
  std::string boxed;      ///< name of its boxed call: `boxed_add_Tensor`; empty if it cannot be called by name
  std::string slow_path;  ///< name of the function that calls it through layers: `slow_path_add_Tensor`; empty: none
  std::size_t parameters = 0;  ///< in LoweredLibrary::parameter_lists, in a library without schema text
  /// The function that returns a structured operator's MetaFunction, or the global that stands for the meta function of
  /// an imported one: `meta_add_Tensor`.
  std::string meta;
  /// For a structured operator with an out= variant: the constant that lists its variants (`variants_add_Tensor`), and
  /// the index of the out= variant in LoweredLibrary::variants.
  std::string variants;
  std::size_t out_variant = 0;
  /// For its other variants: the wrapper for backends that implement only out=, `wrapper_via_out_add_Tensor`, and the
  /// enumerators of backends whose only kernel is the author's for out=.
  std::string via_out;
  std::vector<std::string> backends_via_out;
  /// For a variant that `variants` names: the index of the one by which it is computed.
  std::optional<std::size_t> base;
  /// For calls with tensors that require gradients.
  enum class Autograd {
    generic,    ///< Layer::Autograd handles the call
    records,    ///< the function `recording` records a node of class nodes[node]
    composite,  ///< the composite kernel, whose calls are recorded
    none        ///< results require no gradients
  };
  Autograd autograd = Autograd::generic;
  /// Layers above the kernels, for a dispatcher without own tables. Empty for our runtime, for flavours without layers,
  /// and if the kernel of a composite serves them, too.
  enum class Layer {
    records,             ///< records a node of class nodes[node]
    records_inplace,     ///< records the call of the functional variant
    never_records,       ///< results require no gradients
    without_derivative,  ///< backward passes throw
    batches,             ///< calls the operator for each element of a batch
    functionalizes,      ///< calls the functional variant and copies its results
  };
  std::vector<Layer> layers;
  /// With layers in Python, for an operator with derivatives: the operator with its kernels and no layers, which the
  /// package calls where nothing is recorded, and its base name: `my::_unrecorded_crop`. Otherwise empty.
  std::string unrecorded;
  std::string unrecorded_base;
  std::string recording;                        ///< `record_add_Tensor`
  std::size_t node = 0;                         ///< in LoweredLibrary::nodes
  std::vector<RecordingStep> recording_steps;   ///< for our autograd; libtorch's has a template
  std::optional<PointwiseFunctions> pointwise;  ///< set in the functional variant of a scalar function
  /// For an operator that compilers see into: the operator that has its kernels and layers, `my::_opaque_relu`, with
  /// its name without namespace and overload, and in the functional variant what it computes. Otherwise empty.
  std::string opaque;
  std::string opaque_base;
  std::optional<Decomposition> decomposition;
  /// Full name of the operator that computes symbolic sizes of its results, or of the operator itself if there is a
  /// function for fake tensors; empty if there is neither.
  std::string symbolic;
  /// Full name of the operator with the kernels.
  const std::string& kernels_name() const { return opaque.empty() ? full_name : opaque; }
  // The public API; imported operators have theirs in the library that defines them.
  std::string function;               ///< unqualified: `add_out`
  std::string cpp_namespace;          ///< `structured`, or a namespace in it for another schema namespace
  std::string header;                 ///< `structured/ops/add.h`
  std::vector<std::size_t> wrappers;  ///< in LoweredLibrary::wrappers, by backend, the composite one last
};

/// Parameters of one or more operators as constant data.
struct LoweredParameterList {
  std::string name;  ///< name of the constant: `parameters_add_Tensor`
  std::vector<LoweredParameter> parameters;
};

/// How the meta functions that can be computed on symbolic sizes are called.
enum class Symbols {
  none,
  operators,  ///< by an operator of its own for each, which kernels for Meta call if sizes are symbols
  fakes,      ///< as functions for fake tensors, in place of kernels for Meta
};

/// A meta function in terms of symbolic sizes, which a target prints in another language than C++.
struct SymbolicFunction {
  const ShapeProgram* program = nullptr;          ///< null for an operator that one scalar function defines
  const PointwiseFunctions* pointwise = nullptr;  ///< that of such an operator
  bool is_kernel = false;  ///< whether it returns its results, and has no base that receives them
  /// The operator of its own: `my::_symbolic_crop` and `_symbolic_crop(Tensor self, Tensor?[] outputs) -> Tensor[]`.
  std::string name;
  std::string schema;
  /// Without one, the variants for whose fake tensors it is called, by full name.
  std::vector<std::pair<std::string, Variant::Kind>> fakes;
};

/// A body that several wrappers share, emitted as a function that takes the callees as arguments.
struct SharedBody {
  std::string name;  ///< from the body's types; see body_name
  Body body;
  std::size_t variant = 0;        ///< one of the variants that use it
  std::set<std::string> sources;  ///< sources of its wrappers

  /// Whether it is defined in a separate source.
  bool is_for_many() const { return sources.size() > 1; }
};

/// Contents of the sources emitted for one kernel source, as indices into the library.
struct LoweredSource {
  std::vector<std::size_t> wrappers;
  std::vector<std::size_t> variants;       ///< variants whose tables are defined there
  std::vector<std::size_t> shared_bodies;  ///< shared bodies that its wrappers call
  std::vector<std::size_t> nodes;          ///< nodes whose first derivative is there
  std::vector<std::size_t> recordings;     ///< variants whose calls these nodes record
};

struct LoweredLibrary {
  const Library* library = nullptr;
  /// Pointwise operators, as structured operators.
  std::deque<Operator> pointwise_operators;
  const CppTypes* cpp_types = nullptr;
  const Flavour* flavour = &dynamic_flavour();
  bool has_python_layers = false;  ///< see LowerOptions
  bool is_checked = false;         ///< whether dispatch tables hold kernels that check their calls
  std::string hidden_namespace;    ///< `structured::emitted`
  std::string include_prefix;      ///< `structured`
  std::string export_macro;        ///< `STRUCTURED_OPS_API`
  /// Own variants sorted by full name, then the imported ones that have wrappers.
  std::vector<LoweredVariant> variants;
  std::size_t own_count = 0;  ///< number of own variants
  std::vector<LoweredWrapper> wrappers;
  std::vector<SharedBody> shared_bodies;              ///< sorted by name
  std::vector<LoweredNode> nodes;                     ///< one for each operator with derivatives
  std::vector<LoweredParameterList> parameter_lists;  ///< in a library without schema text
  std::vector<SymbolicFunction> symbolic_functions;   ///< for a target that prints them
  std::map<std::string, LoweredSource> sources;

  /// Whether the wrapper's checks can run once for many calls: an out= variant with meta and impl, of this library.
  bool is_preparable(const LoweredWrapper& wrapper) const {
    const LoweredVariant& variant = variant_of(wrapper);
    return wrapper.kernel == nullptr && wrapper.impl != nullptr && variant.imported == nullptr &&
           variant.derived->kind == Variant::Kind::out;
  }
  /// Whether calls of the wrapper are checked. On Meta there is no memory to check.
  bool checks(const LoweredWrapper& wrapper) const {
    return is_checked && (!wrapper.backend || wrapper.backend->has_memory);
  }
  const LoweredVariant& variant_of(const LoweredWrapper& wrapper) const { return variants[wrapper.variant]; }
  /// Returns the kernel source to which the wrapper belongs.
  const std::string& source_of(const LoweredWrapper& wrapper) const;
  /// Returns the shared body of that name.
  const SharedBody& shared_body(llvm::StringRef name) const;
  llvm::ArrayRef<LoweredVariant> own_variants() const { return llvm::ArrayRef(variants).take_front(own_count); }
  llvm::ArrayRef<LoweredVariant> imported_variants() const { return llvm::ArrayRef(variants).drop_front(own_count); }
};

/// Replaces `::`: `a/b` for `a::b`, the path of the library's headers below the include directory.
std::string joined_scopes(llvm::StringRef cpp_namespace, llvm::StringRef separator);

struct LowerOptions {
  /// Kernel sources of the library. Each has an entry in LoweredLibrary::sources, with or without operators.
  std::vector<std::string> sources;
  /// Whether wrappers with equal bodies share one.
  bool shares_bodies = true;
  bool is_checked = false;  ///< see LoweredLibrary
  const Flavour* flavour = &dynamic_flavour();
  std::vector<std::string> backends = {};  ///< backends of the library; empty: all
  /// Full names of the operators that can be called by name; nullopt: all.
  std::optional<std::set<std::string>> selected = std::nullopt;
  StepSet steps = StepSet::all();  ///< steps that the target can print
  bool decomposes = false;         ///< whether the target prints decompositions
  /// Whether the Python package has the layers above the kernels: functions that compute gradients are operators, which
  /// it calls, and decompositions do not replace operators.
  bool has_python_layers = false;
  Symbols symbols = Symbols::none;
  /// Arguments of derivatives that the target can print; nullopt: all.
  std::optional<std::set<GradientArgument::Kind>> gradient_arguments = std::nullopt;
  std::string target = {};  ///< named in errors about steps and arguments
};

/// Lowers a library. The result refers to `library` and `cpp_types`, which must outlive it. Fails for an operator with
/// a kernel for an unknown backend, with a scalar function for a dtype without elementwise loops, or with a wrapper
/// or a derivative that needs another step or argument than the target can print.
llvm::Expected<LoweredLibrary> lower(const Library& library, const CppTypes& cpp_types, const LowerOptions& options);

}  // namespace structured::gen

#pragma once
// Dispatch layers: handlers that wrap calls before they reach the kernel of a backend, and the set of layers that is
// active on a thread.
//
// A new layer is one line of schema/layers.def: the enumerator, its name, its slot in every operator's layer
// table (OperatorBase::layer_kernel) and its fallback slot (fallback.h) follow from it. An active layer handles a call
// with the kernel that Operator::register_layer_kernel registered for the operator, else with the boxed fallback that
// register_fallback(Layer, ...) registered for all operators, else not at all; see slow_path.h.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "structured/base/export.h"

namespace structured {

/// In ascending priority.
enum class Layer : uint8_t {
#define STRUCTURED_LAYER(name) name,
#include "structured/schema/layers.def"
  count
};

constexpr std::size_t layer_count = static_cast<std::size_t>(Layer::count);
static_assert(layer_count <= 31, "LayerSet has one bit for each layer and one for below_autograd()");

/// Name of a layer: `Autograd`, `Private1`, ...
STRUCTURED_API std::string_view to_string(Layer layer);

namespace detail {

[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_unknown_layer(Layer layer);

}  // namespace detail

/// Set of layers in one word.
class LayerSet {
 public:
  constexpr LayerSet() = default;
  /// Throws Error for Layer::count.
  constexpr LayerSet(Layer layer) {
    if (layer >= Layer::count) [[unlikely]] {
      detail::throw_unknown_layer(layer);
    }
    bits_ = uint32_t{1} << static_cast<unsigned>(layer);
  }

  /// All layers of lower priority, which handle a call after `layer`.
  static constexpr LayerSet below(Layer layer) { return from_bits(LayerSet(layer).bits_ - 1); }

  /// Layers that handle a call after Autograd: none, and the call goes to a backend even if a tensor requires
  /// gradients.
  static constexpr LayerSet below_autograd() { return from_bits(kBelowAutograd); }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has(Layer layer) const { return (bits_ & LayerSet(layer).bits_) != 0; }
  /// Precondition: the set is not empty.
  constexpr Layer highest() const { return static_cast<Layer>(31 - __builtin_clz(bits_)); }
  /// The layers alone, without below_autograd().
  constexpr LayerSet layers() const { return from_bits(bits_ & ~kBelowAutograd); }
  constexpr bool is_below_autograd() const { return (bits_ & kBelowAutograd) != 0; }

  friend constexpr LayerSet operator|(LayerSet a, LayerSet b) { return from_bits(a.bits_ | b.bits_); }
  friend constexpr LayerSet operator&(LayerSet a, LayerSet b) { return from_bits(a.bits_ & b.bits_); }
  friend constexpr LayerSet operator-(LayerSet a, LayerSet b) { return from_bits(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(LayerSet, LayerSet) = default;

 private:
  static constexpr LayerSet from_bits(uint32_t bits) {
    LayerSet result;
    result.bits_ = bits;
    return result;
  }

  static constexpr uint32_t kBelowAutograd = uint32_t{1} << 31;

  uint32_t bits_ = 0;
};

constexpr LayerSet operator|(Layer a, Layer b) { return LayerSet(a) | LayerSet(b); }

namespace detail {

struct ThreadLayers {
  LayerSet active;  // included without excluded; the only member that calls read
  LayerSet included;
  LayerSet excluded;
};

extern STRUCTURED_API STRUCTURED_THREAD_LOCAL ThreadLayers thread_layers;

}  // namespace detail

/// Layers that are active on this thread.
inline LayerSet active_layers() { return detail::thread_layers.active; }

/// Makes `layers` active on this thread until the end of the scope, unless a guard excludes them. Guards nest.
class STRUCTURED_API IncludeLayers {
 public:
  explicit IncludeLayers(LayerSet layers);
  IncludeLayers(const IncludeLayers&) = delete;
  IncludeLayers& operator=(const IncludeLayers&) = delete;
  ~IncludeLayers();

 private:
  LayerSet added_;
};

/// Excludes `layers` on this thread until the end of the scope, even if a guard includes them. Guards nest.
class STRUCTURED_API ExcludeLayers {
 public:
  explicit ExcludeLayers(LayerSet layers);
  ExcludeLayers(const ExcludeLayers&) = delete;
  ExcludeLayers& operator=(const ExcludeLayers&) = delete;
  ~ExcludeLayers();

 private:
  LayerSet added_;
};

}  // namespace structured

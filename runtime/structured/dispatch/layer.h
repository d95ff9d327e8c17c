#pragma once
// Layers: what wraps calls before they reach a backend, and which of them are active on a thread.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "structured/core/export.h"

namespace structured {

/// The order is a priority: among the active layers, the highest sees a call first.
enum class Layer : std::uint8_t { Autograd, Functionalization, Private1, Private2, Private3, Tracer, Profiler, count };

constexpr std::size_t layer_count = static_cast<std::size_t>(Layer::count);

/// `Autograd`, `Private1`, ...
STRUCTURED_API std::string_view to_string(Layer layer);

namespace detail {

[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_unknown_layer(Layer layer);

}  // namespace detail

/// A set of layers, in one word.
class LayerSet {
 public:
  constexpr LayerSet() = default;
  /// Throws Error for Layer::count.
  constexpr LayerSet(Layer layer) {
    if (layer >= Layer::count) [[unlikely]] {
      detail::throw_unknown_layer(layer);
    }
    bits_ = std::uint32_t{1} << static_cast<unsigned>(layer);
  }

  /// All layers that see a call after `layer`.
  static constexpr LayerSet below(Layer layer) { return from_bits(LayerSet(layer).bits_ - 1); }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has(Layer layer) const { return (bits_ & LayerSet(layer).bits_) != 0; }
  /// Not of an empty set.
  constexpr Layer highest() const { return static_cast<Layer>(31 - __builtin_clz(bits_)); }

  friend constexpr LayerSet operator|(LayerSet a, LayerSet b) { return from_bits(a.bits_ | b.bits_); }
  friend constexpr LayerSet operator&(LayerSet a, LayerSet b) { return from_bits(a.bits_ & b.bits_); }
  friend constexpr LayerSet operator-(LayerSet a, LayerSet b) { return from_bits(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(LayerSet, LayerSet) = default;

 private:
  static constexpr LayerSet from_bits(std::uint32_t bits) {
    LayerSet result;
    result.bits_ = bits;
    return result;
  }

  std::uint32_t bits_ = 0;
};

constexpr LayerSet operator|(Layer a, Layer b) { return LayerSet(a) | LayerSet(b); }

namespace detail {

struct ThreadLayers {
  LayerSet active;  // those included without those excluded: all that a call looks at
  LayerSet included;
  LayerSet excluded;
};

// initial-exec: found without a call, also from other libraries.
extern STRUCTURED_API constinit thread_local ThreadLayers thread_layers __attribute__((tls_model("initial-exec")));

}  // namespace detail

/// The layers that see the calls of this thread.
inline LayerSet active_layers() { return detail::thread_layers.active; }

/// Until the end of the scope, `layers` are active on this thread, unless a guard excludes them. Guards nest.
class STRUCTURED_API IncludeLayers {
 public:
  explicit IncludeLayers(LayerSet layers);
  IncludeLayers(const IncludeLayers&) = delete;
  IncludeLayers& operator=(const IncludeLayers&) = delete;
  ~IncludeLayers();

 private:
  LayerSet added_;
};

/// Until the end of the scope, `layers` see no call of this thread, whoever includes them. Guards nest.
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

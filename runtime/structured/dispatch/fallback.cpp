#include "structured/dispatch/fallback.h"

#include <array>
#include <atomic>
#include <mutex>

#include "structured/base/error.h"
#include "structured/dispatch/slow_path.h"
#include "structured/dispatch/source_location.h"

namespace structured {
namespace {

using detail::SourceLocation;

// Read by calls without a lock. The source locations are guarded by the mutex.
constinit std::mutex fallback_mutex;
constinit std::atomic<BoxedKernel> layer_fallbacks[layer_count] = {};
constinit std::atomic<BoxedKernel> default_layer_fallbacks[layer_count] = {};
constinit std::atomic<BoxedKernel> backend_fallbacks[backend_count] = {};

// Never destroyed, so that a library can deregister its fallback while the process ends.
struct FallbackLocations {
  std::array<SourceLocation, layer_count> layers;
  std::array<SourceLocation, backend_count> backends;
};
FallbackLocations& locations() {
  static FallbackLocations& result = *new FallbackLocations;
  return result;
}

// `what` is the layer or backend, for messages: "layer `Tracer`".
void enter(std::atomic<BoxedKernel>& slot, SourceLocation& location, const std::string& what, BoxedKernel kernel,
           SourceLocation wanted) {
  STRUCTURED_CHECK(kernel != nullptr, "fallback registered for ", what, " at ", text_of(wanted), " is null");
  STRUCTURED_CHECK(slot.load(std::memory_order_relaxed) == nullptr, "fallback registered for ", what, " at ",
                   text_of(wanted), ", but it already has one: registered at ", text_of(location));
  location = std::move(wanted);
  slot.store(kernel, std::memory_order_release);
}

void leave(std::atomic<BoxedKernel>& slot, const std::string& what) {
  STRUCTURED_CHECK(slot.exchange(nullptr) != nullptr, "no fallback was registered for ", what);
}

template <class T>
std::size_t index_of(T value) {
  STRUCTURED_CHECK(value < T::count, "expected a ", std::is_same_v<T, Layer> ? "layer" : "backend", ", got the number ",
                   static_cast<int>(value));
  return static_cast<std::size_t>(value);
}

std::string described(Layer layer) { return "layer `" + std::string(to_string(layer)) + "`"; }
std::string described(Backend backend) { return "backend `" + std::string(to_string(backend)) + "`"; }

}  // namespace

void register_fallback(Layer layer, BoxedKernel kernel, const char* file, int line) {
  const std::size_t index = index_of(layer);
  const std::lock_guard lock(fallback_mutex);
  enter(layer_fallbacks[index], locations().layers[index], described(layer), kernel, {file, line});
}

void register_fallback(Backend backend, BoxedKernel kernel, const char* file, int line) {
  const std::size_t index = index_of(backend);
  const std::lock_guard lock(fallback_mutex);
  enter(backend_fallbacks[index], locations().backends[index], described(backend), kernel, {file, line});
}

void deregister_fallback(Layer layer) {
  const std::size_t index = index_of(layer);
  const std::lock_guard lock(fallback_mutex);
  leave(layer_fallbacks[index], described(layer));
}

void deregister_fallback(Backend backend) {
  const std::size_t index = index_of(backend);
  const std::lock_guard lock(fallback_mutex);
  leave(backend_fallbacks[index], described(backend));
}

std::string BoxedCall::intercepted_by() const { return layer_ ? described(*layer_) : described(rest_.backend); }

namespace detail {

void set_default_fallback(Layer layer, BoxedKernel kernel) {
  default_layer_fallbacks[index_of(layer)].store(kernel, std::memory_order_release);
}

std::string backend_fallback_location(Backend backend) {
  const std::size_t index = index_of(backend);
  const std::lock_guard lock(fallback_mutex);
  return backend_fallbacks[index].load(std::memory_order_relaxed) == nullptr ? ""
                                                                             : text_of(locations().backends[index]);
}

bool has_fallback(Backend backend) {
  return backend < Backend::count && backend_fallbacks[static_cast<std::size_t>(backend)].load() != nullptr;
}

CallHandler next_handler(const OperatorBase& op, DispatchState state) {
  bool is_below_autograd = state.layers.is_below_autograd();
  for (LayerSet layers = state.layers.layers(); !layers.empty();) {
    const Layer layer = layers.highest();
    layers = layers & LayerSet::below(layer);
    is_below_autograd |= layer == Layer::Autograd;
    const AnyKernel kernel = op.layer_kernel(layer);
    if (kernel == &fall_through) {
      continue;
    }
    const auto index = static_cast<std::size_t>(layer);
    BoxedKernel fallback = layer_fallbacks[index].load(std::memory_order_acquire);
    if (fallback == nullptr) fallback = default_layer_fallbacks[index].load(std::memory_order_acquire);
    if (kernel != nullptr || fallback != nullptr) {
      return {layer, {is_below_autograd ? LayerSet::below_autograd() : layers, Backend::count}, kernel, fallback};
    }
  }
  if (state.backend == Backend::count) {
    return {{}, {is_below_autograd ? LayerSet::below_autograd() : LayerSet(), Backend::count}, nullptr, nullptr};
  }
  return {{},
          {{}, state.backend},
          nullptr,
          backend_fallbacks[static_cast<std::size_t>(state.backend)].load(std::memory_order_acquire)};
}

void throw_wrong_results(const BoxedCall& call, std::size_t expected, std::size_t found) {
  fail("`", call.op().name(), "`: expected ", expected, expected == 1 ? " result" : " results", " from ",
       call.intercepted_by(), ", got ", found);
}

void throw_wrong_result(const BoxedCall& call, std::size_t position, const std::string& expected, const Value& found) {
  fail("`", call.op().name(), "`: result ", position + 1, " from ", call.intercepted_by(), ": expected `", expected,
       "`, got `", to_string(found.kind()), "`");
}

}  // namespace detail
}  // namespace structured

#include "structured/dispatch/layer.h"

#include "structured/base/error.h"

namespace structured {
namespace {

// Adds the layers that are not in `set` yet and returns them: a guard removes exactly these.
LayerSet add(LayerSet& set, LayerSet layers) {
  const LayerSet added = layers - set;
  set = set | added;
  return added;
}

void recompute_active() {
  detail::ThreadLayers& layers = detail::thread_layers;
  layers.active = layers.included - layers.excluded;
}

}  // namespace

STRUCTURED_THREAD_LOCAL detail::ThreadLayers detail::thread_layers;

std::string_view to_string(Layer layer) {
  static constexpr std::string_view names[] = {
#define STRUCTURED_LAYER(name) #name,
#include "structured/schema/layers.def"
  };
  return layer < Layer::count ? names[static_cast<std::size_t>(layer)] : "unknown layer";
}

void detail::throw_unknown_layer(Layer layer) { fail("expected a layer, got the number ", static_cast<int>(layer)); }

IncludeLayers::IncludeLayers(LayerSet layers) : added_(add(detail::thread_layers.included, layers)) {
  recompute_active();
}

IncludeLayers::~IncludeLayers() {
  detail::thread_layers.included = detail::thread_layers.included - added_;
  recompute_active();
}

ExcludeLayers::ExcludeLayers(LayerSet layers) : added_(add(detail::thread_layers.excluded, layers)) {
  recompute_active();
}

ExcludeLayers::~ExcludeLayers() {
  detail::thread_layers.excluded = detail::thread_layers.excluded - added_;
  recompute_active();
}

}  // namespace structured

#include "structured/dispatch/operator.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "structured/base/error.h"
#include "structured/dispatch/loaded_image.h"
#include "structured/dispatch/source_location.h"

namespace structured {
namespace {

using detail::SourceLocation;

using Locations = std::map<std::pair<const OperatorBase*, Backend>, SourceLocation>;
using LayerLocations = std::map<std::pair<const OperatorBase*, Layer>, SourceLocation>;

// One mutex for all operators: registration is rare, and calls take no lock.
constinit std::mutex table_mutex;

// Never destroyed, so that a library can deregister its kernels while the process ends.
Locations& registration_locations() {
  static Locations& locations = *new Locations;
  return locations;
}

LayerLocations& layer_locations() {
  static LayerLocations& locations = *new LayerLocations;
  return locations;
}

std::size_t index_of(Layer layer) {
  STRUCTURED_CHECK(layer < Layer::count, "expected a layer, got the number ", static_cast<int>(layer));
  return static_cast<std::size_t>(layer);
}

std::size_t index_of(Backend backend) {
  STRUCTURED_CHECK(backend < Backend::count, "expected a backend, got the number ", static_cast<int>(backend));
  return static_cast<std::size_t>(backend);
}

// Whether no kernel was registered or emitted for the slot.
bool is_default(KernelOrigin origin) {
  return origin == KernelOrigin::none || origin == KernelOrigin::composite || origin == KernelOrigin::common;
}

std::string reason(const OperatorBase& op, Backend backend, KernelOrigin origin) {
  switch (origin) {
    case KernelOrigin::none: {
      const std::string fallback = detail::backend_fallback_location(backend);
      return fallback.empty() ? "none" : "the backend's fallback, registered at " + fallback;
    }
    case KernelOrigin::composite:
      return "composite";
    case KernelOrigin::emitted:
      return "emitted";
    case KernelOrigin::common:
    case KernelOrigin::registered:
    case KernelOrigin::fallthrough:
      break;
  }
  if (origin == KernelOrigin::common) {
    return "common: calls the out= variant's kernel";
  }
  if (origin == KernelOrigin::fallthrough) {
    return "falls through, registered at " + text_of(registration_locations().at({&op, backend}));
  }
  return "registered at " + text_of(registration_locations().at({&op, backend}));
}

// Records a registration. Releases `lock`, on the tables, before it asks the loader for the file of an operator: a
// thread that loads a library with kernels holds the loader's lock while it waits for this one.
void claim(std::unique_lock<std::mutex>& lock, const OperatorBase& op, Backend backend, const SourceLocation& location,
           KernelOrigin& origin, KernelOrigin wanted) {
  if (!is_default(origin)) {
    std::string other = reason(op, backend, origin);
    const bool is_emitted = origin == KernelOrigin::emitted;
    lock.unlock();
    if (is_emitted) {
      other += " with the operator's own library" + detail::image_suffix(&op);
    }
    fail(wanted == KernelOrigin::fallthrough ? "fall through" : "kernel", " registered for `", op.name(), "` on `",
         to_string(backend), "` at ", text_of(location), ", but that backend already has one: ", other);
  }
  registration_locations().insert_or_assign({&op, backend}, location);
  origin = wanted;
}

}  // namespace

KernelOrigin OperatorBase::origin(Backend backend) const {
  const std::size_t index = index_of(backend);
  const std::lock_guard lock(table_mutex);
  return origins_[index];
}

detail::AnyKernel OperatorBase::layer_kernel(Layer layer) const {
  const std::size_t index = index_of(layer);
  const detail::AnyKernel* const kernels = __atomic_load_n(&layer_kernels_, __ATOMIC_ACQUIRE);
  return kernels == nullptr ? nullptr : __atomic_load_n(&kernels[index], __ATOMIC_ACQUIRE);
}

void OperatorBase::register_layer_kernel(Layer layer, detail::AnyKernel kernel, const char* file, int line) {
  const std::size_t index = index_of(layer);
  SourceLocation location{file, line};
  STRUCTURED_CHECK(kernel != nullptr, "kernel registered for `", name_, "` in layer `", to_string(layer), "` at ",
                   text_of(location), " is null");
  const std::lock_guard lock(table_mutex);
  const auto [found, is_new] = layer_locations().emplace(std::pair(this, layer), location);
  STRUCTURED_CHECK(is_new, "kernel registered for `", name_, "` in layer `", to_string(layer), "` at ",
                   text_of(location), ", but that layer already has one: registered at ", text_of(found->second));
  if (layer_kernels_ == nullptr) {
    __atomic_store_n(&layer_kernels_, new detail::AnyKernel[layer_count](), __ATOMIC_RELEASE);
  }
  __atomic_store_n(&layer_kernels_[index], kernel, __ATOMIC_RELEASE);
}

void OperatorBase::deregister_layer_kernel(Layer layer) {
  const std::size_t index = index_of(layer);
  const std::lock_guard lock(table_mutex);
  STRUCTURED_CHECK(layer_locations().erase({this, layer}) == 1, "no kernel was registered for `", name_, "` in layer `",
                   to_string(layer), "`");
  __atomic_store_n(&layer_kernels_[index], nullptr, __ATOMIC_RELEASE);
}

KernelOrigin OperatorBase::default_origin(std::size_t backend) const {
  if (variants_ == nullptr || variants_->out == this) {
    return rest_;
  }
  const KernelOrigin of_out = variants_->out->origins_[backend];
  return of_out == KernelOrigin::registered || of_out == KernelOrigin::emitted ? KernelOrigin::common : rest_;
}

void OperatorBase::recompute_other_variants(Backend backend) {
  if (variants_ == nullptr || variants_->out != this) {
    return;
  }
  for (const Variants::Member& member : {variants_->functional, variants_->inplace}) {
    if (member.op == nullptr) {
      continue;
    }
    const auto index = static_cast<std::size_t>(backend);
    KernelOrigin& origin = member.op->origins_[index];
    if (is_default(origin)) {
      origin = member.op->default_origin(index);
      member.recompute_slot(*member.op, backend, origin);
    }
  }
}

std::string dispatch_table(const OperatorBase& op) {
  constexpr std::size_t column = 14;  // the longest backend name and two spaces
  std::string text(op.name());
  text.append(": ").append(op.schema()).append("\n");
  const std::lock_guard lock(table_mutex);
  for (std::size_t i = 0; i < backend_count; ++i) {
    const auto backend = static_cast<Backend>(i);
    std::string name(to_string(backend));
    name.resize(column, ' ');
    text.append("  ").append(name).append(reason(op, backend, op.origins_[i])).append("\n");
  }
  for (std::size_t i = 0; i < layer_count; ++i) {
    const auto layer = static_cast<Layer>(i);
    const auto found = layer_locations().find({&op, layer});
    if (found != layer_locations().end()) {
      const bool falls_through = op.layer_kernels_[i] == &detail::fall_through;
      text.append("  layer ").append(to_string(layer)).append(falls_through ? ": falls through, " : ": ");
      text.append("registered at ").append(text_of(found->second)).append("\n");
    }
  }
  return text;
}

namespace detail {

void fall_through() { STRUCTURED_INTERNAL_ASSERT(false, "a layer that falls through has no kernel to call"); }

void throw_no_slow_path(const OperatorBase& op) {
  fail("`", op.name(),
       "` cannot be called while layers are active, or with tensors that require gradients: its library "
       "was built without layers");
}

void throw_missing_kernel(const OperatorBase& op, Backend backend) {
  STRUCTURED_CHECK(backend < Backend::count, "`", op.name(), "`: expected a backend, got the number ",
                   static_cast<int>(backend), ", which stands for tensors that no backend serves");
  std::string available;
  {
    const std::lock_guard lock(table_mutex);
    for (std::size_t i = 0; i < backend_count; ++i) {
      if (op.origins_[i] != KernelOrigin::none && op.origins_[i] != KernelOrigin::fallthrough) {
        available.append(available.empty() ? "`" : ", `").append(to_string(static_cast<Backend>(i))).append("`");
      }
    }
  }
  const std::string failed = failed_import(op, backend);
  STRUCTURED_CHECK(!available.empty(), "`", op.name(), "` has no kernel for backend `", to_string(backend),
                   "` nor for any other", failed);
  fail("`", op.name(), "` has no kernel for backend `", to_string(backend), "`; it has kernels for ", available,
       failed);
}

void register_kernel(OperatorBase& op, Backend backend, AnyKernel kernel, const char* file, int line,
                     StoreKernel store) {
  const std::size_t index = index_of(backend);
  const SourceLocation location{file, line};
  STRUCTURED_CHECK(kernel != nullptr, "kernel registered for `", op.name(), "` on `", to_string(backend), "` at ",
                   text_of(location), " is null");
  std::unique_lock lock(table_mutex);
  claim(lock, op, backend, location, op.origins_[index], KernelOrigin::registered);
  store(op, backend, kernel);
  op.recompute_other_variants(backend);
}

void register_fallthrough(OperatorBase& op, Backend backend, const char* file, int line, RecomputeSlot recompute_slot) {
  const std::size_t index = index_of(backend);
  std::unique_lock lock(table_mutex);
  claim(lock, op, backend, {file, line}, op.origins_[index], KernelOrigin::fallthrough);
  recompute_slot(op, backend, KernelOrigin::fallthrough);
  op.recompute_other_variants(backend);
}

void deregister_kernel(OperatorBase& op, Backend backend, const char* file, int line, RecomputeSlot recompute_slot) {
  const std::size_t index = index_of(backend);
  const std::string wanted = file == nullptr ? "" : text_of(SourceLocation{file, line});
  const std::lock_guard lock(table_mutex);
  KernelOrigin& origin = op.origins_[index];
  const auto location = registration_locations().find({&op, backend});
  STRUCTURED_CHECK(
      location != registration_locations().end() && (file == nullptr || text_of(location->second) == wanted),
      "no kernel was registered for `", op.name(), "` on `", to_string(backend), "`", file == nullptr ? "" : " at ",
      wanted, ": its slot holds `", reason(op, backend, origin), "`");
  origin = op.default_origin(index);
  recompute_slot(op, backend, origin);
  registration_locations().erase(location);
  op.recompute_other_variants(backend);
}

bool falls_through(const OperatorBase& op, Backend backend) {
  return backend < Backend::count && op.origin(backend) == KernelOrigin::fallthrough;
}

}  // namespace detail
}  // namespace structured

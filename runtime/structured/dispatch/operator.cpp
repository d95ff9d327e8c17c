#include "structured/dispatch/operator.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "structured/core/error.h"

namespace structured {
namespace {

struct Place {
  std::string file;
  int line;  // 0: the file alone is the place
};

std::string text_of(const Place& place) {
  return place.line == 0 ? place.file : place.file + ":" + std::to_string(place.line);
}

using Places = std::map<std::pair<const OperatorBase*, Backend>, Place>;

// One lock for all operators: registration is rare, and calls take no lock.
constinit std::mutex table_mutex;

// Never destroyed, so that a library may still take back its kernels while the process ends.
Places& registration_places() {
  static Places& places = *new Places;
  return places;
}

std::size_t index_of(Backend backend) {
  STRUCTURED_CHECK(backend < Backend::count, "expected a backend, got the number ", static_cast<int>(backend));
  return static_cast<std::size_t>(backend);
}

std::string reason(const OperatorBase& op, Backend backend, KernelOrigin origin) {
  switch (origin) {
    case KernelOrigin::none:
      return "none";
    case KernelOrigin::composite:
      return "composite";
    case KernelOrigin::emitted:
      return "emitted";
    case KernelOrigin::registered:
      break;
  }
  return "registered at " + text_of(registration_places().at({&op, backend}));
}

}  // namespace

KernelOrigin OperatorBase::origin(Backend backend) const {
  const std::size_t index = index_of(backend);
  const std::lock_guard lock(table_mutex);
  return origins_[index];
}

std::string dispatch_table(const OperatorBase& op) {
  constexpr std::size_t column = 14;  // the longest name of a backend, and two blanks
  std::string text(op.name());
  text.append(": ").append(op.schema()).append("\n");
  const std::lock_guard lock(table_mutex);
  for (std::size_t i = 0; i < backend_count; ++i) {
    const auto backend = static_cast<Backend>(i);
    std::string name(to_string(backend));
    name.resize(column, ' ');
    text.append("  ").append(name).append(reason(op, backend, op.origins_[i])).append("\n");
  }
  return text;
}

namespace detail {

void throw_missing_kernel(const OperatorBase& op, Backend backend) {
  std::string available;
  {
    const std::lock_guard lock(table_mutex);
    for (std::size_t i = 0; i < backend_count; ++i) {
      if (op.origins_[i] != KernelOrigin::none) {
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
  const Place place{file, line};
  STRUCTURED_CHECK(kernel != nullptr, "kernel registered for `", op.name(), "` on `", to_string(backend), "` at ",
                   text_of(place), " is null");
  const std::lock_guard lock(table_mutex);
  KernelOrigin& origin = op.origins_[index];
  STRUCTURED_CHECK(origin == KernelOrigin::none || origin == KernelOrigin::composite, "kernel registered for `",
                   op.name(), "` on `", to_string(backend), "` at ", text_of(place),
                   ", but that backend already has one: ",
                   origin == KernelOrigin::emitted ? std::string("emitted with the operator's own library")
                                                   : reason(op, backend, origin));
  registration_places().insert_or_assign({&op, backend}, place);
  origin = KernelOrigin::registered;
  store(op, backend, kernel);
}

void deregister_kernel(OperatorBase& op, Backend backend, AnyKernel composite, StoreKernel store) {
  const std::size_t index = index_of(backend);
  const std::lock_guard lock(table_mutex);
  KernelOrigin& origin = op.origins_[index];
  STRUCTURED_CHECK(origin == KernelOrigin::registered, "no kernel was registered for `", op.name(), "` on `",
                   to_string(backend), "`: its slot holds `", reason(op, backend, origin), "`");
  store(op, backend, composite);
  origin = composite != nullptr ? KernelOrigin::composite : KernelOrigin::none;
  registration_places().erase({&op, backend});
}

}  // namespace detail
}  // namespace structured

#include "structured/core/dtype_record.h"

#include "structured/base/error.h"
#include "structured/memory/allocator.h"
#include "structured/memory/host_cache.h"

namespace structured {

constinit std::atomic<DtypeRecord*> detail::dtype_record{nullptr};

namespace {

std::atomic<Allocator*>& cpu_allocator() { return detail::allocators[static_cast<int>(DeviceType::CPU)]; }

}  // namespace

// An installed allocator, even the built-in one, keeps TensorImpl from taking blocks of the thread's cache: that path
// does not note dtypes.
DtypeRecord::DtypeRecord() {
  DtypeRecord* none = nullptr;
  STRUCTURED_CHECK(detail::dtype_record.compare_exchange_strong(none, this), "expected one DtypeRecord at a time");
  Allocator* built_in = nullptr;
  cpu_allocator().compare_exchange_strong(built_in, &detail::host_allocator());
}

DtypeRecord::~DtypeRecord() {
  Allocator* installed = &detail::host_allocator();
  cpu_allocator().compare_exchange_strong(installed, nullptr);
  detail::dtype_record = nullptr;
}

}  // namespace structured

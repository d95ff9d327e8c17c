#pragma once
// Dtypes in which kernels compute, for selections of dtypes (number/visit.h).
#include <atomic>
#include <cstdint>

#include "structured/base/export.h"
#include "structured/number/scalar_type.h"

namespace structured {

/// Notes the dtypes of tensors that are created, and those in which iterators compute. Kernels dispatch on these, so
/// that a build for the noted dtypes runs the same calls: also those on temporary tensors, such as the Float ones of an
/// attention of BFloat16. While an object exists, tensors do not take the path that creates them fastest. At most one
/// object at a time, created and destroyed while no other thread creates tensors.
class STRUCTURED_API DtypeRecord {
 public:
  DtypeRecord();
  DtypeRecord(const DtypeRecord&) = delete;
  DtypeRecord& operator=(const DtypeRecord&) = delete;
  ~DtypeRecord();

  /// Returns the dtypes noted since the last call.
  ScalarTypeSet take() { return {bits_.exchange(0, std::memory_order_relaxed)}; }
  /// Notes all dtypes of a set.
  void note(ScalarTypeSet types) { bits_.fetch_or(types.bits, std::memory_order_relaxed); }

 private:
  std::atomic<decltype(ScalarTypeSet::bits)> bits_{0};
};

namespace detail {

/// The object that exists, or null.
extern STRUCTURED_API constinit std::atomic<DtypeRecord*> dtype_record;

inline void note_dtype(ScalarType type) {
  if (DtypeRecord* const record = dtype_record.load(std::memory_order_relaxed)) [[unlikely]] {
    record->note(set_of(type));
  }
}

}  // namespace detail

}  // namespace structured

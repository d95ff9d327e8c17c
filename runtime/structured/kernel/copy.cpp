#include "structured/kernel/copy.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "structured/core/allocator.h"
#include "structured/core/convert.h"
#include "structured/core/dim_vector.h"
#include "structured/core/error.h"
#include "structured/core/scalar_type.h"
#include "structured/core/visit.h"

namespace structured {
namespace {

constinit std::atomic<DeviceCopy> device_copies[kDeviceTypeCount] = {};

/// Copies `count` elements; strides are in bytes.
using RowCopy = void (*)(char* destination, std::int64_t destination_stride, const char* source,
                         std::int64_t source_stride, std::int64_t count);

template <class To, class From>
void copy_row(char* destination, std::int64_t destination_stride, const char* source, std::int64_t source_stride,
              std::int64_t count) {
  if (destination_stride == sizeof(To) && source_stride == sizeof(From)) {  // a loop that compilers vectorise
    To* to = reinterpret_cast<To*>(destination);
    const From* from = reinterpret_cast<const From*>(source);
    for (std::int64_t i = 0; i < count; ++i) {
      to[i] = convert<To>(from[i]);
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    *reinterpret_cast<To*>(destination + i * destination_stride) =
        convert<To>(*reinterpret_cast<const From*>(source + i * source_stride));
  }
}

/// Elements of equal type are moved as bytes, so that one function serves all types of a size.
template <std::size_t size>
void copy_row_bytes(char* destination, std::int64_t destination_stride, const char* source, std::int64_t source_stride,
                    std::int64_t count) {
  if (destination_stride == static_cast<std::int64_t>(size) && source_stride == static_cast<std::int64_t>(size)) {
    std::memcpy(destination, source, static_cast<std::size_t>(count) * size);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(destination + i * destination_stride, source + i * source_stride, size);
  }
}

RowCopy row_copy(ScalarType to, ScalarType from) {
  if (to == from) {
    constexpr std::array<RowCopy, 5> by_size{copy_row_bytes<1>, copy_row_bytes<2>, copy_row_bytes<4>, copy_row_bytes<8>,
                                             copy_row_bytes<16>};
    return by_size[static_cast<std::size_t>(item_size_log2(to))];
  }
  return visit<kAllTypes>("copy", to, [from]<class To>() {
    return visit<kAllTypes>("copy", from, []<class From>() -> RowCopy { return copy_row<To, From>; });
  });
}

/// The dimensions of a copy, the one with the smallest destination strides last, strides in bytes. Dimensions that both
/// sides walk in one go are one dimension.
struct Walk {
  DimVector sizes;
  DimVector destination_strides;
  DimVector source_strides;

  Walk(const Tensor& destination, const Tensor& source) {
    const auto destination_size = static_cast<std::int64_t>(item_size(destination.scalar_type()));
    const auto source_size = static_cast<std::int64_t>(item_size(source.scalar_type()));
    for (std::size_t i = 0; i < destination.sizes().size(); ++i) {
      if (destination.sizes()[i] != 1) {
        insert(destination.sizes()[i], destination.strides()[i] * destination_size, source.strides()[i] * source_size);
      }
    }
    coalesce();
  }

 private:
  void insert(std::int64_t size, std::int64_t destination_stride, std::int64_t source_stride) {
    std::size_t place = sizes.size();
    while (place > 0 &&
           (destination_strides[place - 1] < destination_stride ||
            (destination_strides[place - 1] == destination_stride && source_strides[place - 1] < source_stride))) {
      --place;
    }
    sizes.insert(place, size);
    destination_strides.insert(place, destination_stride);
    source_strides.insert(place, source_stride);
  }

  void coalesce() {
    for (std::size_t i = sizes.size(); i-- > 1;) {  // merges dimension i into the one outside of it
      if (destination_strides[i - 1] == destination_strides[i] * sizes[i] &&
          source_strides[i - 1] == source_strides[i] * sizes[i]) {
        sizes[i - 1] *= sizes[i];
        destination_strides[i - 1] = destination_strides[i];
        source_strides[i - 1] = source_strides[i];
        sizes.erase(i);
        destination_strides.erase(i);
        source_strides.erase(i);
      }
    }
    if (sizes.empty()) {
      sizes.push_back(1);
      destination_strides.push_back(0);
      source_strides.push_back(0);
    }
  }
};

/// Precondition: every size is at least 1.
void copy_strided(char* destination, const char* source, const Walk& walk, RowCopy copy) {
  const std::size_t inner = walk.sizes.size() - 1;
  DimVector index(inner, 0);
  while (true) {
    copy(destination, walk.destination_strides[inner], source, walk.source_strides[inner], walk.sizes[inner]);
    std::size_t d = inner;
    while (d > 0) {
      --d;
      destination += walk.destination_strides[d];
      source += walk.source_strides[d];
      if (++index[d] < walk.sizes[d]) {
        break;
      }
      destination -= walk.destination_strides[d] * walk.sizes[d];
      source -= walk.source_strides[d] * walk.sizes[d];
      index[d] = 0;
      if (d == 0) {
        return;
      }
    }
    if (inner == 0) {
      return;
    }
  }
}

/// Whether the elements of both lie in the same order without gaps, so that they are one block of bytes.
bool are_alike(const Tensor& a, const Tensor& b) {
  return a.scalar_type() == b.scalar_type() &&
         ((a.is_contiguous() && b.is_contiguous()) || (a.is_non_overlapping_and_dense() && a.strides() == b.strides()));
}

void copy_on_host(const Tensor& destination, const Tensor& source) {
  if (are_alike(destination, source)) {
    if (destination.data() != source.data()) {
      std::memcpy(destination.data(), source.data(), destination.nbytes());
    }
    return;
  }
  const ScalarType to = destination.scalar_type();
  const ScalarType from = source.scalar_type();
  STRUCTURED_CHECK(to == from || !(is_quantized(to) || is_quantized(from)), "no copy from ", from, " to ", to,
                   ": quantized elements mean nothing without their scale");
  copy_strided(static_cast<char*>(destination.data()), static_cast<const char*>(source.data()),
               Walk(destination, source), row_copy(to, from));
}

bool is_on_host(Device device) {
  return device.is_cpu() || (!device.is_meta() && allocator(device.type()).is_host_accessible());
}

}  // namespace

void set_device_copy(DeviceType type, DeviceCopy copy) {
  STRUCTURED_CHECK(type != DeviceType::CPU && type != DeviceType::Meta, "copies on ", type, " cannot be replaced");
  device_copies[static_cast<std::size_t>(type)].store(copy, std::memory_order_release);
}

namespace detail {

void copy_into(const Tensor& destination, const Tensor& source) {
  STRUCTURED_CHECK(destination.sizes() == source.sizes(), "expected a source of sizes ", destination.sizes(),
                   " to copy from, got ", source.sizes());
  if (destination.numel() == 0) {
    return;
  }
  const Device to = destination.device();
  const Device from = source.device();
  if (to.is_meta() && from.is_meta()) {
    return;
  }
  for (const Device device : {to, from}) {
    const DeviceCopy copy = device_copies[static_cast<std::size_t>(device.type())].load(std::memory_order_acquire);
    if (copy != nullptr) {
      copy(destination, source);
      return;
    }
  }
  if (!to.is_meta() && !from.is_meta()) {
    if (is_on_host(to) && is_on_host(from)) {
      copy_on_host(destination, source);
      return;
    }
    if (to == from && are_alike(destination, source)) {
      allocator(to.type()).copy(destination.data(), source.data(), destination.nbytes());
      return;
    }
  }
  fail("nobody can copy from ", from, " to ", to, "; `set_device_copy` installs who can");
}

}  // namespace detail
}  // namespace structured

#pragma once
// The structures of DLPack 1.0 (github.com/dmlc/dlpack), whose layout is an interface between libraries.
#include <cstdint>

namespace structured::python::dlpack {

struct Version {
  uint32_t major;
  uint32_t minor;
};

enum class DeviceCode : int32_t { cpu = 1, cuda = 2, cuda_host = 3 };

struct Device {
  DeviceCode type;
  int32_t index;
};

struct Type {
  uint8_t code;  ///< see Dtype::dlpack
  uint8_t bits;
  uint16_t lanes;
};

struct Array {
  void* data;
  Device device;
  int32_t rank;
  Type dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};

/// In capsules named `dltensor`.
struct Managed {
  Array array;
  void* context;
  void (*deleter)(Managed* self);
};

/// In capsules named `dltensor_versioned`.
struct ManagedVersioned {
  static constexpr uint64_t read_only = 1;
  static constexpr uint64_t is_copied = 2;

  Version version;
  void* context;
  void (*deleter)(ManagedVersioned* self);
  uint64_t flags;
  Array array;
};

}  // namespace structured::python::dlpack

#pragma once
// Flatbuffers of PyTorch's lite interpreter: numbers of the fields in PyTorch's mobile_bytecode.fbs. The runtime and
// structured-gen include this header, which includes neither.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace structured::program {

/// Whether bytes are such a file.
inline bool is_ptl_flatbuffer(std::string_view bytes) { return bytes.size() >= 8 && bytes.substr(4, 4) == "PTMF"; }

namespace module_field {
enum : std::size_t { version = 0, methods = 2, state = 3, values = 4, storages = 6, object_types = 7 };
}
namespace value_field {
enum : std::size_t { type = 0, value = 1 };
}
namespace tensor_field {
enum : std::size_t { storage = 0, dtype = 1, offset = 2, sizes = 3, strides = 4, quantized = 6 };
}
namespace quantizer_field {
enum : std::size_t { scheme = 0, scale = 1, zero_point = 2, scales = 3, zero_points = 4, axis = 5 };
}
namespace object_type_field {
enum : std::size_t { name = 0, kind = 1, attributes = 2 };
}
namespace object_field {
enum : std::size_t { type = 0, state = 1, attributes = 2 };
}
namespace function_field {
enum : std::size_t { name = 0, instructions, operators, constants, types, registers, schema };
}
namespace operator_field {
enum : std::size_t { name = 0, overload = 1, given = 2 };
}
namespace argument_field {
enum : std::size_t { name = 0, type = 1, default_value = 2 };
}

/// Kind of the class of an object.
enum class ObjectKind : uint8_t { unset, with_fields, custom_class, with_set_state, no_object };

/// Type of a value.
enum class ValueType : uint8_t {
  none,
  integer,
  boolean,
  real,
  complex,
  tensor,
  string,
  list,
  tuple,
  dict,
  object,
  int_list,
  double_list,
  bool_list,
  device,
  enum_value,
  function,
};

}  // namespace structured::program

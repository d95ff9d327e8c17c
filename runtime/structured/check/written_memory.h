#pragma once
// Memory of a call's arguments: a kernel may write only the elements of mutable arguments.
#include <vector>

#include "structured/core/tensor.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/schema.h"
#include "structured/dispatch/value.h"
#include "structured/memory/storage.h"

namespace structured::detail {

/// Record of the arguments of a call on copies. Create it before the call.
class WrittenMemory {
 public:
  /// `copies` are the arguments of the call, made by copied_arguments from `originals`.
  WrittenMemory(const SchemaText& schema, const Stack& originals, const Stack& copies);

  /// Call after the call. Throws Error if other memory than the elements of mutable arguments has changed, or the shape
  /// of an argument that is not mutable.
  void check(const OperatorBase& op) const;

 private:
  struct Argument {
    const SchemaArgument* description;
    Tensor original;
    Tensor copy;
    Storage storage;  // storage of `copy` before the call
  };

  void check_shapes(const OperatorBase& op) const;
  void check_storage(const OperatorBase& op, const Argument& first) const;

  std::vector<Argument> arguments_;
};

}  // namespace structured::detail

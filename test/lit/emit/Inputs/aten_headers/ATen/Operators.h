// Some operators in the form of torchgen's headers.
#pragma once
#include "aten_mock.h"

namespace at {
namespace _ops {

#define OPERATOR(name, text, ...)                   \
  struct name {                                     \
    using schema = __VA_ARGS__;                     \
    static constexpr const char* schema_str = text; \
  };

OPERATOR(add_Tensor, "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
         at::Tensor(const at::Tensor&, const at::Tensor&, const at::Scalar&))
OPERATOR(add__Tensor, "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
         at::Tensor&(at::Tensor&, const at::Tensor&, const at::Scalar&))
OPERATOR(add_out, "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
         at::Tensor&(const at::Tensor&, const at::Tensor&, const at::Scalar&, at::Tensor&))
OPERATOR(add_Scalar, "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
         at::Tensor(const at::Tensor&, const at::Scalar&, const at::Scalar&))
OPERATOR(max_dim, "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
         std::tuple<at::Tensor, at::Tensor>(const at::Tensor&, int64_t, bool))
OPERATOR(max_dim_max,
         "max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> "
         "(Tensor(a!) values, Tensor(b!) indices)",
         std::tuple<at::Tensor&, at::Tensor&>(const at::Tensor&, int64_t, bool, at::Tensor&, at::Tensor&))
OPERATOR(mm, "mm(Tensor self, Tensor mat2) -> Tensor", at::Tensor(const at::Tensor&, const at::Tensor&))
OPERATOR(mm_out, "mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)",
         at::Tensor&(const at::Tensor&, const at::Tensor&, at::Tensor&))
OPERATOR(empty_memory_format,
         "empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
         at::Tensor(c10::SymIntArrayRef, c10::optional<at::ScalarType>, c10::optional<at::Layout>,
                    c10::optional<at::Device>, c10::optional<bool>, c10::optional<at::MemoryFormat>))
OPERATOR(view, "view(Tensor(a) self, SymInt[] size) -> Tensor(a)", at::Tensor(const at::Tensor&, c10::SymIntArrayRef))

}  // namespace _ops
}  // namespace at

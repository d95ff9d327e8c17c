#pragma once
// Operators of `.pt2` files that loading replaces, and operators that loading `.ptl` files calls.
// schema/structured/schema/program_operators.def lists them for selections of operators; a test compares the lists.
#include <string_view>

namespace structured::program {

struct RenamedOperator {
  std::string_view from;
  std::string_view to;
};
/// Operators that compute the same as another one from the same arguments.
inline constexpr RenamedOperator kRenamedOperators[] = {
    {"aten::__and__.Scalar", "aten::bitwise_and.Scalar"},
    {"aten::__and__.Tensor", "aten::bitwise_and.Tensor"},
    {"aten::__or__.Scalar", "aten::bitwise_or.Scalar"},
    {"aten::__or__.Tensor", "aten::bitwise_or.Tensor"},
    {"aten::__xor__.Scalar", "aten::bitwise_xor.Scalar"},
    {"aten::__xor__.Tensor", "aten::bitwise_xor.Tensor"},
    {"aten::_unsafe_index.Tensor", "aten::index.Tensor"},
    {"aten::lift_fresh_copy", "aten::clone"},
    {"aten::max.other", "aten::maximum"},
    {"aten::min.other", "aten::minimum"},
    {"aten::true_divide.Tensor", "aten::div.Tensor"},
};

/// Operators that return their first argument, since programs record no gradients.
inline constexpr std::string_view kIdentityOperators[] = {"aten::alias", "aten::detach", "aten::detach_",
                                                          "aten::lift_fresh"};

struct PackedClass {
  std::string_view name;
  std::string_view op;
};
/// Classes of packed parameters, and the operators that restore them from the state that modules store.
inline constexpr PackedClass kPackedClasses[] = {
    {"__torch__.torch.classes.quantized.Conv2dPackedParamsBase", "quantized::conv2d_prepack"},
    {"__torch__.torch.classes.quantized.LinearPackedParamsBase", "quantized::linear_prepack"},
};

}  // namespace structured::program

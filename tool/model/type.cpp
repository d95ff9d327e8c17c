#include "model/type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace structured::gen {

namespace {

using Base = Type::Base;

constexpr std::array<std::pair<Base, std::string_view>, 22> base_names{{
    {Base::Tensor, "Tensor"},
    {Base::Scalar, "Scalar"},
    {Base::Int, "int"},
    {Base::Float, "float"},
    {Base::Bool, "bool"},
    {Base::Str, "str"},
    {Base::SymInt, "SymInt"},
    {Base::ScalarType, "ScalarType"},
    {Base::Layout, "Layout"},
    {Base::Device, "Device"},
    {Base::MemoryFormat, "MemoryFormat"},
    {Base::Generator, "Generator"},
    {Base::Storage, "Storage"},
    {Base::Stream, "Stream"},
    {Base::QScheme, "QScheme"},
    {Base::Dimname, "Dimname"},
    {Base::Any, "Any"},
    {Base::Complex, "complex"},
    {Base::ConstQuantizerPtr, "ConstQuantizerPtr"},
    {Base::DeviceIndex, "DeviceIndex"},
    {Base::SymBool, "SymBool"},
    {Base::SymFloat, "SymFloat"},
}};

// to_string finds the name by the enumerator's value.
constexpr bool in_order_of_enumerators() {
  for (std::size_t i = 0; i < base_names.size(); ++i) {
    if (base_names[i].first != static_cast<Base>(i)) return false;
  }
  return base_names.back().first == Base::SymFloat;
}
static_assert(in_order_of_enumerators());

}  // namespace

std::string_view to_string(Type::Base base) { return base_names[static_cast<std::size_t>(base)].second; }

std::optional<Type::Base> find_base(std::string_view name) {
  const auto* found = std::ranges::find(base_names, name, &std::pair<Base, std::string_view>::second);
  if (found == base_names.end()) return std::nullopt;
  return found->first;
}

std::string to_string(const Type& type) {
  std::string text(to_string(type.base));
  for (const Type::Wrapper& wrapper : type.wrappers) {
    if (wrapper.kind == Type::Wrapper::Kind::optional) {
      text += '?';
    } else {
      text += '[';
      if (wrapper.size) text += std::to_string(*wrapper.size);
      text += ']';
    }
  }
  return text;
}

}  // namespace structured::gen

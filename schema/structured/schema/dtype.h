#pragma once
// The table of dtypes (dtypes.def), and sets of its rows.
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace structured::schema {

/// In ascending order of promotion. Quantized dtypes do not promote.
enum class Category : uint8_t { boolean, integral, floating, complex, quantized };

/// A dtype. Names and codes are null, and code numbers negative, where the other format has none.
struct Dtype {
  const char* name;  ///< `ComplexFloat`: the enumerator, here and in ATen
  int number;        ///< of the enumerator
  const char* type =
      "";  ///< canonical C++ type of the elements: `structured::Complex<float>`; empty for quantized ones
  Category category;
  int size_log2;  ///< log2 of the bytes of an element; dtypes with several elements in a byte count the byte

  const char* word;              ///< that schemas print: `complex_float`
  const char* torch = nullptr;   ///< PyTorch's name where it is another one: `complex64`
  const char* method = nullptr;  ///< a tensor's conversion to the dtype, where it is not `word`: `cfloat`

  bool is_signed = true;
  bool computes = true;         ///< arithmetic is defined; others are copied and converted, and promote with no dtype
  const char* parts = nullptr;  ///< for a complex dtype: the dtype of its parts

  /// Bits of infinity, or of the largest finite number without infinity. Larger bits, without the sign, are NaNs.
  uint64_t largest = 0;
  double rtol = 0;  ///< relative error that torch.testing allows for numbers, or for parts of complex numbers
  double atol = 0;  ///< absolute error

  const char* numpy = nullptr;        ///< kind and size in `.npy` files
  const char* buffer = nullptr;       ///< format of Python's buffer protocol
  int dlpack = -1;                    ///< type code of DLPack
  const char* safetensors = nullptr;  ///< name in `.safetensors` files
  int exported = -1;                  ///< number in the programs of torch.export
  bool has_storage_class = true;      ///< pickles of PyTorch name the dtype by a class: `ComplexFloatStorage`

  constexpr bool is_boolean() const { return category == Category::boolean; }
  constexpr bool is_integral() const { return category == Category::integral; }
  constexpr bool is_floating() const { return category == Category::floating; }
  constexpr bool is_complex() const { return category == Category::complex; }
  constexpr bool is_quantized() const { return category == Category::quantized; }
  constexpr bool promotes() const { return computes && !is_quantized(); }
  constexpr std::size_t size() const { return std::size_t{1} << size_log2; }
  /// PyTorch's name: `complex64`, `bool`.
  constexpr const char* torch_name() const { return torch != nullptr ? torch : word; }
  /// Another name that Python accepts: `cfloat`, `float`.
  constexpr const char* second_name() const { return method != nullptr ? method : word; }
};

namespace detail {

using enum Category;
inline constexpr Dtype dtypes[] = {
#define STRUCTURED_DTYPE(enumerator, value, ...) {.name = #enumerator, .number = value, __VA_ARGS__},
#include "structured/schema/dtypes.def"
};

constexpr bool are_equal(const char* a, const char* b) {
  while (*a != 0 && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

}  // namespace detail

/// All dtypes, in the order of their numbers.
inline constexpr auto& kDtypes = detail::dtypes;
inline constexpr int kDtypeCount = static_cast<int>(sizeof(kDtypes) / sizeof(Dtype));
/// The size of tables that the numbers of dtypes index.
inline constexpr int kDtypeEnd = kDtypes[kDtypeCount - 1].number + 1;

/// The index of the first dtype for which `condition` holds, or -1. Tables that are computed at compile time use
/// indices: with -fsanitize=undefined, g++ 12 does not compare addresses with null in constant expressions.
template <class Condition>
constexpr int dtype_index(Condition condition) {
  for (int i = 0; i < kDtypeCount; ++i) {
    if (condition(kDtypes[i])) return i;
  }
  return -1;
}
/// The first dtype for which `condition` holds, or null.
template <class Condition>
constexpr const Dtype* find_dtype(Condition condition) {
  const int index = dtype_index(condition);
  return index < 0 ? nullptr : &kDtypes[index];
}
constexpr const Dtype* dtype_numbered(int64_t number) {
  return find_dtype([=](const Dtype& dtype) { return dtype.number == number; });
}
/// Finds the name of the enumerator.
constexpr const Dtype* dtype_named(const char* name) {
  return find_dtype([=](const Dtype& dtype) { return detail::are_equal(dtype.name, name); });
}

/// Finds a name in schemas or PyTorch's name. `Text` compares with `const char*`.
template <class Text>
constexpr const Dtype* dtype_with_word(const Text& text) {
  return find_dtype([&](const Dtype& dtype) { return text == dtype.word || text == dtype.torch_name(); });
}

/// A set of dtypes: bit `number` for each. The word has room for the number after the last.
using DtypeSet = std::conditional_t<(kDtypeEnd < 32), uint32_t, uint64_t>;
static_assert(kDtypeEnd < 64);

/// The dtypes for which `condition` holds.
template <class Condition>
constexpr DtypeSet dtypes_where(Condition condition) {
  DtypeSet result = 0;
  for (const Dtype& dtype : kDtypes) {
    if (condition(dtype)) result |= DtypeSet{1} << dtype.number;
  }
  return result;
}

#define STRUCTURED_DTYPE_SET(name, constant, condition) \
  inline constexpr DtypeSet constant = dtypes_where([](const Dtype& dtype) { return condition; });
#include "structured/schema/dtypes.def"

/// The dtype of the parts of a complex dtype; the dtype itself for others.
constexpr const Dtype* real_of(const Dtype& dtype) {
  return dtype.parts != nullptr ? dtype_named(dtype.parts) : &dtype;
}

namespace detail {

template <class Holds>
constexpr bool all_dtypes(Holds holds) {
  return dtype_index([&](const Dtype& dtype) { return !holds(dtype); }) < 0;
}
static_assert(all_dtypes([](const Dtype& dtype) { return &dtype == dtypes || (&dtype)[-1].number < dtype.number; }),
              "numbers ascend");
static_assert(all_dtypes([](const Dtype& dtype) { return (*dtype.type == 0) == dtype.is_quantized(); }),
              "all but quantized dtypes have a C++ type");
static_assert(all_dtypes([](const Dtype& dtype) { return (dtype.parts != nullptr) == dtype.is_complex(); }),
              "complex dtypes have parts");
static_assert(all_dtypes([](const Dtype& dtype) {
                return !dtype.is_complex() || dtype_index([&](const Dtype& part) {
                                                return are_equal(part.name, dtype.parts) && part.is_floating() &&
                                                       part.size_log2 + 1 == dtype.size_log2;
                                              }) >= 0;
              }),
              "parts are two floating-point numbers");
static_assert(all_dtypes([](const Dtype& dtype) { return (dtype.largest != 0) == dtype.is_floating(); }),
              "floating-point dtypes have a largest number");
}  // namespace detail
}  // namespace structured::schema

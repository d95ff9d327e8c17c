#include <gtest/gtest.h>
#include <structured/number/complex.h>
#include <structured/number/scalar_type.h>
#include <structured/schema/dtype.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace structured::schema {
namespace {

// The row of a dtype whose elements are of type T.
template <int dtype_number, class T>
struct Plain {
  using Type = T;
  static constexpr const Dtype& row = *dtype_numbered(dtype_number);
};

template <class Row>
class PlainDtype : public testing::Test {};
template <class, class... Row>
using RowsAfter = testing::Types<Row...>;
using Rows = RowsAfter<void
#define STRUCTURED_DTYPE(enumerator, ...)
#define STRUCTURED_PLAIN_DTYPE(enumerator, type, number, ...) , Plain<number, type>
#include "structured/schema/dtypes.def"
                       >;
TYPED_TEST_SUITE(PlainDtype, Rows);

TYPED_TEST(PlainDtype, HasTheSizeOfItsElements) { EXPECT_EQ(TypeParam::row.size(), sizeof(typename TypeParam::Type)); }

TYPED_TEST(PlainDtype, HasTheCategoryOfItsElements) {
  using T = typename TypeParam::Type;
  const Category expected = std::is_same_v<T, bool>              ? Category::boolean
                            : is_complex_v<T>                    ? Category::complex
                            : std::numeric_limits<T>::is_integer ? Category::integral
                                                                 : Category::floating;
  EXPECT_EQ(TypeParam::row.category, expected);
}

TYPED_TEST(PlainDtype, HasTheSignOfItsElements) {
  using T = typename TypeParam::Type;
  if constexpr (is_complex_v<T>) {
    EXPECT_TRUE(TypeParam::row.is_signed);
  } else {
    EXPECT_EQ(TypeParam::row.is_signed, std::numeric_limits<T>::is_signed);
  }
}

TYPED_TEST(PlainDtype, HasThePartsOfItsElements) {
  using T = typename TypeParam::Type;
  if constexpr (is_complex_v<T>) {
    EXPECT_EQ(static_cast<ScalarType>(real_of(TypeParam::row)->number), scalar_type_of<typename T::value_type>);
  } else {
    EXPECT_EQ(real_of(TypeParam::row), &TypeParam::row);
  }
}

TYPED_TEST(PlainDtype, KnowsTheLargestBitsThatAreNoNan) {
  using T = typename TypeParam::Type;
  const Dtype& row = TypeParam::row;
  if constexpr (!is_complex_v<T> && !std::numeric_limits<T>::is_integer) {
    T value;
    uint64_t bits = row.largest;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    EXPECT_FALSE(std::isnan(static_cast<double>(value)));
    ++bits;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    EXPECT_TRUE(std::isnan(static_cast<double>(value)));
  }
}

TYPED_TEST(PlainDtype, IsTheDtypeOfItsElements) {
  const ScalarType dtype = scalar_type_of<typename TypeParam::Type>;
  EXPECT_EQ(static_cast<int>(dtype), TypeParam::row.number);
  EXPECT_EQ(to_string(dtype), std::string(TypeParam::row.name));
  EXPECT_EQ(dtype_row(dtype), &TypeParam::row);
}

// All rows.

TEST(Dtype, IsFoundByNumber) {
  for (const Dtype& dtype : kDtypes) EXPECT_EQ(dtype_numbered(dtype.number), &dtype) << dtype.name;
  EXPECT_EQ(dtype_numbered(-1), nullptr);
  EXPECT_EQ(dtype_numbered(kDtypeEnd), nullptr);
  EXPECT_EQ(dtype_numbered(int64_t{1} << 40), nullptr);
  EXPECT_EQ(dtype_row(ScalarType::Undefined), nullptr);
}

TEST(Dtype, HasNamesOfItsOwn) {
  std::set<std::string> enumerators, words;
  for (const Dtype& dtype : kDtypes) {
    EXPECT_TRUE(enumerators.insert(dtype.name).second) << dtype.name;
    for (const std::string& word : std::set<std::string>{dtype.word, dtype.torch_name(), dtype.second_name()}) {
      EXPECT_TRUE(words.insert(word).second) << word;
    }
    EXPECT_EQ(dtype_named(dtype.name), &dtype);
    EXPECT_EQ(dtype_with_word(std::string(dtype.word)), &dtype);
    EXPECT_EQ(dtype_with_word(std::string(dtype.torch_name())), &dtype);
  }
  EXPECT_EQ(dtype_named("Fl"), nullptr);
  EXPECT_EQ(dtype_named("Floats"), nullptr);
  EXPECT_EQ(dtype_with_word(std::string("Float")), nullptr);
}

TEST(Dtype, HasTheNumpyCodeOfItsCategoryAndSize) {
  for (const Dtype& dtype : kDtypes) {
    if (dtype.numpy == nullptr) continue;
    const std::string kind = dtype.is_boolean()    ? "b"
                             : dtype.is_floating() ? "f"
                             : dtype.is_complex()  ? "c"
                             : dtype.is_signed     ? "i"
                                                   : "u";
    EXPECT_EQ(dtype.numpy, kind + std::to_string(dtype.size()));
    EXPECT_NE(dtype.buffer, nullptr) << "NumPy exports buffers of " << dtype.name;
  }
}

// DLPack: 0 signed, 1 unsigned, 2 IEEE, 4 bfloat, 5 complex, 6 boolean; formats of 8 bits from 7 on.
TEST(Dtype, HasTheDlpackCodeOfItsCategory) {
  std::set<std::pair<int, std::size_t>> codes;
  for (const Dtype& dtype : kDtypes) {
    EXPECT_EQ(dtype.dlpack < 0, dtype.is_quantized()) << dtype.name;
    if (dtype.dlpack < 0) continue;
    EXPECT_TRUE(codes.emplace(dtype.dlpack, dtype.size()).second) << dtype.name;
    if (dtype.is_boolean()) {
      EXPECT_EQ(dtype.dlpack, 6);
    }
    if (dtype.is_integral()) {
      EXPECT_EQ(dtype.dlpack, dtype.is_signed ? 0 : 1) << dtype.name;
    }
    if (dtype.is_complex()) {
      EXPECT_EQ(dtype.dlpack, 5) << dtype.name;
    }
    if (dtype.is_floating()) {
      EXPECT_TRUE(dtype.dlpack == 2 || dtype.dlpack == 4 || dtype.dlpack >= 7) << dtype.name;
    }
  }
}

TEST(Dtype, HasCodesOfItsOwnInFiles) {
  std::set<std::string> names;
  std::set<int> numbers;
  for (const Dtype& dtype : kDtypes) {
    if (dtype.safetensors != nullptr) {
      EXPECT_TRUE(names.insert(dtype.safetensors).second) << dtype.name;
    }
    if (dtype.exported >= 0) {
      EXPECT_TRUE(numbers.insert(dtype.exported).second) << dtype.name;
    }
  }
}

TEST(Dtype, IsInTheSetsOfItsCategory) {
  for (const Dtype& dtype : kDtypes) {
    const auto is_in = [&](DtypeSet set) { return (set >> dtype.number & 1) != 0; };
    EXPECT_EQ(is_in(kAllTypes), !is_in(kQuantizedTypes)) << dtype.name;
    EXPECT_EQ(is_in(kAllTypes), *dtype.type != 0) << dtype.name;
    EXPECT_EQ(is_in(kIntegralTypes) + is_in(kAllFloatingTypes) + is_in(kAllComplexTypes) + is_in(kQuantizedTypes),
              dtype.is_boolean() || !dtype.computes ? 0 : 1)
        << dtype.name;
    EXPECT_TRUE(set_of(static_cast<ScalarType>(dtype.number)).contains(static_cast<ScalarType>(dtype.number)));
    EXPECT_FALSE(set_of(static_cast<ScalarType>(dtype.number)).contains(ScalarType::Undefined));
  }
}

}  // namespace
}  // namespace structured::schema

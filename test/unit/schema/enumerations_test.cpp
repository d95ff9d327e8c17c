// Words of enumerators, as defaults in schemas have them.
#include <gtest/gtest.h>
#include <structured/core/layout.h>
#include <structured/core/memory_format.h>
#include <structured/core/reduction.h>
#include <structured/device/device.h>
#include <structured/dispatch/default_value.h>
#include <structured/number/qscheme.h>
#include <structured/number/scalar_type.h>
#include <structured/schema/dtype.h>

#include <optional>
#include <string_view>

namespace structured {
namespace {

TEST(Words, OfDtypesAreDefaults) {
  for (const schema::Dtype& dtype : schema::kDtypes) {
    for (const std::string_view word : {dtype.word, dtype.torch_name()}) {
      const std::optional<Value> value = detail::default_value("ScalarType", word);
      ASSERT_TRUE(value) << word;
      EXPECT_EQ(value->to_scalar_type(), scalar_type_of_row(&dtype)) << word;
    }
  }
}

TEST(Words, OfDeviceTypesAreDefaults) {
#define STRUCTURED_DEVICE_TYPE(enumerator, word)                                                       \
  EXPECT_EQ(detail::default_value("Device", word).value().to_device().type(), DeviceType::enumerator); \
  EXPECT_EQ(to_string(DeviceType::enumerator), std::string_view(word));
#include "structured/schema/backends.def"
}

TEST(Words, OfEnumeratorsAreDefaults) {
#define STRUCTURED_MEMORY_FORMAT(enumerator, word, exported) \
  EXPECT_EQ(detail::default_value("MemoryFormat", word).value().to_memory_format(), MemoryFormat::enumerator);
#define STRUCTURED_LAYOUT(enumerator, word) \
  EXPECT_EQ(detail::default_value("Layout", word).value().to_layout(), Layout::enumerator);
#define STRUCTURED_OTHER_LAYOUT(enumerator, word) STRUCTURED_LAYOUT(enumerator, word)
#define STRUCTURED_REDUCTION(enumerator, word)                                             \
  if (*word != 0) {                                                                        \
    EXPECT_EQ(detail::default_value("int", word).value().to_int(), Reduction::enumerator); \
  }
#include "structured/schema/enumerations.def"
}

// ATen's numbers, which serialised values have.
TEST(Enumerators, HaveTheNumbersOfSerialisedForms) {
  EXPECT_EQ(static_cast<int>(MemoryFormat::Preserve), 1);
  EXPECT_EQ(static_cast<int>(MemoryFormat::ChannelsLast3d), 3);
  EXPECT_EQ(static_cast<int>(Layout::Mkldnn), 3);
  EXPECT_EQ(static_cast<int>(Layout::SparseBsc), 6);
  EXPECT_EQ(static_cast<int>(QScheme::per_channel_affine_float_qparams), 4);
  EXPECT_EQ(static_cast<int>(Reduction::Sum), 2);
  EXPECT_EQ(static_cast<int>(DeviceType::Meta), 2);
}

}  // namespace
}  // namespace structured

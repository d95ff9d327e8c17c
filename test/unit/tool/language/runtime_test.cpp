// Consistency of the registry with the runtime. The runtime is installed without the tool, so its headers define the
// enumerations separately.
#include <gmock/gmock.h>
#include <structured/core/backend.h>
#include <structured/core/device.h>
#include <structured/core/layout.h>
#include <structured/core/memory_format.h>
#include <structured/core/reduction.h>
#include <structured/core/scalar_type.h>
#include <structured/dispatch/backend.h>
#include <structured/dispatch/default_value.h>
#include <structured/dispatch/layer.h>
#include <structured/dispatch/value.h>
#include <structured/program/parts.h>
#include <structured/program/replaced_operators.h>

#include <iterator>
#include <string_view>
#include <utility>

namespace structured {
namespace {

TEST(Registry, ListsTheBackendsInTheOrderOfTheEnumeration) {
  constexpr Backend backends[] = {
#define STRUCTURED_BACKEND(name, cpp_namespace, place) Backend::name,
#include "structured/schema/backends.def"
  };
  constexpr std::string_view names[] = {
#define STRUCTURED_BACKEND(name, cpp_namespace, place) #name,
#include "structured/schema/backends.def"
  };
  ASSERT_EQ(std::size(backends), backend_count);
  for (std::size_t i = 0; i < backend_count; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(backends[i]), i);
    EXPECT_EQ(to_string(backends[i]), names[i]);
  }
}

TEST(Registry, ListsTheDeviceTypesInTheOrderOfTheEnumeration) {
  constexpr std::pair<DeviceType, std::string_view> types[] = {
#define STRUCTURED_DEVICE_TYPE(enumerator, word) {DeviceType::enumerator, word},
#include "structured/schema/backends.def"
  };
  ASSERT_EQ(std::size(types), static_cast<std::size_t>(kDeviceTypeCount));
  for (std::size_t i = 0; i < std::size(types); ++i) {
    const auto& [type, word] = types[i];
    EXPECT_EQ(static_cast<std::size_t>(type), i);
    EXPECT_EQ(to_string(type), word);
    const std::optional<Value> value = detail::default_value("Device", word);
    ASSERT_TRUE(value) << word;
    EXPECT_EQ(value->to_device().type(), type);
  }
}

TEST(Registry, ListsTheDtypesInTheOrderOfTheEnumeration) {
  struct Dtype {
    ScalarType type;
    ScalarType constant;
    std::string_view enumerator, name, other_name, elements;
  };
  constexpr Dtype dtypes[] = {
#define STRUCTURED_DTYPE(enumerator, name, other_name, type, elements) \
  {ScalarType::enumerator, k##enumerator, #enumerator, name, other_name, #elements},
#include "structured/schema/dtypes.def"
  };
  ASSERT_EQ(std::size(dtypes), static_cast<std::size_t>(kScalarTypeCount));
  for (std::size_t i = 0; i < std::size(dtypes); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(dtypes[i].type), i);
    EXPECT_EQ(dtypes[i].constant, dtypes[i].type);
    EXPECT_EQ(to_string(dtypes[i].type), dtypes[i].enumerator);
    EXPECT_EQ(is_quantized(dtypes[i].type), dtypes[i].elements == "quantized") << dtypes[i].name;
    for (const std::string_view name : {dtypes[i].name, dtypes[i].other_name}) {
      const std::optional<Value> value = detail::default_value("ScalarType", name);
      ASSERT_TRUE(value) << name;
      EXPECT_EQ(value->to_scalar_type(), dtypes[i].type) << name;
    }
  }
}

TEST(Registry, NamesSetsOfDtypesThatTheRuntimeHas) {
  constexpr ScalarTypeSet sets[] = {
#define STRUCTURED_DTYPE_SET(name, constant, elements) constant,
#include "structured/schema/dtypes.def"
  };
  for (const ScalarTypeSet set : sets) EXPECT_NE(set.bits, 0u);
}

TEST(Registry, ListsTheLayersInTheOrderOfTheEnumeration) {
  constexpr std::pair<Layer, std::string_view> layers[] = {
#define STRUCTURED_LAYER(enumerator) {Layer::enumerator, #enumerator},
#include "structured/schema/layers.def"
  };
  ASSERT_EQ(std::size(layers), layer_count);
  for (std::size_t i = 0; i < layer_count; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(layers[i].first), i);
    EXPECT_EQ(to_string(layers[i].first), layers[i].second);
  }
}

TEST(Registry, NamesKindsOfValuesThatTheRuntimeHas) {
  constexpr Value::Kind kinds[] = {
#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  Value::Kind::value,
#define STRUCTURED_BASE_TYPE(enumerator, schema, native, native_header, value) Value::Kind::value,
#include "structured/schema/types.def"
  };
  for (const Value::Kind kind : kinds) EXPECT_NE(kind, Value::Kind::none);
}

TEST(Registry, ListsTheOperatorsThatLoadersOfProgramsReplace) {
  constexpr program::RenamedOperator renamed[] = {
#define STRUCTURED_RENAMED_OPERATOR(from, to) {from, to},
#include "structured/schema/program_operators.def"
  };
  constexpr std::string_view identities[] = {
#define STRUCTURED_IDENTITY_OPERATOR(name) name,
#include "structured/schema/program_operators.def"
  };
  ASSERT_EQ(std::size(renamed), std::size(program::kRenamedOperators));
  for (std::size_t i = 0; i < std::size(renamed); ++i) {
    EXPECT_EQ(renamed[i].from, program::kRenamedOperators[i].from);
    EXPECT_EQ(renamed[i].to, program::kRenamedOperators[i].to);
  }
  EXPECT_THAT(identities, testing::ElementsAreArray(program::kIdentityOperators));
  constexpr std::pair<std::string_view, std::string_view> lists[] = {
#define STRUCTURED_LIST_OF_VIEWS(op, part) {op, part},
#include "structured/schema/program_operators.def"
  };
  ASSERT_EQ(std::size(lists), std::size(program::kListsOfViews));
  for (std::size_t i = 0; i < std::size(lists); ++i) {
    EXPECT_EQ(lists[i].first, program::kListsOfViews[i].op);
    EXPECT_EQ(lists[i].second, program::kListsOfViews[i].part);
  }
  constexpr program::PackedClass packed[] = {
#define STRUCTURED_PACKED_CLASS(name, op) {name, op},
#include "structured/schema/program_operators.def"
  };
  ASSERT_EQ(std::size(packed), std::size(program::kPackedClasses));
  for (std::size_t i = 0; i < std::size(packed); ++i) {
    EXPECT_EQ(packed[i].name, program::kPackedClasses[i].name);
    EXPECT_EQ(packed[i].op, program::kPackedClasses[i].op);
  }
}

}  // namespace
}  // namespace structured

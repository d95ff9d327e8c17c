// The plans that kernels make with cuDNN's backend API, by cuDNN itself and by the library that takes its place in
// tests. Neither needs a GPU: cuDNN also plans for a device whose properties are given as text.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <structured/base/error.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cuda/cudnn_plan.h"
#include "cuda/open_library.h"
#include "emulator.h"
#include "expect_error.h"

#if __has_include(<cudnn_backend.h>)
#include <cudnn_backend.h>
#define STRUCTURED_HAS_CUDNN_HEADER 1
#endif

namespace {

using namespace structured;
using namespace structured::kernels::cudnn;

#if defined(STRUCTURED_HAS_CUDNN_HEADER)
static_assert(CUDNN_MAJOR == 9);
static_assert(static_cast<int>(CUDNN_STATUS_SUCCESS) == kSuccess);

template <auto kOurs, auto kTheirs>
constexpr bool kIsEqual = static_cast<int>(kOurs) == static_cast<int>(kTheirs);

static_assert(kIsEqual<DataType::float32, CUDNN_DATA_FLOAT> && kIsEqual<DataType::float64, CUDNN_DATA_DOUBLE> &&
              kIsEqual<DataType::float16, CUDNN_DATA_HALF> && kIsEqual<DataType::bfloat16, CUDNN_DATA_BFLOAT16>);
static_assert(kIsEqual<ConvolutionMode::cross_correlation, CUDNN_CROSS_CORRELATION>);
static_assert(kIsEqual<HeuristicMode::a, CUDNN_HEUR_MODE_A> &&
              kIsEqual<HeuristicMode::fallback, CUDNN_HEUR_MODE_FALLBACK>);
static_assert(kIsEqual<NumericalNote::tensor_core, CUDNN_NUMERICAL_NOTE_TENSOR_CORE> &&
              kIsEqual<NumericalNote::down_convert_inputs, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS> &&
              kIsEqual<NumericalNote::nondeterministic, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC>);
static_assert(kIsEqual<Type::handle, CUDNN_TYPE_HANDLE> && kIsEqual<Type::data_type, CUDNN_TYPE_DATA_TYPE> &&
              kIsEqual<Type::int64, CUDNN_TYPE_INT64> && kIsEqual<Type::float32, CUDNN_TYPE_FLOAT> &&
              kIsEqual<Type::float64, CUDNN_TYPE_DOUBLE> && kIsEqual<Type::pointer, CUDNN_TYPE_VOID_PTR> &&
              kIsEqual<Type::convolution_mode, CUDNN_TYPE_CONVOLUTION_MODE> &&
              kIsEqual<Type::heuristic_mode, CUDNN_TYPE_HEUR_MODE> &&
              kIsEqual<Type::numerical_note, CUDNN_TYPE_NUMERICAL_NOTE> &&
              kIsEqual<Type::descriptor, CUDNN_TYPE_BACKEND_DESCRIPTOR>);
static_assert(kIsEqual<Kind::convolution, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR> &&
              kIsEqual<Kind::engine, CUDNN_BACKEND_ENGINE_DESCRIPTOR> &&
              kIsEqual<Kind::engine_config, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR> &&
              kIsEqual<Kind::heuristics, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR> &&
              kIsEqual<Kind::plan, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR> &&
              kIsEqual<Kind::forward, CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR> &&
              kIsEqual<Kind::backward_filter, CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR> &&
              kIsEqual<Kind::backward_data, CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR> &&
              kIsEqual<Kind::graph, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR> &&
              kIsEqual<Kind::variant_pack, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR> &&
              kIsEqual<Kind::tensor, CUDNN_BACKEND_TENSOR_DESCRIPTOR>);
static_assert(kIsEqual<Attribute::convolution_comp_type, CUDNN_ATTR_CONVOLUTION_COMP_TYPE> &&
              kIsEqual<Attribute::convolution_mode, CUDNN_ATTR_CONVOLUTION_CONV_MODE> &&
              kIsEqual<Attribute::convolution_dilations, CUDNN_ATTR_CONVOLUTION_DILATIONS> &&
              kIsEqual<Attribute::convolution_strides, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES> &&
              kIsEqual<Attribute::convolution_post_paddings, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS> &&
              kIsEqual<Attribute::convolution_pre_paddings, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS> &&
              kIsEqual<Attribute::convolution_spatial_dims, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS>);
static_assert(kIsEqual<Attribute::heuristics_mode, CUDNN_ATTR_ENGINEHEUR_MODE> &&
              kIsEqual<Attribute::heuristics_graph, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH> &&
              kIsEqual<Attribute::heuristics_results, CUDNN_ATTR_ENGINEHEUR_RESULTS> &&
              kIsEqual<Attribute::engine_config_engine, CUDNN_ATTR_ENGINECFG_ENGINE> &&
              kIsEqual<Attribute::engine_numerical_notes, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE> &&
              kIsEqual<Attribute::plan_handle, CUDNN_ATTR_EXECUTION_PLAN_HANDLE> &&
              kIsEqual<Attribute::plan_engine_config, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG> &&
              kIsEqual<Attribute::plan_workspace_size, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE>);
static_assert(kIsEqual<Attribute::forward_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA> &&
              kIsEqual<Attribute::forward_beta, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA> &&
              kIsEqual<Attribute::forward_convolution, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC> &&
              kIsEqual<Attribute::forward_w, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W> &&
              kIsEqual<Attribute::forward_x, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X> &&
              kIsEqual<Attribute::forward_y, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y>);
static_assert(kIsEqual<Attribute::backward_data_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA> &&
              kIsEqual<Attribute::backward_data_beta, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA> &&
              kIsEqual<Attribute::backward_data_convolution, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC> &&
              kIsEqual<Attribute::backward_data_w, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W> &&
              kIsEqual<Attribute::backward_data_dx, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX> &&
              kIsEqual<Attribute::backward_data_dy, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY>);
static_assert(kIsEqual<Attribute::backward_filter_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA> &&
              kIsEqual<Attribute::backward_filter_beta, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA> &&
              kIsEqual<Attribute::backward_filter_convolution, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC> &&
              kIsEqual<Attribute::backward_filter_dw, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW> &&
              kIsEqual<Attribute::backward_filter_x, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X> &&
              kIsEqual<Attribute::backward_filter_dy, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY>);
static_assert(kIsEqual<Attribute::graph_handle, CUDNN_ATTR_OPERATIONGRAPH_HANDLE> &&
              kIsEqual<Attribute::graph_operations, CUDNN_ATTR_OPERATIONGRAPH_OPS> &&
              kIsEqual<Attribute::tensor_alignment, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT> &&
              kIsEqual<Attribute::tensor_data_type, CUDNN_ATTR_TENSOR_DATA_TYPE> &&
              kIsEqual<Attribute::tensor_dimensions, CUDNN_ATTR_TENSOR_DIMENSIONS> &&
              kIsEqual<Attribute::tensor_strides, CUDNN_ATTR_TENSOR_STRIDES> &&
              kIsEqual<Attribute::tensor_id, CUDNN_ATTR_TENSOR_UNIQUE_ID> &&
              kIsEqual<Attribute::pack_ids, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS> &&
              kIsEqual<Attribute::pack_pointers, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS> &&
              kIsEqual<Attribute::pack_workspace, CUDNN_ATTR_VARIANT_PACK_WORKSPACE>);
#endif

// Numbers of cuDNN 9.8 and later, for devices that are given as text.
constexpr auto kDevice = static_cast<Kind>(38);                  // CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR
constexpr auto kDeviceText = static_cast<Attribute>(2702);       // CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION
constexpr auto kHeuristicsDevice = static_cast<Attribute>(204);  // CUDNN_ATTR_ENGINEHEUR_DEVICEPROP
constexpr auto kPlanDevice = static_cast<Attribute>(407);        // CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP
constexpr auto kText = static_cast<Type>(24);                    // CUDNN_TYPE_CHAR

constexpr const char* kH100 = R"({"deviceVer":900,"multiProcessorCount":132,"warpSize":32,
"maxSharedMemoryPerBlock":49152,"maxSharedMemoryPerBlockOptin":232448,"reservedSharedMemoryPerBlock":1024,
"maxRegistersPerSM":65536,"maxCtasPerSM":32,"maxThreadsPerBlock":1024,"maxThreadsPerSM":2048,"regsPerBlock":65536,
"totalGlobalMem":84929347584,"smClockRateKHz":1980000,"l2CacheSize":52428800,"maxBlockSize":[1024,1024,64],
"memClockRateKHz":2619000,"maxGridSize":[2147483647,65535,65535],"supportCoopLaunch":1,"pciDeviceId":0,"isTccDriver":0,
"cudaDeviceId":0,"driverVer":13000,"deviceName":"NVIDIA H100"})";
constexpr const char* kA100 = R"({"deviceVer":800,"multiProcessorCount":108,"warpSize":32,
"maxSharedMemoryPerBlock":49152,"maxSharedMemoryPerBlockOptin":166912,"reservedSharedMemoryPerBlock":1024,
"maxRegistersPerSM":65536,"maxCtasPerSM":32,"maxThreadsPerBlock":1024,"maxThreadsPerSM":2048,"regsPerBlock":65536,
"totalGlobalMem":42505273344,"smClockRateKHz":1410000,"l2CacheSize":41943040,"maxBlockSize":[1024,1024,64],
"memClockRateKHz":1215000,"maxGridSize":[2147483647,65535,65535],"supportCoopLaunch":1,"pciDeviceId":0,"isTccDriver":0,
"cudaDeviceId":0,"driverVer":13000,"deviceName":"NVIDIA A100"})";

/// A mistake in the call that sets an attribute.
enum class Mistake { none, left_out, other_type, one_less, one_more };

/// A library, the device that it plans for, and the mistake that the next plan makes. Calls of `api` go through this.
struct Session {
  Api library;
  Descriptor device = nullptr;  ///< if it is given as text: there is no handle then
  Handle handle = nullptr;
  Attribute wrong{};
  Mistake mistake = Mistake::none;
  std::vector<std::pair<Attribute, int64_t>> set;  ///< attributes that the plan has set, and numbers of values
};
Session* session = nullptr;

Status set_attribute(Descriptor descriptor, Attribute attribute, Type type, int64_t count, const void* values) {
  Session& s = *session;
  s.set.emplace_back(attribute, count);
  std::vector<int64_t> room(static_cast<std::size_t>(count) + 1, 1);  // 8 bytes for each value are enough
  const bool is_small = type == Type::data_type || type == Type::float32 || type == Type::convolution_mode ||
                        type == Type::heuristic_mode;
  std::copy_n(static_cast<const char*>(values), static_cast<std::size_t>(count) * (is_small ? 4 : 8),
              reinterpret_cast<char*>(room.data()));
  room.back() = room.front();
  if (attribute == s.wrong) {
    switch (s.mistake) {
      case Mistake::left_out:
        return kSuccess;
      case Mistake::other_type:
        type = type == Type::int64 ? Type::float64 : Type::int64;
        break;
      case Mistake::one_less:
        --count;
        break;
      case Mistake::one_more:
        ++count;
        break;
      case Mistake::none:
        break;
    }
  }
  if (s.device != nullptr && type == Type::handle) {
    if (attribute == Attribute::graph_handle) return kSuccess;
    return s.library.set_attribute(descriptor, kPlanDevice, Type::descriptor, 1, &s.device);
  }
  const Status status = s.library.set_attribute(descriptor, attribute, type, count, room.data());
  if (s.device == nullptr || attribute != Attribute::heuristics_graph || status != kSuccess) return status;
  return s.library.set_attribute(descriptor, kHeuristicsDevice, Type::descriptor, 1, &s.device);
}

/// Opens a library for the tests of one device.
class Library {
 public:
  /// Fails to open if `path` is not there, or if the library cannot plan for a device given as text.
  Library(const std::string& path, const char* device) {
    void* const opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* const error = opened == nullptr ? dlerror() : nullptr;
    if (opened == nullptr || !find_functions(opened, session_.library)) {
      reason_ = error != nullptr ? error : path + " lacks functions";
      return;
    }
    api_ = session_.library;
    api_.set_attribute = &set_attribute;
    if (device == nullptr) {
      check(api_, api_.create(&session_.handle), "cudnnCreate");
      return;
    }
    const Api& api = session_.library;
    const std::string text = device;
    if (api.create_descriptor(kDevice, &session_.device) != kSuccess ||
        api.set_attribute(session_.device, kDeviceText, kText, static_cast<int64_t>(text.size()), text.data()) !=
            kSuccess ||
        api.finalize(session_.device) != kSuccess) {
      reason_ = path + " does not plan for devices that are given as text, as cuDNN 9.8 does";
    }
  }

  const std::string& reason() const { return reason_; }
  const Api& api() const { return api_; }
  Handle handle() const { return session_.handle; }

  std::unique_ptr<Plan> plan(const Convolution& convolution, Attribute wrong = {}, Mistake mistake = Mistake::none) {
    session_.wrong = wrong;
    session_.mistake = mistake;
    session_.set.clear();
    session = &session_;
    return make_plan(api_, session_.handle, convolution);
  }
  bool has_plan(const Convolution& convolution, Attribute wrong = {}, Mistake mistake = Mistake::none) {
    return plan(convolution, wrong, mistake)->plan.get() != nullptr;
  }
  /// Attributes that the last plan has set.
  std::map<Attribute, int64_t> attributes() const { return {session_.set.begin(), session_.set.end()}; }

  std::vector<NumericalNote> notes(const Plan& plan) const {
    const OwnedDescriptor engine(api_, Kind::engine);
    const Descriptor descriptor = engine.get();
    int64_t count = 0;
    check(api_,
          api_.get_attribute(plan.config.get(), Attribute::engine_config_engine, Type::descriptor, 1, &count,
                             const_cast<Descriptor*>(&descriptor)),
          "cudnnBackendGetAttribute");
    std::vector<NumericalNote> notes(32);
    check(api_,
          api_.get_attribute(descriptor, Attribute::engine_numerical_notes, Type::numerical_note, 32, &count,
                             notes.data()),
          "cudnnBackendGetAttribute");
    notes.resize(static_cast<std::size_t>(count));
    return notes;
  }

 private:
  Session session_;
  Api api_;
  std::string reason_;
};

std::string real_path() {
  const std::string toolkit = "/usr/local/cuda/lib64/libcudnn.so.9";
  return std::filesystem::exists(toolkit) ? toolkit : kSoname;
}

// Opens the library `real` for a device, or else skips the test.
#define STRUCTURED_OPEN_CUDNN(name, device) \
  Library name(real_path(), device);        \
  if (!name.reason().empty()) GTEST_SKIP() << "cuDNN cannot be opened: " << name.reason()

Convolution convolution_of(Kind kind, DataType dtype, int64_t rank, int64_t groups, bool is_channels_last) {
  Convolution result;
  result.kind = kind;
  result.dtype = dtype;
  result.is_channels_last = is_channels_last;
  result.rank = rank;
  result.samples = 2;
  result.groups = groups;
  result.wide_channels = 16 * groups;
  result.narrow_channels = 32 * groups;
  result.wide.fill(15);
  result.narrow.fill(8);
  result.kernel.fill(3);
  result.stride.fill(2);
  result.padding.fill(1);
  result.dilation.fill(1);
  result.alignments.fill(16);
  return result;
}

constexpr Kind kKinds[] = {Kind::forward, Kind::backward_data, Kind::backward_filter};

std::vector<Convolution> all_convolutions() {
  std::vector<Convolution> all;
  for (const Kind kind : kKinds) {
    for (const DataType dtype : {DataType::float32, DataType::float64, DataType::float16, DataType::bfloat16}) {
      for (const int64_t rank : {2, 3}) {
        for (const int64_t groups : {1, 2}) {
          for (const bool is_channels_last : {false, true}) {
            all.push_back(convolution_of(kind, dtype, rank, groups, is_channels_last));
          }
        }
      }
    }
  }
  return all;
}

std::string name_of(const Convolution& convolution) {
  return "kind " + std::to_string(static_cast<int>(convolution.kind)) + ", dtype " +
         std::to_string(static_cast<int>(convolution.dtype)) + ", rank " + std::to_string(convolution.rank) +
         ", groups " + std::to_string(convolution.groups) + (convolution.is_channels_last ? ", channels last" : "");
}

TEST(CudnnLibrary, PlansEveryConvolution) {
  for (const char* const device : {kH100, kA100}) {
    STRUCTURED_OPEN_CUDNN(real, device);
    for (const Convolution& each : all_convolutions()) {
      const std::unique_ptr<Plan> plan = real.plan(each);
      ASSERT_NE(plan->plan.get(), nullptr) << name_of(each);
      for (const NumericalNote note : real.notes(*plan)) {
        EXPECT_NE(note, NumericalNote::nondeterministic) << name_of(each);
        EXPECT_NE(note, NumericalNote::down_convert_inputs) << name_of(each);
        EXPECT_FALSE(note == NumericalNote::tensor_core && each.dtype == DataType::float32) << name_of(each);
      }
    }
  }
}

// Plans of float would otherwise use tensor cores: those of Half, whose heuristics are alike, do.
TEST(CudnnLibrary, PlansHalfForTensorCores) {
  STRUCTURED_OPEN_CUDNN(real, kH100);
  for (const Kind kind : kKinds) {
    Convolution convolution = convolution_of(kind, DataType::float16, 2, 1, true);
    convolution.samples = 32;
    convolution.wide_channels = convolution.narrow_channels = 256;
    convolution.wide = {1, 28, 28};
    convolution.narrow = {1, 14, 14};
    const std::unique_ptr<Plan> plan = real.plan(convolution);
    ASSERT_NE(plan->plan.get(), nullptr);
    const std::vector<NumericalNote> notes = real.notes(*plan);
    EXPECT_NE(std::ranges::find(notes, NumericalNote::tensor_core), notes.end()) << name_of(convolution);
  }
}

// The shapes of a ResNet-50, forwards and backwards.
TEST(CudnnLibrary, PlansAKnownNetwork) {
  STRUCTURED_OPEN_CUDNN(real, kH100);
  struct Layer {
    int64_t wide_channels, narrow_channels, size, kernel, stride, padding;
  };
  for (const Layer& layer : {Layer{3, 64, 224, 7, 2, 3}, Layer{64, 64, 56, 3, 1, 1}, Layer{256, 128, 56, 1, 1, 0},
                             Layer{512, 1024, 28, 1, 2, 0}, Layer{512, 512, 7, 3, 1, 1}}) {
    for (const Kind kind : kKinds) {
      Convolution convolution = convolution_of(kind, DataType::bfloat16, 2, 1, true);
      convolution.samples = 32;
      convolution.wide_channels = layer.wide_channels;
      convolution.narrow_channels = layer.narrow_channels;
      convolution.wide = {1, layer.size, layer.size};
      convolution.kernel = {1, layer.kernel, layer.kernel};
      convolution.stride = {1, layer.stride, layer.stride};
      convolution.padding = {0, layer.padding, layer.padding};
      const int64_t size = (layer.size + 2 * layer.padding - layer.kernel) / layer.stride + 1;
      convolution.narrow = {1, size, size};
      EXPECT_TRUE(real.has_plan(convolution)) << layer.size << ", " << name_of(convolution);
    }
  }
}

// The addresses of a convolution are accepted, with and without a workspace; it cannot be executed without a handle.
TEST(CudnnLibrary, AcceptsAddresses) {
  STRUCTURED_OPEN_CUDNN(real, kH100);
  const std::unique_ptr<Plan> plan = real.plan(convolution_of(Kind::forward, DataType::float32, 2, 1, false));
  alignas(16) char memory[16];
  for (void* const workspace : {static_cast<void*>(nullptr), static_cast<void*>(memory)}) {
    test::expect_error([&] { execute(real.api(), nullptr, *plan, memory, memory, memory, workspace); },
                       "in `cudnnBackendExecute`");
  }
}

#if defined(STRUCTURED_FAKE_CUDNN)
std::string fake_path() { return std::string(STRUCTURED_FAKE_LIBRARIES) + "/libcudnn.so.9"; }

// Plans with a mistake in one attribute: the library of the tests refuses all that cuDNN refuses, and also those
// without an attribute for which cuDNN has a default.
TEST(CudnnLibrary, RefusesTheMistakesThatTheLibraryOfTheTestsRefuses) {
  STRUCTURED_OPEN_CUDNN(real, kH100);
  Library fake(fake_path(), nullptr);
  ASSERT_EQ(fake.reason(), "");
  int refused = 0;
  for (const Kind kind : kKinds) {
    const Convolution convolution = convolution_of(kind, DataType::float32, 2, 2, false);
    ASSERT_TRUE(real.has_plan(convolution));
    ASSERT_TRUE(fake.has_plan(convolution));
    const std::map<Attribute, int64_t> attributes = fake.attributes();
    EXPECT_GT(attributes.size(), 20u);
    for (const auto& [attribute, count] : attributes) {
      if (attribute == Attribute::graph_handle || attribute == Attribute::plan_handle) continue;  // not of a text
      for (const Mistake mistake : {Mistake::left_out, Mistake::other_type, Mistake::one_less, Mistake::one_more}) {
        const bool is_accepted = real.has_plan(convolution, attribute, mistake);
        EXPECT_TRUE(!fake.has_plan(convolution, attribute, mistake) || (is_accepted && mistake != Mistake::left_out))
            << "attribute " << static_cast<int>(attribute) << ", mistake " << static_cast<int>(mistake);
        EXPECT_TRUE(!is_accepted || mistake == Mistake::left_out)
            << "attribute " << static_cast<int>(attribute) << ", mistake " << static_cast<int>(mistake);
        refused += !is_accepted;
      }
    }
  }
  EXPECT_GT(refused, 100);
}

// Convolutions that are none, or unusual.
TEST(CudnnLibrary, RefusesTheShapesThatTheLibraryOfTheTestsRefuses) {
  STRUCTURED_OPEN_CUDNN(real, kH100);
  Library fake(fake_path(), nullptr);
  ASSERT_EQ(fake.reason(), "");
  using Change = void (*)(Convolution&);
  const std::vector<std::pair<const char*, Change>> changes = {
      {"none", [](Convolution&) {}},
      {"larger narrow", [](Convolution& c) { c.narrow[2] = 9; }},
      {"smaller narrow", [](Convolution& c) { c.narrow[1] = 7; }},
      {"larger wide, as with output_padding", [](Convolution& c) { c.wide[2] = 16; }},
      {"no samples", [](Convolution& c) { c.samples = 0; }},
      {"no channels", [](Convolution& c) { c.wide_channels = 0; }},
      {"indivisible channels", [](Convolution& c) { c.narrow_channels = 33, c.groups = 2; }},
      {"large kernel", [](Convolution& c) { c.kernel[2] = 18; }},
      {"stride 0", [](Convolution& c) { c.stride[1] = 0; }},
      {"dilation 0", [](Convolution& c) { c.dilation[1] = 0; }},
      {"negative padding", [](Convolution& c) { c.padding[2] = -1, c.narrow[2] = 6; }},
      {"alignment 2", [](Convolution& c) { c.alignments[0] = 2; }},
      {"alignment 3", [](Convolution& c) { c.alignments[1] = 3; }},
      {"alignment 0", [](Convolution& c) { c.alignments[2] = 0; }},
      {"height 1", [](Convolution& c) { c.wide[1] = c.narrow[1] = c.kernel[1] = c.stride[1] = 1, c.padding[1] = 0; }}};
  for (const Kind kind : kKinds) {
    for (const auto& [name, change] : changes) {
      Convolution convolution = convolution_of(kind, DataType::float32, 2, 1, false);
      change(convolution);
      EXPECT_EQ(fake.has_plan(convolution), real.has_plan(convolution)) << name << ", " << name_of(convolution);
    }
  }
}

// A plan whose work is not done may not be destroyed. PlanCache waits for it.
TEST(CudnnLibrary, OfTheTestsMissesPlansThatAreDestroyedTooEarly) {
  Library fake(fake_path(), nullptr);
  ASSERT_EQ(fake.reason(), "");
  alignas(16) char memory[16];
  emulator::set_late_streams(true);
  {
    const std::unique_ptr<Plan> plan = fake.plan(convolution_of(Kind::forward, DataType::float32, 2, 1, false));
    execute(fake.api(), fake.handle(), *plan, memory, memory, memory, memory);
  }
  emulator::set_late_streams(false);
  EXPECT_EQ(emulator::fault(), "cuDNN: a plan was destroyed before its work was done");
  emulator::clear_fault();
}
#endif

}  // namespace

#include "cuda/cudnn_plan.h"

#include <structured/base/error.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "cuda/open_library.h"

namespace structured::kernels::cudnn {
namespace {

constexpr std::size_t kMostWorkspaceBytes = std::size_t{1} << 30;

// Identifiers of the tensors in a variant pack.
enum Id : int64_t { kWide = 1, kWeight = 2, kNarrow = 3 };

using Sizes = std::vector<int64_t>;

/// Sets attributes of a descriptor, until the library refuses one.
class Builder {
 public:
  Builder(const Api& api, Kind kind) : api_(api), descriptor_(api, kind) {}

  Builder& set(Attribute attribute, Type type, int64_t count, const void* values) {
    if (is_accepted_) is_accepted_ = api_.set_attribute(descriptor_.get(), attribute, type, count, values) == kSuccess;
    return *this;
  }
  Builder& set(Attribute attribute, int64_t value) { return set(attribute, Type::int64, 1, &value); }
  Builder& set(Attribute attribute, const Sizes& sizes) {
    return set(attribute, Type::int64, static_cast<int64_t>(sizes.size()), sizes.data());
  }
  Builder& set(Attribute attribute, DataType value) { return set(attribute, Type::data_type, 1, &value); }
  Builder& set(Attribute attribute, const OwnedDescriptor& value) {
    const Descriptor descriptor = value.get();
    return set(attribute, Type::descriptor, 1, &descriptor);
  }
  Builder& set_handle(Attribute attribute, Handle handle) { return set(attribute, Type::handle, 1, &handle); }

  /// Returns nothing if the library has refused an attribute, or refuses their combination.
  std::optional<OwnedDescriptor> finish() {
    if (!is_accepted_ || api_.finalize(descriptor_.get()) != kSuccess) return std::nullopt;
    return std::move(descriptor_);
  }

 private:
  const Api& api_;
  OwnedDescriptor descriptor_;
  bool is_accepted_ = true;
};

// The last `rank` elements of a list for three axes.
Sizes axes_of(const Convolution& convolution, const std::array<int64_t, 3>& list) {
  return Sizes(list.end() - convolution.rank, list.end());
}

std::optional<OwnedDescriptor> make_tensor(const Api& api, const Convolution& convolution, Id id, int64_t rows,
                                           int64_t columns, const std::array<int64_t, 3>& extents) {
  Sizes sizes{rows, columns};
  const Sizes axes = axes_of(convolution, extents);
  sizes.insert(sizes.end(), axes.begin(), axes.end());
  Sizes strides(sizes.size());
  int64_t step = 1;
  const auto place = [&](std::size_t d) {
    strides[d] = step;
    step *= sizes[d];
  };
  if (convolution.is_channels_last) place(1);
  for (std::size_t d = sizes.size(); d-- > 2;) place(d);
  if (!convolution.is_channels_last) place(1);
  place(0);
  return Builder(api, Kind::tensor)
      .set(Attribute::tensor_data_type, convolution.dtype)
      .set(Attribute::tensor_dimensions, sizes)
      .set(Attribute::tensor_strides, strides)
      .set(Attribute::tensor_id, id)
      .set(Attribute::tensor_alignment, convolution.alignments[static_cast<std::size_t>(id - kWide)])
      .finish();
}

/// Attributes of the operation of each kind.
struct OperationAttributes {
  Attribute alpha, beta, convolution, weight, wide, narrow;
};
OperationAttributes attributes_of(Kind kind) {
  switch (kind) {
    case Kind::forward:
      return {Attribute::forward_alpha, Attribute::forward_beta, Attribute::forward_convolution,
              Attribute::forward_w,     Attribute::forward_x,    Attribute::forward_y};
    case Kind::backward_data:
      return {Attribute::backward_data_alpha, Attribute::backward_data_beta, Attribute::backward_data_convolution,
              Attribute::backward_data_w,     Attribute::backward_data_dx,   Attribute::backward_data_dy};
    default:
      return {Attribute::backward_filter_alpha, Attribute::backward_filter_beta, Attribute::backward_filter_convolution,
              Attribute::backward_filter_dw,    Attribute::backward_filter_x,    Attribute::backward_filter_dy};
  }
}

std::optional<OwnedDescriptor> make_operation(const Api& api, const Convolution& convolution) {
  const bool is_double = convolution.dtype == DataType::float64;
  const std::optional<OwnedDescriptor> wide =
      make_tensor(api, convolution, kWide, convolution.samples, convolution.wide_channels, convolution.wide);
  const std::optional<OwnedDescriptor> weight =
      make_tensor(api, convolution, kWeight, convolution.narrow_channels,
                  convolution.wide_channels / convolution.groups, convolution.kernel);
  const std::optional<OwnedDescriptor> narrow =
      make_tensor(api, convolution, kNarrow, convolution.samples, convolution.narrow_channels, convolution.narrow);
  constexpr ConvolutionMode mode = ConvolutionMode::cross_correlation;
  const std::optional<OwnedDescriptor> windows =
      Builder(api, Kind::convolution)
          .set(Attribute::convolution_spatial_dims, convolution.rank)
          .set(Attribute::convolution_comp_type, is_double ? DataType::float64 : DataType::float32)
          .set(Attribute::convolution_mode, Type::convolution_mode, 1, &mode)
          .set(Attribute::convolution_pre_paddings, axes_of(convolution, convolution.padding))
          .set(Attribute::convolution_post_paddings, axes_of(convolution, convolution.padding))
          .set(Attribute::convolution_strides, axes_of(convolution, convolution.stride))
          .set(Attribute::convolution_dilations, axes_of(convolution, convolution.dilation))
          .finish();
  if (!wide || !weight || !narrow || !windows) return std::nullopt;
  const OperationAttributes attributes = attributes_of(convolution.kind);
  Builder operation(api, convolution.kind);
  const auto set_factor = [&](Attribute attribute, double factor) {
    const auto single = static_cast<float>(factor);
    operation.set(attribute, is_double ? Type::float64 : Type::float32, 1,
                  is_double ? static_cast<const void*>(&factor) : &single);
  };
  set_factor(attributes.alpha, 1);
  set_factor(attributes.beta, 0);
  return operation.set(attributes.convolution, *windows)
      .set(attributes.weight, *weight)
      .set(attributes.wide, *wide)
      .set(attributes.narrow, *narrow)
      .finish();
}

// Returns the values of an attribute that are descriptors, in place of those in `room`.
std::span<OwnedDescriptor> read_descriptors(const Api& api, Descriptor from, Attribute attribute,
                                            std::span<OwnedDescriptor> room) {
  std::vector<Descriptor> descriptors;
  for (const OwnedDescriptor& each : room) descriptors.push_back(each.get());
  int64_t count = 0;
  const Status status = api.get_attribute(from, attribute, Type::descriptor, static_cast<int64_t>(room.size()), &count,
                                          descriptors.data());
  if (status != kSuccess) return {};
  return room.first(std::min(static_cast<std::size_t>(count), room.size()));
}

// Configurations of engines for a graph, best first.
std::vector<OwnedDescriptor> find_configs(const Api& api, const OwnedDescriptor& graph, HeuristicMode mode) {
  const std::optional<OwnedDescriptor> heuristics = Builder(api, Kind::heuristics)
                                                        .set(Attribute::heuristics_graph, graph)
                                                        .set(Attribute::heuristics_mode, Type::heuristic_mode, 1, &mode)
                                                        .finish();
  std::vector<OwnedDescriptor> configs;
  int64_t count = 0;
  if (!heuristics || api.get_attribute(heuristics->get(), Attribute::heuristics_results, Type::descriptor, 0, &count,
                                       nullptr) != kSuccess) {
    return configs;
  }
  for (int64_t i = 0; i < count; ++i) configs.emplace_back(api, Kind::engine_config);
  configs.resize(read_descriptors(api, heuristics->get(), Attribute::heuristics_results, configs).size());
  return configs;
}

// Whether results of a configuration's engine are those that make_plan promises.
bool is_acceptable(const Api& api, const Convolution& convolution, const OwnedDescriptor& config) {
  OwnedDescriptor engine(api, Kind::engine);
  if (read_descriptors(api, config.get(), Attribute::engine_config_engine, {&engine, 1}).empty()) return false;
  std::array<NumericalNote, 32> notes{};
  int64_t count = 0;
  if (api.get_attribute(engine.get(), Attribute::engine_numerical_notes, Type::numerical_note, notes.size(), &count,
                        notes.data()) != kSuccess) {
    return false;
  }
  return std::none_of(notes.begin(), notes.begin() + count, [&](NumericalNote note) {
    return note == NumericalNote::nondeterministic || note == NumericalNote::down_convert_inputs ||
           note == NumericalNote::reduced_precision_reduction ||
           // Tensor cores round Float to TF32.
           (note == NumericalNote::tensor_core && convolution.dtype == DataType::float32);
  });
}

}  // namespace

bool find_functions(void* library, Api& api) {
  return find_function(library, "cudnnCreate", api.create) &&
         find_function(library, "cudnnSetStream", api.set_stream) &&
         find_function(library, "cudnnGetErrorString", api.error_string) &&
         find_function(library, "cudnnBackendCreateDescriptor", api.create_descriptor) &&
         find_function(library, "cudnnBackendDestroyDescriptor", api.destroy_descriptor) &&
         find_function(library, "cudnnBackendSetAttribute", api.set_attribute) &&
         find_function(library, "cudnnBackendGetAttribute", api.get_attribute) &&
         find_function(library, "cudnnBackendFinalize", api.finalize) &&
         find_function(library, "cudnnBackendExecute", api.execute);
}

void check(const Api& api, Status status, const char* function) {
  STRUCTURED_CHECK(status == kSuccess, "cuDNN: ", api.error_string(status), " in `", function, "`");
}

OwnedDescriptor::OwnedDescriptor(const Api& api, Kind kind) : api_(&api) {
  check(api, api.create_descriptor(kind, &descriptor_), "cudnnBackendCreateDescriptor");
}

std::unique_ptr<Plan> make_plan(const Api& api, Handle handle, const Convolution& convolution) {
  auto result = std::make_unique<Plan>();
  const std::optional<OwnedDescriptor> operation = make_operation(api, convolution);
  if (!operation) return result;
  const std::optional<OwnedDescriptor> graph = Builder(api, Kind::graph)
                                                   .set_handle(Attribute::graph_handle, handle)
                                                   .set(Attribute::graph_operations, *operation)
                                                   .finish();
  if (!graph) return result;
  for (const HeuristicMode mode : {HeuristicMode::a, HeuristicMode::fallback}) {
    for (OwnedDescriptor& config : find_configs(api, *graph, mode)) {
      if (!is_acceptable(api, convolution, config)) continue;
      std::optional<OwnedDescriptor> plan = Builder(api, Kind::plan)
                                                .set_handle(Attribute::plan_handle, handle)
                                                .set(Attribute::plan_engine_config, config)
                                                .finish();
      int64_t bytes = 0;
      int64_t count = 0;
      if (!plan ||
          api.get_attribute(plan->get(), Attribute::plan_workspace_size, Type::int64, 1, &count, &bytes) != kSuccess) {
        continue;
      }
      if (static_cast<std::size_t>(bytes) > kMostWorkspaceBytes) continue;
      result->config = std::move(config);
      result->plan = std::move(*plan);
      result->workspace_bytes = static_cast<std::size_t>(bytes);
      return result;
    }
  }
  return result;
}

void execute(const Api& api, Handle handle, const Plan& plan, const void* wide, const void* weight, const void* narrow,
             void* workspace) {
  constexpr int64_t kIds[] = {kWide, kWeight, kNarrow};
  const void* const pointers[] = {wide, weight, narrow};
  const std::optional<OwnedDescriptor> pack = Builder(api, Kind::variant_pack)
                                                  .set(Attribute::pack_ids, Type::int64, 3, kIds)
                                                  .set(Attribute::pack_pointers, Type::pointer, 3, pointers)
                                                  .set(Attribute::pack_workspace, Type::pointer, 1, &workspace)
                                                  .finish();
  STRUCTURED_CHECK(pack.has_value(), "cuDNN: the addresses of a convolution were refused");
  check(api, api.execute(handle, plan.plan.get(), pack->get()), "cudnnBackendExecute");
}

}  // namespace structured::kernels::cudnn

// Takes the place of cuDNN: convolutions by loops, done in the order of the stream. Supports the descriptors that
// kernels/cuda/cudnn_plan.cpp makes, and refuses what cuDNN refuses; test/cuda/cudnn_library_test.cpp compares both.
//
// Three engines compute a convolution. The heuristics prefer one that rounds factors to TF32, then one whose results
// are wrong by a tenth and declared to be nondeterministic: only the third is good enough for all dtypes.
#include "cuda/cudnn_api.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "elements.h"
#include "emulator.h"

namespace {

using namespace structured::kernels::cudnn;

constexpr Status kBadParameter = 2000;      // CUDNN_STATUS_BAD_PARAM
constexpr Status kNotSupported = 3000;      // CUDNN_STATUS_NOT_SUPPORTED
constexpr int64_t kUnsupportedKernel = 13;  // width of kernels without an engine, for a test
constexpr std::size_t kWorkBytes = 1000;

struct Value {
  Type type = Type::int64;
  int64_t count = 0;
  std::vector<char> bytes;

  template <class T>
  T at(int64_t i = 0) const {
    T result;
    std::memcpy(&result, bytes.data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    return result;
  }
  template <class T>
  std::vector<T> all() const {
    std::vector<T> result;
    for (int64_t i = 0; i < count; ++i) result.push_back(at<T>(i));
    return result;
  }
};

struct Tensor {
  DataType type = DataType::float32;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  int64_t id = 0;
  int64_t alignment = 1;

  std::size_t bytes() const;
};
struct Windows {
  std::vector<int64_t> stride, padding, dilation;
};
struct Operation {
  Kind kind = Kind::forward;
  Windows windows;
  Tensor x, w, y;  ///< wide tensor, weight, narrow tensor
  int64_t groups = 1;
};
enum class Engine { tensor_cores, nondeterministic, exact };

/// A descriptor of any kind: its attributes, and what they amount to once it is finalised.
struct Node {
  Kind kind = Kind::tensor;
  bool is_final = false;
  std::map<Attribute, Value> attributes;
  Tensor tensor;
  Windows windows;
  std::optional<Operation> operation;  ///< graphs, heuristics, configurations and plans have one, too
  Engine engine = Engine::exact;
  std::shared_ptr<const bool> life;  ///< until a plan is destroyed

  bool has(Attribute attribute) const { return attributes.contains(attribute); }
  const Value& operator[](Attribute attribute) const { return attributes.at(attribute); }
};

Node& node_of(Descriptor descriptor) { return *static_cast<Node*>(descriptor); }
const Node& node_in(const Node& node, Attribute attribute) { return node_of(node[attribute].at<Descriptor>()); }

/// Attributes that a kind of descriptor has, with their types and the most values.
struct Rule {
  Kind kind;
  Attribute attribute;
  std::vector<Type> types;
  int64_t most = 1;
  Kind expected = Kind::tensor;  ///< kind of a descriptor that is a value
  bool is_required = true;
};

const std::vector<Rule>& rules() {
  static const auto& all = *new std::vector<Rule>{
      {Kind::tensor, Attribute::tensor_data_type, {Type::data_type}},
      {Kind::tensor, Attribute::tensor_dimensions, {Type::int64}, 8},
      {Kind::tensor, Attribute::tensor_strides, {Type::int64}, 8},
      {Kind::tensor, Attribute::tensor_id, {Type::int64}},
      {Kind::tensor, Attribute::tensor_alignment, {Type::int64}},
      {Kind::convolution, Attribute::convolution_comp_type, {Type::data_type}},
      {Kind::convolution, Attribute::convolution_mode, {Type::convolution_mode}},
      {Kind::convolution, Attribute::convolution_spatial_dims, {Type::int64}},
      {Kind::convolution, Attribute::convolution_pre_paddings, {Type::int64}, 3},
      {Kind::convolution, Attribute::convolution_post_paddings, {Type::int64}, 3},
      {Kind::convolution, Attribute::convolution_strides, {Type::int64}, 3},
      {Kind::convolution, Attribute::convolution_dilations, {Type::int64}, 3},
      {Kind::forward, Attribute::forward_alpha, {Type::float32, Type::float64}},
      {Kind::forward, Attribute::forward_beta, {Type::float32, Type::float64}},
      {Kind::forward, Attribute::forward_convolution, {Type::descriptor}, 1, Kind::convolution},
      {Kind::forward, Attribute::forward_w, {Type::descriptor}},
      {Kind::forward, Attribute::forward_x, {Type::descriptor}},
      {Kind::forward, Attribute::forward_y, {Type::descriptor}},
      {Kind::backward_data, Attribute::backward_data_alpha, {Type::float32, Type::float64}},
      {Kind::backward_data, Attribute::backward_data_beta, {Type::float32, Type::float64}},
      {Kind::backward_data, Attribute::backward_data_convolution, {Type::descriptor}, 1, Kind::convolution},
      {Kind::backward_data, Attribute::backward_data_w, {Type::descriptor}},
      {Kind::backward_data, Attribute::backward_data_dx, {Type::descriptor}},
      {Kind::backward_data, Attribute::backward_data_dy, {Type::descriptor}},
      {Kind::backward_filter, Attribute::backward_filter_alpha, {Type::float32, Type::float64}},
      {Kind::backward_filter, Attribute::backward_filter_beta, {Type::float32, Type::float64}},
      {Kind::backward_filter, Attribute::backward_filter_convolution, {Type::descriptor}, 1, Kind::convolution},
      {Kind::backward_filter, Attribute::backward_filter_dw, {Type::descriptor}},
      {Kind::backward_filter, Attribute::backward_filter_x, {Type::descriptor}},
      {Kind::backward_filter, Attribute::backward_filter_dy, {Type::descriptor}},
      {Kind::graph, Attribute::graph_handle, {Type::handle}},
      {Kind::graph, Attribute::graph_operations, {Type::descriptor}, 1, Kind::forward},
      {Kind::heuristics, Attribute::heuristics_graph, {Type::descriptor}, 1, Kind::graph},
      {Kind::heuristics, Attribute::heuristics_mode, {Type::heuristic_mode}},
      {Kind::plan, Attribute::plan_handle, {Type::handle}},
      {Kind::plan, Attribute::plan_engine_config, {Type::descriptor}, 1, Kind::engine_config},
      {Kind::variant_pack, Attribute::pack_ids, {Type::int64}, 3},
      {Kind::variant_pack, Attribute::pack_pointers, {Type::pointer}, 3},
      {Kind::variant_pack, Attribute::pack_workspace, {Type::pointer}},
  };
  return all;
}

bool is_operation(Kind kind) {
  return kind == Kind::forward || kind == Kind::backward_data || kind == Kind::backward_filter;
}

std::size_t size_of_value(Type type) {
  switch (type) {
    case Type::data_type:
    case Type::float32:
    case Type::convolution_mode:
    case Type::heuristic_mode:
    case Type::numerical_note:
      return 4;
    default:
      return 8;
  }
}

cudaDataType_t cuda_type(DataType type) {
  switch (type) {
    case DataType::float64:
      return CUDA_R_64F;
    case DataType::float16:
      return CUDA_R_16F;
    case DataType::bfloat16:
      return CUDA_R_16BF;
    default:
      return CUDA_R_32F;
  }
}

std::size_t Tensor::bytes() const {
  int64_t last = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) last += (sizes[d] - 1) * strides[d];
  return static_cast<std::size_t>(last + 1) * emulator::size_of(cuda_type(type));
}

bool are_at_least(const std::vector<int64_t>& values, int64_t least) {
  return std::ranges::all_of(values, [=](int64_t value) { return value >= least; });
}

// ------------------------------------------------------------------------------------------------- finalising

bool finish_tensor(Node& node) {
  node.tensor = {node[Attribute::tensor_data_type].at<DataType>(), node[Attribute::tensor_dimensions].all<int64_t>(),
                 node[Attribute::tensor_strides].all<int64_t>(), node[Attribute::tensor_id].at<int64_t>(),
                 node[Attribute::tensor_alignment].at<int64_t>()};
  return node.tensor.sizes.size() == node.tensor.strides.size() && are_at_least(node.tensor.sizes, 1) &&
         are_at_least(node.tensor.strides, 0) &&
         node.tensor.alignment >= static_cast<int64_t>(emulator::size_of(cuda_type(node.tensor.type))) &&
         std::has_single_bit(static_cast<uint64_t>(node.tensor.alignment));
}

bool finish_windows(Node& node) {
  node.windows = {node[Attribute::convolution_strides].all<int64_t>(),
                  node[Attribute::convolution_pre_paddings].all<int64_t>(),
                  node[Attribute::convolution_dilations].all<int64_t>()};
  const auto rank = static_cast<std::size_t>(node[Attribute::convolution_spatial_dims].at<int64_t>());
  return node.windows.stride.size() == rank && node.windows.padding.size() == rank &&
         node.windows.dilation.size() == rank && are_at_least(node.windows.stride, 1) &&
         are_at_least(node.windows.padding, 0) && are_at_least(node.windows.dilation, 1) &&
         node[Attribute::convolution_post_paddings].all<int64_t>() == node.windows.padding;
}

bool finish_operation(Node& node) {
  const auto base = node.kind == Kind::forward         ? Attribute::forward_alpha
                    : node.kind == Kind::backward_data ? Attribute::backward_data_alpha
                                                       : Attribute::backward_filter_alpha;
  const auto attribute = [base](int i) { return static_cast<Attribute>(static_cast<int>(base) + i); };
  Operation made{node.kind, node_in(node, attribute(2)).windows, node_in(node, attribute(4)).tensor,
                 node_in(node, attribute(3)).tensor, node_in(node, attribute(5)).tensor};
  const std::size_t rank = made.windows.stride.size();
  for (const Tensor* const each : {&made.x, &made.w, &made.y}) {
    if (each->sizes.size() != rank + 2 || each->type != made.x.type) return false;
  }
  if (made.x.sizes[0] != made.y.sizes[0] || made.w.sizes[0] != made.y.sizes[1] ||
      made.x.sizes[1] % made.w.sizes[1] != 0) {
    return false;
  }
  made.groups = made.x.sizes[1] / made.w.sizes[1];
  if (made.y.sizes[1] % made.groups != 0) return false;
  for (std::size_t d = 0; d < rank; ++d) {
    const int64_t room =
        made.x.sizes[d + 2] + 2 * made.windows.padding[d] - made.windows.dilation[d] * (made.w.sizes[d + 2] - 1) - 1;
    if (room < 0 || room / made.windows.stride[d] + 1 != made.y.sizes[d + 2]) return false;
  }
  node.operation = made;
  return true;
}

bool finish(Node& node) {
  for (const Rule& rule : rules()) {
    if (rule.kind == node.kind && rule.is_required && !node.has(rule.attribute)) return false;
  }
  switch (node.kind) {
    case Kind::tensor:
      return finish_tensor(node);
    case Kind::convolution:
      return finish_windows(node);
    case Kind::forward:
    case Kind::backward_data:
    case Kind::backward_filter:
      return finish_operation(node);
    case Kind::graph:
      node.operation = node_in(node, Attribute::graph_operations).operation;
      return true;
    case Kind::heuristics:
      node.operation = node_in(node, Attribute::heuristics_graph).operation;
      return true;
    case Kind::plan: {
      const Node& config = node_in(node, Attribute::plan_engine_config);
      node.operation = config.operation;
      node.engine = config.engine;
      node.life = std::make_shared<const bool>(true);
      emulator::count_plans(1);
      return true;
    }
    default:
      return true;
  }
}

// -------------------------------------------------------------------------------------------------- computing

// Calls `body(x, w, y)` with the offsets of all products of a convolution, in elements.
template <class Body>
void for_each_product(const Operation& operation, const Body& body) {
  const Tensor& x = operation.x;
  const Tensor& w = operation.w;
  const Tensor& y = operation.y;
  const std::size_t rank = operation.windows.stride.size();
  const int64_t columns = w.sizes[1];
  const int64_t rows = w.sizes[0] / operation.groups;
  std::vector<int64_t> at(2 * rank, 0);  // position of the window, and within it
  const auto advance = [&] {
    for (std::size_t d = 2 * rank; d-- > 0;) {
      if (++at[d] < (d < rank ? y.sizes[d + 2] : w.sizes[d - rank + 2])) return true;
      at[d] = 0;
    }
    return false;
  };
  do {
    int64_t x_place = 0;
    int64_t w_place = 0;
    int64_t y_place = 0;
    bool is_inside = true;
    for (std::size_t d = 0; d < rank; ++d) {
      const int64_t from = at[d] * operation.windows.stride[d] - operation.windows.padding[d] +
                           at[d + rank] * operation.windows.dilation[d];
      is_inside = is_inside && from >= 0 && from < x.sizes[d + 2];
      x_place += from * x.strides[d + 2];
      w_place += at[d + rank] * w.strides[d + 2];
      y_place += at[d] * y.strides[d + 2];
    }
    if (!is_inside) continue;
    for (int64_t sample = 0; sample < x.sizes[0]; ++sample) {
      for (int64_t row = 0; row < w.sizes[0]; ++row) {
        for (int64_t column = 0; column < columns; ++column) {
          body(x_place + sample * x.strides[0] + (row / rows * columns + column) * x.strides[1],
               w_place + row * w.strides[0] + column * w.strides[1],
               y_place + sample * y.strides[0] + row * y.strides[1]);
        }
      }
    }
  } while (advance());
}

double to_tf32(double value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<float>(bits & 0xffffe000u);
}

void compute(const Operation& operation, Engine engine, const std::array<char*, 3>& data) {
  const Tensor* const tensors[] = {&operation.x, &operation.w, &operation.y};
  const std::size_t target = operation.kind == Kind::forward ? 2 : operation.kind == Kind::backward_data ? 0 : 1;
  const cudaDataType_t type = cuda_type(operation.x.type);
  const auto size = static_cast<int64_t>(emulator::size_of(type));
  const auto factor = [&](std::size_t tensor, int64_t place) {
    const double value = emulator::load(type, data[tensor] + place * size).real();
    return engine == Engine::tensor_cores && type == CUDA_R_32F ? to_tf32(value) : value;
  };
  std::vector<double> sums(tensors[target]->bytes() / static_cast<std::size_t>(size), 0);
  for_each_product(operation, [&](int64_t x, int64_t w, int64_t y) {
    const int64_t places[] = {x, w, y};
    double product = engine == Engine::nondeterministic ? 1.1 : 1;
    for (std::size_t i = 0; i < 3; ++i) {
      if (i != target) product *= factor(i, places[i]);
    }
    sums[static_cast<std::size_t>(places[target])] += product;
  });
  for (std::size_t i = 0; i < sums.size(); ++i) {  // the tensors are dense
    emulator::store(type, data[target] + static_cast<int64_t>(i) * size, sums[i]);
  }
}

Status run(CUstream_st* stream, const Node& plan, const Node& pack) {
  const Operation& operation = *plan.operation;
  const auto ids = pack[Attribute::pack_ids].all<int64_t>();
  const auto pointers = pack[Attribute::pack_pointers].all<void*>();
  void* const workspace = pack[Attribute::pack_workspace].at<void*>();
  if (workspace == nullptr || ids.size() != pointers.size()) return kBadParameter;
  std::array<void*, 3> addresses{};
  std::array<std::size_t, 3> bytes{};
  const Tensor* const tensors[] = {&operation.x, &operation.w, &operation.y};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto found = std::ranges::find(ids, tensors[i]->id);
    if (found == ids.end()) return kBadParameter;
    addresses[i] = pointers[static_cast<std::size_t>(found - ids.begin())];
    bytes[i] = tensors[i]->bytes();
    if (reinterpret_cast<std::uintptr_t>(addresses[i]) % static_cast<std::uintptr_t>(tensors[i]->alignment) != 0) {
      return kBadParameter;
    }
  }
  emulator::count_convolution();
  const std::weak_ptr<const bool> life = plan.life;
  emulator::enqueue(stream, [operation, engine = plan.engine, life, addresses, bytes, workspace] {
    if (life.expired()) emulator::fail("cuDNN: a plan was destroyed before its work was done");
    std::array<char*, 3> data{};
    for (std::size_t i = 0; i < 3; ++i) data[i] = emulator::device_memory(addresses[i], bytes[i]);
    std::memset(emulator::device_memory(workspace, kWorkBytes), 0xff, kWorkBytes);
    compute(operation, engine, data);
  });
  return kSuccess;
}

struct Context {
  CUstream_st* stream = nullptr;
};

}  // namespace

extern "C" {

Status cudnnCreate(Handle* handle) {
  *handle = new Context;
  return kSuccess;
}
Status cudnnSetStream(Handle handle, CUstream_st* stream) {
  static_cast<Context*>(handle)->stream = stream;
  return kSuccess;
}
const char* cudnnGetErrorString(Status status) {
  return status == kSuccess        ? "CUDNN_STATUS_SUCCESS"
         : status == kNotSupported ? "CUDNN_STATUS_NOT_SUPPORTED"
                                   : "CUDNN_STATUS_BAD_PARAM";
}

Status cudnnBackendCreateDescriptor(Kind kind, Descriptor* descriptor) {
  auto* const node = new Node;
  node->kind = kind;
  *descriptor = node;
  return kSuccess;
}
Status cudnnBackendDestroyDescriptor(Descriptor descriptor) {
  if (node_of(descriptor).life != nullptr) emulator::count_plans(-1);
  delete static_cast<Node*>(descriptor);
  return kSuccess;
}
Status cudnnBackendSetAttribute(Descriptor descriptor, Attribute attribute, Type type, int64_t count,
                                const void* values) {
  Node& node = node_of(descriptor);
  const auto rule = std::ranges::find_if(
      rules(), [&](const Rule& each) { return each.kind == node.kind && each.attribute == attribute; });
  if (rule == rules().end() || node.is_final || std::ranges::find(rule->types, type) == rule->types.end() ||
      count < 1 || count > rule->most) {
    return kBadParameter;
  }
  Value value{type, count, {}};
  const auto* const bytes = static_cast<const char*>(values);
  value.bytes.assign(bytes, bytes + static_cast<std::size_t>(count) * size_of_value(type));
  if (type == Type::descriptor) {
    const Node& given = node_of(value.at<Descriptor>());
    const bool is_expected = rule->expected == Kind::forward ? is_operation(given.kind) : given.kind == rule->expected;
    if (!is_expected || !given.is_final) return kBadParameter;
  }
  node.attributes[attribute] = std::move(value);
  return kSuccess;
}
Status cudnnBackendGetAttribute(Descriptor descriptor, Attribute attribute, Type type, int64_t room, int64_t* count,
                                void* values) {
  const Node& node = node_of(descriptor);
  if (node.kind == Kind::heuristics && attribute == Attribute::heuristics_results && type == Type::descriptor) {
    if (!node.is_final) return kBadParameter;
    *count = 4;  // an estimate, as that of cuDNN
    if (room == 0) return kSuccess;
    std::vector<Engine> engines{Engine::tensor_cores, Engine::nondeterministic, Engine::exact};
    if (node.operation->w.sizes.back() == kUnsupportedKernel) engines.pop_back();
    *count = std::min(room, static_cast<int64_t>(engines.size()));
    for (int64_t i = 0; i < *count; ++i) {
      Node& config = node_of(static_cast<Descriptor*>(values)[i]);
      config.operation = node.operation;
      config.engine = engines[static_cast<std::size_t>(i)];
      config.is_final = true;
    }
    return kSuccess;
  }
  if (node.kind == Kind::engine_config && attribute == Attribute::engine_config_engine && type == Type::descriptor &&
      room == 1) {
    Node& engine = node_of(*static_cast<Descriptor*>(values));
    engine.engine = node.engine;
    engine.is_final = true;
    *count = 1;
    return kSuccess;
  }
  if (node.kind == Kind::engine && attribute == Attribute::engine_numerical_notes && type == Type::numerical_note) {
    *count = node.engine == Engine::exact ? 0 : 1;
    *static_cast<NumericalNote*>(values) =
        node.engine == Engine::tensor_cores ? NumericalNote::tensor_core : NumericalNote::nondeterministic;
    return kSuccess;
  }
  if (node.kind == Kind::plan && attribute == Attribute::plan_workspace_size && type == Type::int64) {
    if (!node.is_final) return kBadParameter;
    *count = 1;
    *static_cast<int64_t*>(values) = kWorkBytes;
    return kSuccess;
  }
  return kBadParameter;
}
Status cudnnBackendFinalize(Descriptor descriptor) {
  Node& node = node_of(descriptor);
  if (!finish(node)) return kBadParameter;
  node.is_final = true;
  return kSuccess;
}
Status cudnnBackendExecute(Handle handle, Descriptor plan, Descriptor pack) {
  if (!node_of(plan).is_final || !node_of(pack).is_final) return kBadParameter;
  return run(static_cast<const Context*>(handle)->stream, node_of(plan), node_of(pack));
}

}  // extern "C"

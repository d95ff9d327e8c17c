#include "cuda/cudnn.h"

#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/cuda/device.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>

#include "cuda/cudnn_plan.h"
#include "cuda/open_library.h"
#include "cuda/plan_cache.h"

namespace structured::kernels {
namespace {

constexpr const char* kInstead = "and slower kernels compute convolutions";
constexpr std::uintptr_t kBestAlignment = 16;

const cudnn::Api& api() {
  static const cudnn::Api instance = open_functions<cudnn::Api>(cudnn::kSoname, kInstead, cudnn::find_functions);
  return instance;
}

// Returns the library's handle for a device, or null if it cannot make one: libcudnn opens further libraries.
cudnn::Handle handle_of(int device) {
  static std::mutex mutex;
  static std::array<std::optional<cudnn::Handle>, cuda::kMaxDevices> handles;
  const std::lock_guard lock(mutex);
  std::optional<cudnn::Handle>& handle = handles[static_cast<std::size_t>(device)];
  if (!handle) {
    cudnn::Handle created = nullptr;
    const cudnn::Status status = api().create(&created);
    if (status != cudnn::kSuccess) {
      created = nullptr;
      warn("`", cudnn::kSoname, "` cannot be used, ", kInstead, "; ", api().error_string(status), " in `cudnnCreate`");
    }
    handle = created;
  }
  return *handle;
}

std::optional<cudnn::DataType> type_of(ScalarType dtype) {
  switch (dtype) {
    case ScalarType::Float:
      return cudnn::DataType::float32;
    case ScalarType::Double:
      return cudnn::DataType::float64;
    case ScalarType::Half:
      return cudnn::DataType::float16;
    case ScalarType::BFloat16:
      return cudnn::DataType::bfloat16;
    default:
      return std::nullopt;
  }
}

cudnn::Kind kind_of(ConvolutionResult result) {
  switch (result) {
    case ConvolutionResult::narrow:
      return cudnn::Kind::forward;
    case ConvolutionResult::wide:
      return cudnn::Kind::backward_data;
    default:
      return cudnn::Kind::backward_filter;
  }
}

MemoryFormat channels_last(const Tensor& tensor) {
  return tensor.dim() == 5 ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast;
}

// Returns `tensor` if it is dense in the order of the convolution, or else an uninitialised tensor that is.
Tensor packed(const Tensor& tensor, bool is_channels_last) {
  const bool is_packed = is_channels_last ? is_channels_last_contiguous(tensor.sizes(), tensor.strides())
                                          : is_contiguous(tensor.sizes(), tensor.strides());
  if (is_packed) return tensor;
  return empty(tensor.sizes(), tensor.options(), is_channels_last ? channels_last(tensor) : MemoryFormat::Contiguous);
}

int64_t alignment_of(const Tensor& tensor) {
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data()) | kBestAlignment;
  return static_cast<int64_t>(address & ~(address - 1));  // its lowest bit
}

cudnn::Convolution describe(cudnn::Kind kind, cudnn::DataType dtype, const ConvGeometry& geometry, int64_t rank) {
  cudnn::Convolution result;
  result.kind = kind;
  result.dtype = dtype;
  result.rank = std::max<int64_t>(rank, 2);
  result.samples = geometry.samples;
  result.groups = geometry.groups;
  result.wide_channels = geometry.groups * geometry.input_channels;
  result.narrow_channels = geometry.groups * geometry.output_channels;
  for (std::size_t d = 0; d < 3; ++d) {
    const WindowAxis& axis = geometry.axes[d];
    result.wide[d] = axis.input;
    result.narrow[d] = axis.output;
    result.kernel[d] = axis.kernel;
    result.stride[d] = axis.stride;
    result.padding[d] = axis.padding;
    result.dilation[d] = axis.dilation;
  }
  return result;
}

}  // namespace

bool convolve_by_cudnn(ConvolutionResult result, const ConvGeometry& geometry, const Tensor& wide, const Tensor& weight,
                       const Tensor& narrow) {
  const std::optional<cudnn::DataType> dtype = type_of(wide.scalar_type());
  const bool is_depthwise = geometry.groups > 1 && geometry.input_channels == 1;
  if (!dtype || is_depthwise || wide.numel() == 0 || weight.numel() == 0 || narrow.numel() == 0) return false;
  if (api().execute == nullptr) return false;
  const int device = cuda::current_device();
  const cudnn::Handle handle = handle_of(device);
  if (handle == nullptr) return false;

  const std::array<const Tensor*, 3> given = {&wide, &weight, &narrow};
  const std::size_t target = result == ConvolutionResult::wide ? 0 : result == ConvolutionResult::weight ? 1 : 2;
  bool is_channels_last = false;  // if one of the two inputs is
  for (std::size_t i = 0; i < 3; ++i) {
    is_channels_last |= i != target && given[i]->suggest_memory_format() == channels_last(*given[i]);
  }
  std::array<Tensor, 3> tensors;
  for (std::size_t i = 0; i < 3; ++i) {
    tensors[i] = packed(*given[i], is_channels_last);
    if (i != target && tensors[i].data() != given[i]->data()) copy_into(tensors[i], *given[i]);
  }
  cudnn::Convolution convolution = describe(kind_of(result), *dtype, geometry, wide.dim() - 2);
  convolution.is_channels_last = is_channels_last;
  for (std::size_t i = 0; i < 3; ++i) convolution.alignments[i] = alignment_of(tensors[i]);

  static auto& plans = *new PlanCache<std::pair<int, cudnn::Convolution>, cudnn::Plan>;
  const bool is_done = plans.use(
      {device, convolution}, [&] { return cudnn::make_plan(api(), handle, convolution); },
      [&](const cudnn::Plan& plan) {
        if (plan.plan.get() == nullptr) return false;
        const Tensor workspace = empty({static_cast<int64_t>(plan.workspace_bytes)}, wide.options().dtype(kByte));
        cudnn::check(api(), api().set_stream(handle, cuda::current_handle(device)), "cudnnSetStream");
        cudnn::execute(api(), handle, plan, tensors[0].data(), tensors[1].data(), tensors[2].data(), workspace.data());
        return true;
      });
  if (is_done && tensors[target].data() != given[target]->data()) copy_into(*given[target], tensors[target]);
  return is_done;
}

}  // namespace structured::kernels

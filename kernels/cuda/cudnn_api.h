#pragma once
// The part of cuDNN's backend API that convolutions use: functions, and the numbers of its enumerations. They are
// declared here so that a build needs no headers of cuDNN; test/cuda/cudnn_test.cpp compares them with the headers.
// Source: cudnn_graph_v9.h of cuDNN 9. All releases of cuDNN 9 keep them.
#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace structured::kernels::cudnn {

using Status = int;
using Handle = void*;
using Descriptor = void*;

inline constexpr const char* kSoname = "libcudnn.so.9";
inline constexpr Status kSuccess = 0;  // CUDNN_STATUS_SUCCESS

/// cudnnDataType_t
enum class DataType : int { float32 = 0, float64 = 1, float16 = 2, bfloat16 = 9 };

/// cudnnConvolutionMode_t
enum class ConvolutionMode : int { cross_correlation = 1 };

/// cudnnBackendHeurMode_t
enum class HeuristicMode : int { fallback = 2, a = 3 };

/// cudnnBackendNumericalNote_t, and CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION, which cuDNN 9 still reports.
enum class NumericalNote : int {
  tensor_core = 0,
  down_convert_inputs = 1,
  reduced_precision_reduction = 2,
  nondeterministic = 4
};

/// cudnnBackendAttributeType_t
enum class Type : int {
  handle = 0,
  data_type = 1,
  int64 = 3,
  float32 = 4,
  float64 = 5,
  pointer = 6,
  convolution_mode = 7,
  heuristic_mode = 8,
  numerical_note = 11,
  descriptor = 15
};

/// cudnnBackendDescriptorType_t
enum class Kind : int {
  convolution = 1,
  engine = 2,
  engine_config = 3,
  heuristics = 4,
  plan = 5,
  forward = 10,
  backward_filter = 11,
  backward_data = 12,
  graph = 15,
  variant_pack = 16,
  tensor = 17
};

/// cudnnBackendAttributeName_t
enum class Attribute : int {
  convolution_comp_type = 100,
  convolution_mode = 101,
  convolution_dilations = 102,
  convolution_strides = 103,
  convolution_post_paddings = 104,
  convolution_pre_paddings = 105,
  convolution_spatial_dims = 106,
  heuristics_mode = 200,
  heuristics_graph = 201,
  heuristics_results = 202,
  engine_config_engine = 300,
  plan_handle = 400,
  plan_engine_config = 401,
  plan_workspace_size = 402,
  forward_alpha = 700,
  forward_beta = 701,
  forward_convolution = 702,
  forward_w = 703,
  forward_x = 704,
  forward_y = 705,
  backward_data_alpha = 706,
  backward_data_beta = 707,
  backward_data_convolution = 708,
  backward_data_w = 709,
  backward_data_dx = 710,
  backward_data_dy = 711,
  backward_filter_alpha = 712,
  backward_filter_beta = 713,
  backward_filter_convolution = 714,
  backward_filter_dw = 715,
  backward_filter_x = 716,
  backward_filter_dy = 717,
  graph_handle = 800,
  graph_operations = 801,
  tensor_alignment = 900,
  tensor_data_type = 901,
  tensor_dimensions = 902,
  tensor_strides = 903,
  tensor_id = 906,
  pack_ids = 1000,
  pack_pointers = 1001,
  pack_workspace = 1003,
  engine_numerical_notes = 1303
};

/// Functions of the library. All are null if it cannot be opened.
struct Api {
  Status (*create)(Handle*) = nullptr;                   // cudnnCreate
  Status (*set_stream)(Handle, CUstream_st*) = nullptr;  // cudnnSetStream
  const char* (*error_string)(Status) = nullptr;         // cudnnGetErrorString
  Status (*create_descriptor)(Kind, Descriptor*) = nullptr;
  Status (*destroy_descriptor)(Descriptor) = nullptr;
  Status (*set_attribute)(Descriptor, Attribute, Type, int64_t count, const void* values) = nullptr;
  /// With room for 0 values, returns their number in `count`.
  Status (*get_attribute)(Descriptor, Attribute, Type, int64_t room, int64_t* count, void* values) = nullptr;
  Status (*finalize)(Descriptor) = nullptr;
  Status (*execute)(Handle, Descriptor plan, Descriptor pack) = nullptr;
};

/// Looks the functions up in an opened library. Returns false if one is missing.
bool find_functions(void* library, Api& api);

}  // namespace structured::kernels::cudnn

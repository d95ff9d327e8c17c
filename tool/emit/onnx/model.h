// Serialization of ONNX functions: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emit/onnx/onnx_function.h"
#include "emit/onnx/protobuf.h"
#include "llvm/ADT/ArrayRef.h"

namespace structured::gen {

/// A FunctionProto.
ProtobufMessage function_message(const OnnxFunction& function);

/// The bytes of a ModelProto with the functions, an empty graph and metadata.
std::string onnx_model(llvm::ArrayRef<OnnxFunction> functions,
                       llvm::ArrayRef<std::pair<std::string, std::string>> metadata);

}  // namespace structured::gen

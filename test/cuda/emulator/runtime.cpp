// The entry points of the CUDA runtime library, over the interpreter. Code in streams runs on the calling thread.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator.h"
#include "machine.h"

// Types of the CUDA runtime that programs see as pointers only.
struct CUevent_st {
  uint64_t recorded = 0;   ///< number of calls of cudaEventRecord
  uint64_t completed = 0;  ///< number of the last record that a stream has reached
  bool is_pending() const { return completed < recorded; }
};
struct CUstream_st {
  /// A function to run, or else an event to wait for.
  struct Work {
    std::function<void()> run;
    CUevent_st* event = nullptr;
    uint64_t record = 0;
  };
  std::deque<Work> queue;
  int device = 0;
  bool is_blocking = false;         ///< synchronises with the legacy default stream
  CUgraph_st* recording = nullptr;  ///< receives the work in place of the queue
};
/// Work of one stream that was recorded.
struct CUgraph_st {
  std::vector<std::function<void()>> work;
  int device = 0;
};
struct CUgraphExec_st {
  CUgraph_st graph;
};
struct CUkern_st {
  const void* host_function = nullptr;
};

namespace emulator {
namespace {

constexpr uint32_t kFatbinMagic = 0x466243b1;
constexpr uint32_t kFatbinContainer = 0xba55ed50;
constexpr uint16_t kPtxEntry = 1;
constexpr uint64_t kCompressed = 0x2000;

struct FatbinWrapper {
  uint32_t magic, version;
  const void* data;
  const void* unused;
};
struct FatbinHeader {
  uint32_t magic;
  uint16_t version, header_size;
  uint64_t size;
};
struct FatbinEntry {
  uint16_t kind, version;
  uint32_t header_size;
  uint64_t size;
  uint32_t compressed_size, options_offset;
  uint16_t minor, major;
  uint32_t architecture;
  uint32_t name_offset, name_size;
  uint64_t flags;
  uint64_t unused, uncompressed_size;
};

/// A library's code, parsed for a device when one of its kernels is first launched there.
struct Fatbin {
  const char* data = nullptr;
  std::size_t size = 0;
  std::unique_ptr<Module> modules[Memory::kDevices];
};
struct Kernel {
  Fatbin* fatbin = nullptr;
  std::string name;
};

struct State {
  std::recursive_mutex mutex;
  Memory memory;
  MachineStatistics machine;
  Statistics statistics;
  std::unordered_map<const void*, Kernel> kernels;
  std::unordered_map<const void*, Kernel> variables;
  std::unordered_map<const void*, std::unique_ptr<CUkern_st>> handles;
  std::unordered_map<const void*, std::size_t> dynamic_shared_limits;
  CUstream_st defaults[Memory::kDevices];
  std::vector<std::unique_ptr<CUstream_st>> streams;
  std::string fault;
  cudaError_t sticky = cudaSuccess;
  bool is_late = false;
  std::mt19937 random;
  int device_count = Memory::kDevices;
};
State& state() {
  static State* const instance = [] {
    auto* const made = new State;  // never destroyed: libraries unregister their code late
    for (int i = 0; i < Memory::kDevices; ++i) made->defaults[i].device = i, made->defaults[i].is_blocking = true;
    return made;
  }();
  return *instance;
}

thread_local int current_device = 0;
thread_local cudaError_t last_error = cudaSuccess;
struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
thread_local std::vector<Configuration> configurations;

cudaError_t set(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}
/// Runs the body of an entry point: under the lock, and not after a fault.
template <class Body>
cudaError_t call(const Body& body) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.device_count == 0) return set(cudaErrorNoDevice);
  if (s.sticky != cudaSuccess) return set(s.sticky);
  const cudaError_t error = body(s);
  return set(s.sticky != cudaSuccess ? s.sticky : error);
}

void report(State& s, const std::string& what) {
  if (!s.fault.empty()) return;
  s.fault = what;
  s.sticky = what.find("misaligned") != std::string::npos ? cudaErrorMisalignedAddress
             : what.starts_with("deadlock")               ? cudaErrorLaunchTimeout
             : what.starts_with("invalid launch")         ? cudaErrorInvalidConfiguration
             : what.starts_with("PTX")                    ? cudaErrorInvalidPtx
                                                          : cudaErrorIllegalAddress;
  std::fprintf(stderr, "CUDA emulator: %s\n", what.c_str());
}

// ------------------------------------------------------------------------------------------------------- streams

CUstream_st& stream_of(State& s, cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return s.defaults[current_device];
  return *stream;
}
std::vector<CUstream_st*> all_streams(State& s) {
  std::vector<CUstream_st*> result;
  for (CUstream_st& each : s.defaults) result.push_back(&each);
  for (const auto& each : s.streams) result.push_back(each.get());
  return result;
}
bool is_blocked(const CUstream_st& stream) {
  if (stream.queue.empty()) return true;
  const CUstream_st::Work& next = stream.queue.front();
  return next.event != nullptr && next.event->completed < next.record;
}
void do_next(State& s, CUstream_st& stream) {
  CUstream_st::Work work = std::move(stream.queue.front());
  stream.queue.pop_front();
  if (work.event == nullptr && s.sticky == cudaSuccess) {
    try {
      work.run();
    } catch (const Fault& fault) {
      report(s, fault.what());
    }
  }
}
/// Does work of any streams, in a random order, until `is_done`.
template <class Condition>
void do_until(State& s, const Condition& is_done) {
  while (!is_done()) {
    std::vector<CUstream_st*> ready;
    for (CUstream_st* const each : all_streams(s)) {
      if (!is_blocked(*each)) ready.push_back(each);
    }
    if (ready.empty()) {
      report(s, "deadlock: streams wait for events that no stream will record");
      return;
    }
    do_next(s, *ready[s.random() % ready.size()]);
  }
}
void finish(State& s, CUstream_st& stream) {
  do_until(s, [&] { return stream.queue.empty(); });
}
void finish_all(State& s) {
  do_until(s, [&] {
    return std::ranges::all_of(all_streams(s), [](const CUstream_st* each) { return each->queue.empty(); });
  });
}
void enqueue(State& s, CUstream_st& stream, std::function<void()> run) {
  if (stream.recording != nullptr) {
    stream.recording->work.push_back(std::move(run));
    return;
  }
  // The legacy default stream waits for all blocking streams, and they for it.
  if (&stream == &s.defaults[stream.device]) {
    for (const auto& each : s.streams) {
      if (each->is_blocking && each->device == stream.device) finish(s, *each);
    }
  } else if (stream.is_blocking) {
    finish(s, s.defaults[stream.device]);
  }
  stream.queue.push_back({std::move(run)});
  if (!s.is_late) finish(s, stream);
}

// ------------------------------------------------------------------------------------------------------- kernels

Module& module_of(State& s, Fatbin& fatbin, int device) {
  std::unique_ptr<Module>& module = fatbin.modules[device];
  if (module != nullptr) return *module;
  std::size_t at = 0;
  while (at + sizeof(FatbinEntry) <= fatbin.size) {
    FatbinEntry entry;
    std::memcpy(&entry, fatbin.data + at, sizeof entry);
    const char* const text = fatbin.data + at + entry.header_size;
    if (entry.kind == kPtxEntry) {
      if ((entry.flags & kCompressed) != 0) {
        throw Fault("PTX: the code is compressed; compile with --no-compress");
      }
      module = std::make_unique<Module>(std::string(text, strnlen(text, entry.size)), s.memory, device);
      return *module;
    }
    at += entry.header_size + entry.size;
  }
  throw Fault("PTX: the library has none; compile with -gencode arch=compute_80,code=compute_80");
}

cudaError_t launch(State& s, const void* host_function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   cudaStream_t stream_handle) {
  const auto found = s.kernels.find(host_function);
  if (found == s.kernels.end()) return cudaErrorInvalidDeviceFunction;
  CUstream_st& stream = stream_of(s, stream_handle);
  if (stream.device != current_device) return cudaErrorInvalidResourceHandle;
  Launch launch;
  try {
    Module& module = module_of(s, *found->second.fatbin, current_device);
    launch.kernel = module.find(found->second.name);
    if (launch.kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    module.decode(*launch.kernel);
  } catch (const Fault& fault) {
    report(s, fault.what());
    return s.sticky;
  }
  for (std::size_t i = 0; i < launch.kernel->parameters.size(); ++i) {
    const Parameter& parameter = launch.kernel->parameters[i];
    launch.parameters.resize(static_cast<std::size_t>(parameter.offset + parameter.size));
    std::memcpy(launch.parameters.data() + parameter.offset, arguments[i], static_cast<std::size_t>(parameter.size));
  }
  launch.grid = {grid.x, grid.y, grid.z};
  launch.block = {block.x, block.y, block.z};
  launch.dynamic_shared = shared;
  enqueue(s, stream, [&s, launch] { run(launch, s.memory, s.machine); });
  return cudaSuccess;
}

// --------------------------------------------------------------------------------------------------------- copies

bool is_device_memory(const void* pointer) { return is_device_address(reinterpret_cast<Address>(pointer)); }
bool is_pinned(State& s, const void* pointer) {
  const Block* const block = s.memory.find(reinterpret_cast<Address>(pointer));
  return block != nullptr && block->is_pinned;
}
/// Host pointer of one side of a copy. Throws Fault if it is device memory that may not be accessed.
char* checked(State& s, const void* pointer, std::size_t size) {
  const auto address = reinterpret_cast<Address>(pointer);
  if (is_device_address(address)) {
    if (const std::string mistake = s.memory.check(address, size); !mistake.empty()) throw Fault("copy: " + mistake);
  }
  return host_pointer(address);
}

cudaError_t copy(State& s, void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                 cudaStream_t stream_handle, bool is_synchronous) {
  if (size == 0) return cudaSuccess;
  const bool to_device = is_device_memory(to);
  const bool from_device = is_device_memory(from);
  if ((kind == cudaMemcpyHostToDevice && (!to_device || from_device)) ||
      (kind == cudaMemcpyDeviceToHost && (to_device || !from_device)) ||
      (kind == cudaMemcpyDeviceToDevice && (!to_device || !from_device))) {
    return cudaErrorInvalidValue;
  }
  CUstream_st& stream = stream_of(s, stream_handle);
  std::vector<char> staged;
  if (!from_device && !is_pinned(s, from)) {  // CUDA copies pageable memory before it returns
    staged.assign(static_cast<const char*>(from), static_cast<const char*>(from) + size);
  }
  const bool waits = is_synchronous || (!to_device && !is_pinned(s, to));
  if (waits && stream.recording != nullptr) return cudaErrorStreamCaptureUnsupported;
  enqueue(s, stream, [&s, to, from, size, staged = std::move(staged)] {
    const char* const source = staged.empty() ? checked(s, from, size) : staged.data();
    std::memmove(checked(s, to, size), source, size);
  });
  if (waits) finish(s, stream);
  return cudaSuccess;
}

}  // namespace

bool is_used() { return true; }

void set_late_streams(bool is_late, unsigned seed) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  finish_all(s);
  s.is_late = is_late;
  s.random.seed(seed);
}
Statistics statistics() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  Statistics result = s.statistics;
  result.launches = s.machine.launches;
  result.instructions = s.machine.instructions;
  return result;
}
std::string fault() {
  const std::lock_guard lock(state().mutex);
  return state().fault;
}
void clear_fault() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.fault.clear();
  s.sticky = cudaSuccess;
  last_error = cudaSuccess;
}
void enqueue(CUstream_st* stream, std::function<void()> run) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  enqueue(s, stream_of(s, stream), std::move(run));
}
char* device_memory(const void* address, std::size_t size) { return checked(state(), address, size); }
void count_product() {
  const std::lock_guard lock(state().mutex);
  ++state().statistics.products;
}
void count_transform() {
  const std::lock_guard lock(state().mutex);
  ++state().statistics.transforms;
}
void count_convolution() {
  const std::lock_guard lock(state().mutex);
  ++state().statistics.convolutions;
}
void count_plans(int change) {
  const std::lock_guard lock(state().mutex);
  state().statistics.plans += change;
}
void fail(const std::string& what) { throw Fault(what); }
void set_device_memory(std::size_t bytes) {
  const std::lock_guard lock(state().mutex);
  state().memory.set_capacity(bytes);
}
void set_reuses_addresses(bool reuses) {
  const std::lock_guard lock(state().mutex);
  state().memory.set_reuses_addresses(reuses);
}
void set_device_count(int count) {
  const std::lock_guard lock(state().mutex);
  state().device_count = count;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

// ------------------------------------------------------------------------------------------- code that nvcc emits

void** __cudaRegisterFatBinary(void* wrapper) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  FatbinWrapper header;
  std::memcpy(&header, wrapper, sizeof header);
  FatbinHeader container;
  std::memcpy(&container, header.data, sizeof container);
  auto* const fatbin = new Fatbin;
  if (header.magic == kFatbinMagic && container.magic == kFatbinContainer) {
    fatbin->data = static_cast<const char*>(header.data) + container.header_size;
    fatbin->size = container.size;
  }
  return reinterpret_cast<void**>(fatbin);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void** handle) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  auto* const fatbin = reinterpret_cast<Fatbin*>(handle);
  std::erase_if(s.kernels, [&](const auto& each) { return each.second.fatbin == fatbin; });
  std::erase_if(s.variables, [&](const auto& each) { return each.second.fatbin == fatbin; });
  delete fatbin;
}
void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  const std::lock_guard lock(state().mutex);
  state().kernels[host_function] = {reinterpret_cast<Fatbin*>(handle), name};
}
void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* name, int, std::size_t, int, int) {
  const std::lock_guard lock(state().mutex);
  state().variables[host_variable] = {reinterpret_cast<Fatbin*>(handle), name};
}
char __cudaInitModule(void**) { return 1; }
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  const Configuration top = configurations.back();
  configurations.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  const std::lock_guard lock(state().mutex);
  auto& handle = state().handles[host_function];
  if (handle == nullptr) handle = std::make_unique<CUkern_st>(CUkern_st{host_function});
  *kernel = handle.get();
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
  return call([&](State& s) { return launch(s, kernel->host_function, grid, block, arguments, shared, stream); });
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  return call([&](State& s) { return launch(s, function, grid, block, arguments, shared, stream); });
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return call([&](State& s) {
    return launch(s, function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream);
  });
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return call([&](State& s) {
    const auto found = s.kernels.find(function);
    if (found == s.kernels.end()) return cudaErrorInvalidDeviceFunction;
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = 32;
    attributes->ptxVersion = 80;
    attributes->binaryVersion = 80;
    attributes->maxDynamicSharedSizeBytes = 48 << 10;
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, std::size_t,
                                                                   unsigned) {
  *blocks = 1;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t) {
  *blocks = 1;
  return cudaSuccess;
}

// -------------------------------------------------------------------------------------------------------- devices

cudaError_t cudaGetDeviceCount(int* count) {
  *count = state().device_count;
  return set(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}
cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= state().device_count) return set(cudaErrorInvalidDevice);
  current_device = device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call([&](State& s) {
    if (device < 0 || device >= s.device_count) return cudaErrorInvalidDevice;
    *properties = {};
    std::snprintf(properties->name, sizeof properties->name, "Emulated device %d", device);
    properties->totalGlobalMem = s.memory.capacity();
    properties->major = 8;
    properties->minor = 0;
    properties->multiProcessorCount = 4;
    properties->maxThreadsPerMultiProcessor = 2048;
    properties->maxThreadsPerBlock = 1024;
    properties->warpSize = 32;
    properties->sharedMemPerBlock = 48 << 10;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      *value = 4;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 8;
      return cudaSuccess;
    case cudaDevAttrMaxGridDimX:
      *value = 0x7fffffff;
      return cudaSuccess;
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      return cudaSuccess;
    case cudaDevAttrWarpSize:
      *value = 32;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = 48 << 10;
      return cudaSuccess;
    default:
      *value = 0;
      return cudaSuccess;
  }
}
cudaError_t cudaDeviceSynchronize() {
  return call([](State& s) {
    ++s.statistics.synchronisations;
    finish_all(s);
    return cudaSuccess;
  });
}
cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = state().sticky;
  return error;
}
cudaError_t cudaPeekAtLastError() { return last_error; }
const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    default:
      return "another error";
  }
}
const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorIllegalAddress:
      return "an illegal memory access was encountered";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorMisalignedAddress:
      return "misaligned address";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInvalidDeviceFunction:
      return "invalid device function";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorInvalidPtx:
      return "a PTX JIT compilation failed";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorLaunchTimeout:
      return "the launch timed out and was terminated";
    default:
      return "unknown error";
  }
}

// --------------------------------------------------------------------------------------------------------- memory

cudaError_t cudaMalloc(void** pointer, std::size_t size) {
  return call([&](State& s) {
    ++s.statistics.allocations;
    const Address address = s.memory.allocate(size, current_device);
    *pointer = reinterpret_cast<void*>(address);
    return address == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
  });
}
cudaError_t cudaFree(void* pointer) {
  return call([&](State& s) {
    if (pointer == nullptr) return cudaSuccess;
    finish_all(s);  // as CUDA does
    return s.memory.free(reinterpret_cast<Address>(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned) {
  return call([&](State& s) {
    *pointer = s.memory.allocate_pinned(size);
    return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  });
}
cudaError_t cudaMallocHost(void** pointer, std::size_t size) { return cudaHostAlloc(pointer, size, 0); }
cudaError_t cudaFreeHost(void* pointer) {
  return call([&](State& s) {
    finish_all(s);
    return pointer == nullptr || s.memory.free(reinterpret_cast<Address>(pointer)) ? cudaSuccess
                                                                                   : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) {
  return call([&](State& s) {
    *total = s.memory.capacity();
    *available = *total - s.memory.used(current_device);
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call([&](State& s) {
    *attributes = {};
    const Block* const block = s.memory.find(reinterpret_cast<Address>(pointer));
    attributes->type = block == nullptr   ? cudaMemoryTypeUnregistered
                       : block->is_pinned ? cudaMemoryTypeHost
                                          : cudaMemoryTypeDevice;
    attributes->device = block == nullptr ? 0 : block->device;
    return cudaSuccess;
  });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
  return call([&](State& s) { return copy(s, to, from, size, kind, stream, false); });
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return call([&](State& s) { return copy(s, to, from, size, kind, nullptr, true); });
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t size, cudaStream_t stream) {
  return call([&](State& s) {
    enqueue(s, stream_of(s, stream), [&s, to, value, size] { std::memset(checked(s, to, size), value, size); });
    return cudaSuccess;
  });
}
cudaError_t cudaMemset(void* to, int value, std::size_t size) { return cudaMemsetAsync(to, value, size, nullptr); }

// ---------------------------------------------------------------------------------------------- streams and events

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return call([&](State& s) {
    s.streams.push_back(std::make_unique<CUstream_st>());
    *stream = s.streams.back().get();
    (*stream)->device = current_device;
    (*stream)->is_blocking = flags != cudaStreamNonBlocking;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&](State& s) {
    finish(s, *stream);
    std::erase_if(s.streams, [&](const auto& each) { return each.get() == stream; });
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call([&](State& s) {
    ++s.statistics.synchronisations;
    if (stream_of(s, stream).recording != nullptr) return cudaErrorStreamCaptureUnsupported;
    finish(s, stream_of(s, stream));
    return cudaSuccess;
  });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call([&](State& s) { return stream_of(s, stream).queue.empty() ? cudaSuccess : cudaErrorNotReady; });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return call([&](State& s) {
    CUstream_st& waiting = stream_of(s, stream);
    waiting.queue.push_back({{}, event, event->recorded});
    if (!s.is_late) finish(s, waiting);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call([&](State& s) {
    *status = stream_of(s, stream).recording != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return call([&](State&) {
    *event = new CUevent_st;
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&](State& s) {
    finish_all(s);
    delete event;
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call([&](State& s) {
    const uint64_t record = ++event->recorded;
    enqueue(s, stream_of(s, stream), [event, record] { event->completed = std::max(event->completed, record); });
    return cudaSuccess;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call([&](State&) { return event->is_pending() ? cudaErrorNotReady : cudaSuccess; });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call([&](State& s) {
    ++s.statistics.synchronisations;
    do_until(s, [&] { return !event->is_pending(); });
    return cudaSuccess;
  });
}
// --------------------------------------------------------------------------------------------------------- graphs

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return call([&](State& s) {
    CUstream_st& recorded = stream_of(s, stream);
    if (&recorded == &s.defaults[recorded.device]) return cudaErrorStreamCaptureUnsupported;
    if (recorded.recording != nullptr) return cudaErrorIllegalState;
    recorded.recording = new CUgraph_st;
    recorded.recording->device = recorded.device;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&](State& s) {
    *graph = std::exchange(stream_of(s, stream).recording, nullptr);
    return *graph == nullptr ? cudaErrorIllegalState : cudaSuccess;
  });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* work, cudaGraph_t graph, unsigned long long) {
  return call([&](State&) {
    *work = new CUgraphExec_st{*graph};
    return cudaSuccess;
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t work, cudaStream_t stream) {
  return call([&](State& s) {
    CUstream_st& to = stream_of(s, stream);
    if (to.device != work->graph.device) return cudaErrorInvalidResourceHandle;
    for (const std::function<void()>& run : work->graph.work) enqueue(s, to, run);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t work) {
  return call([&](State& s) {
    finish_all(s);
    delete work;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  return *milliseconds = 0, cudaSuccess;
}

}  // extern "C"

#include "structured/dispatch/imports.h"

#include <dlfcn.h>
#include <link.h>

#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "structured/base/error.h"
#include "structured/dispatch/loaded_image.h"
#include "structured/dispatch/loaded_operators.h"

namespace structured {
namespace {

// Usable before static initialization and after static destruction: libraries may be loaded and unloaded then.
constinit std::mutex failed_mutex;
constinit KernelImports* failed_imports = nullptr;

// Set while load_library runs, to collect the failures of imports of the library that it loads.
constinit thread_local std::string* awaited_failure = nullptr;

bool is_same(const MetaFunction& a, const MetaFunction& b) {
  return a.signature == b.signature && a.base_size == b.base_size && a.result_size == b.result_size;
}

std::string text_of(const MetaFunction& meta) {
  return std::string(meta.signature) + ", base of " + std::to_string(meta.base_size) + " bytes" +
         (meta.result_size == 0 ? "" : ", result of " + std::to_string(meta.result_size));
}

bool contains(ArrayRef<OperatorHandle> operators, const OperatorHandle* handle) {
  const std::less<> is_before;
  return !is_before(handle, operators.begin()) && is_before(handle, operators.end());
}

// Handles are constant; the operators that they refer to are not.
OperatorBase& mutable_operator(const OperatorHandle& handle) { return const_cast<OperatorBase&>(*handle.op); }

}  // namespace

KernelImports::KernelImports(std::string_view library, ArrayRef<MetaImport*> metas,
                             ArrayRef<KernelImport> kernels) noexcept
    : library_(library), metas_(metas), kernels_(kernels) {
  try {
    enter();
    return;
  } catch (const std::exception& error) {
    failure_ = error.what();
  } catch (...) {  // an exception of unknown type has no message to quote
  }
  if (failure_.empty()) {
    failure_ = "an exception without a message was thrown";
  }
  image_ = detail::image_base(library_.data());
  {
    const std::lock_guard lock(failed_mutex);
    next_failed_ = std::exchange(failed_imports, this);
  }
  if (awaited_failure != nullptr) {
    *awaited_failure = failure_;
    return;
  }
  try {
    warn("the kernels of ", described(), " are not registered: ", failure_);
  } catch (...) {  // a warning handler that throws: no caller can catch it here
  }
}

KernelImports::~KernelImports() {
  if (failure_.empty()) {
    leave(kernels_.size());
    return;
  }
  const std::lock_guard lock(failed_mutex);
  KernelImports** link = &failed_imports;
  while (*link != this) {
    link = &(*link)->next_failed_;
  }
  *link = next_failed_;
}

// Looks each operator up once, and asks the loader once for all of them: libraries have thousands of kernels.
void KernelImports::enter() {
  description_ = described();
  for (MetaImport* meta : metas_) {
    find(*meta);
  }
  std::vector<const OperatorHandle*> found;
  found.reserve(kernels_.size());
  for (const KernelImport& kernel : kernels_) {
    found.push_back(&find(kernel));
  }
  refuse_copies(found);
  std::size_t entered = 0;
  try {
    for (const KernelImport& kernel : kernels_) {
      kernel.attach(mutable_operator(*found[entered]), kernel.backend, location_of(kernel).c_str());
      ++entered;
    }
  } catch (...) {
    leave(entered);
    throw;
  }
}

void KernelImports::leave(std::size_t count) noexcept {
  for (const KernelImport& kernel : kernels_.slice(0, count)) {
    try {
      kernel.detach(mutable_operator(find(kernel)), kernel.backend, location_of(kernel).c_str());
    } catch (...) {  // deregistered by hand, perhaps replaced by another kernel
    }
  }
}

const OperatorHandle& KernelImports::find(const KernelImport& kernel) const {
  const OperatorHandle* handle = kernel.owner->find(kernel.op);
  STRUCTURED_CHECK(handle != nullptr, description_, " has a kernel for `", kernel.op, "`, which ",
                   described(*kernel.owner), " does not have; load the version that it was built against");
  STRUCTURED_CHECK(handle->schema() == kernel.schema, description_, " was built for `", kernel.op, "` as `",
                   kernel.schema, "`, and ", described(*kernel.owner), " has `", handle->schema(),
                   "`; load the version that it was built against");
  return *handle;
}

// `found` has the operators of all kernels. Fails if a loaded library has another operator with the name of one.
void KernelImports::refuse_copies(ArrayRef<const OperatorHandle*> found) const {
  struct Search {
    ArrayRef<const OperatorHandle*> found;
    std::size_t index;
    const OperatorHandle* copy;
  };
  Search search{found, 0, nullptr};
  detail::visit_loaded_libraries(
      [](void* context, ArrayRef<OperatorHandle> operators) {
        Search& wanted = *static_cast<Search*>(context);
        for (std::size_t i = 0; i < wanted.found.size() && wanted.copy == nullptr; ++i) {
          const OperatorHandle* const handle = wanted.found[i];
          if (contains(operators, handle)) continue;
          wanted.index = i;
          wanted.copy = detail::find_operator(operators, handle->name);
        }
        return wanted.copy == nullptr;
      },
      &search);
  if (search.copy == nullptr) return;
  const KernelImport& kernel = kernels_[search.index];
  fail(description_, " has a kernel for `", kernel.op, "` in its own copy of ", described(*kernel.owner),
       "; programs call another copy", detail::image_suffix(search.copy), "; build library `", kernel.owner->name,
       "` as a shared library");
}

void KernelImports::find(MetaImport& meta) const {
  const OperatorOwner& owner = meta.owner_;
  const OperatorHandle* handle = owner.find(meta.op_);
  STRUCTURED_CHECK(handle != nullptr && handle->meta != nullptr, description_,
                   " has kernels for the structured operator `", meta.op_, "`, which ", described(owner),
                   " does not have; load the version that it was built against");
  const MetaFunction& found = handle->meta();
  STRUCTURED_CHECK(is_same(found, meta.expected_), description_, " was built for the meta function of `", meta.op_,
                   "` as `", text_of(meta.expected_), "`, and ", described(owner), " has `", text_of(found),
                   "`; load the version that it was built against");
  meta.set_(meta, found);
}

std::string KernelImports::location_of(const KernelImport& kernel) const {
  return std::string(kernel.file) + " of " + description_;
}

std::string KernelImports::described() const {
  return "library `" + std::string(library_) + "`" + detail::image_suffix(kernels_.data());
}

std::string KernelImports::described(const OperatorOwner& owner) const {
  return "library `" + std::string(owner.name) + "`" + detail::image_suffix(reinterpret_cast<const void*>(owner.find));
}

std::string detail::failed_import(const OperatorBase& op, Backend backend) {
  const std::lock_guard lock(failed_mutex);
  for (const KernelImports* imports = failed_imports; imports != nullptr; imports = imports->next_failed_) {
    for (const KernelImport& kernel : imports->kernels_) {
      if (kernel.op == op.name() && kernel.backend == backend) {
        return "; one that was to be imported is not used: " + imports->failure_;
      }
    }
  }
  return "";
}

std::string KernelImports::failure_in(const void* image) {
  const std::lock_guard lock(failed_mutex);
  const KernelImports* imports = failed_imports;
  while (imports != nullptr && imports->image_ != image) {
    imports = imports->next_failed_;
  }
  return imports == nullptr ? "" : imports->failure_;
}

void load_library(const std::string& path) {
  STRUCTURED_CHECK(!path.empty(), "expected the path of a shared library, got an empty one");
  std::string failure;
  std::string* const outer = std::exchange(awaited_failure, &failure);
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  awaited_failure = outer;
  STRUCTURED_CHECK(handle != nullptr, "cannot load `", path, "`: ", static_cast<const char*>(dlerror()));
  if (failure.empty()) {  // for a library that was loaded before, no constructor ran
    link_map* library = nullptr;
    dlinfo(handle, RTLD_DI_LINKMAP, &library);
    failure = KernelImports::failure_in(detail::image_base(library->l_ld));
  }
  if (!failure.empty()) {
    dlclose(handle);
    fail("cannot use `", path, "`: ", failure);
  }
}

}  // namespace structured

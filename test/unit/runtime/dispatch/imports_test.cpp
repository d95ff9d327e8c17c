#include "structured/dispatch/imports.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <future>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../../expect_error.h"
#include "structured/base/error.h"

namespace structured::imports_test {
namespace {

using test::expect_error;
using testing::HasSubstr;

struct Base {
  int value = 0;
};
struct OtherBase : Base {
  int more = 0;
};

// Like the emitted code of the owner's library.
void scale_meta(Base& base, int factor) { base.value *= factor; }
int sum_meta(Base& base) { return base.value + 1; }
constexpr TypedMetaFunction<void(Base&, int)> scale_function{"void (Base &, int)", &scale_meta};
constexpr TypedMetaFunction<int(Base&)> sum_function{"int (Base &)", &sum_meta};
const MetaFunction& meta_scale() { return scale_function; }
const MetaFunction& meta_sum() { return sum_function; }

int64_t on_cpu(int64_t value) { return value; }
constinit Operator<int64_t(int64_t)> op_scale{"t::scale", "scale(int value) -> int", {{Backend::CPU, on_cpu}}};
constinit Operator<int64_t(int64_t)> op_sum{"t::sum", "sum(int value) -> int", {}};
constinit Operator<int64_t(int64_t)> op_plain{"t::plain", "plain(int value) -> int", {}};
constexpr OperatorHandle handles[] = {{"t::plain", &op_plain, nullptr},
                                      {"t::scale", &op_scale, nullptr, meta_scale},
                                      {"t::sum", &op_sum, nullptr, meta_sum}};
const OperatorHandle* find_in_owner(std::string_view name) { return detail::find_operator(handles, name); }
constexpr OperatorOwner owner{"owner", &find_in_owner};

// Like the emitted code of the importing library.
int64_t doubled(int64_t value) { return 2 * value; }
int64_t tripled(int64_t value) { return 3 * value; }

using Signature = int64_t(int64_t);

template <Signature* kernel>
constexpr KernelImport import(std::string_view op, std::string_view schema, Backend backend, std::string_view file) {
  return {&owner, op, schema, backend, file, attach_kernel<Signature, kernel>, detach_kernel<Signature>};
}

std::string last_warning;
void remember(const char* message) { last_warning = message; }

// All registrations of the test are in this file.
std::string without_files(std::string text) {
  constexpr std::string_view name = "runtime_dispatch_test)";
  for (std::size_t end; (end = text.find(name)) != std::string::npos;) {
    const std::size_t begin = text.rfind(" (", end);
    text.erase(begin, end + name.size() - begin);
  }
  return text;
}

class Imports : public testing::Test {
 protected:
  Imports() : before_(set_warning_handler(remember)) { last_warning.clear(); }
  ~Imports() override { set_warning_handler(before_); }

 private:
  WarningHandler before_;
};

TEST_F(Imports, EnterKernelsAndTakeThemOutAgain) {
  const KernelImport kernels[] = {
      import <doubled>("t::scale", "scale(int value) -> int", Backend::PrivateUse1, "npu/scale.cpp"),
      import <tripled>("t::sum", "sum(int value) -> int", Backend::PrivateUse1, "npu/sum.cpp")};
  {
    const KernelImports imports("npu", {}, kernels);
    EXPECT_EQ(op_scale.call(Backend::PrivateUse1, 5), 10);
    EXPECT_EQ(op_sum.call(Backend::PrivateUse1, 5), 15);
    EXPECT_EQ(op_scale.call(Backend::CPU, 5), 5);
    EXPECT_THAT(without_files(dispatch_table(op_scale)),
                HasSubstr("PrivateUse1   registered at npu/scale.cpp of library `npu`\n"));
  }
  EXPECT_EQ(op_scale.kernel(Backend::PrivateUse1), nullptr);
  EXPECT_EQ(op_sum.origin(Backend::PrivateUse1), KernelOrigin::none);
  EXPECT_EQ(last_warning, "");
}

TEST_F(Imports, FindMetaFunctions) {
  ImportedMeta<void(Base&, int)> scale(owner, "t::scale", "void (Base &, int)");
  ImportedMeta<int(Base&)> sum(owner, "t::sum", "int (Base &)");
  MetaImport* const metas[] = {&scale, &sum};
  const KernelImports imports("npu", metas, {});
  EXPECT_EQ(last_warning, "");
  Base base{7};
  scale(base, 3);
  EXPECT_EQ(base.value, 21);
  EXPECT_EQ(sum(base), 22);
}

TEST_F(Imports, DuplicateNamesBothPlacesAndEntersNothing) {
  const KernelImport first[] = {
      import <doubled>("t::sum", "sum(int value) -> int", Backend::PrivateUse2, "first/sum.cpp")};
  const KernelImport second[] = {
      import <tripled>("t::plain", "plain(int value) -> int", Backend::PrivateUse2, "second/plain.cpp"),
      import <tripled>("t::sum", "sum(int value) -> int", Backend::PrivateUse2, "second/sum.cpp")};
  const KernelImports imports("first", {}, first);
  {
    const KernelImports failing("second", {}, second);
    EXPECT_EQ(without_files(last_warning),
              "the kernels of library `second` are not registered: kernel registered for `t::sum` on `PrivateUse2` at "
              "second/sum.cpp of library `second`, but that backend already has one: registered at first/sum.cpp of "
              "library `first`");
    EXPECT_EQ(op_sum.call(Backend::PrivateUse2, 5), 10) << "the first one still serves";
    EXPECT_EQ(op_plain.kernel(Backend::PrivateUse2), nullptr) << "all or nothing";
  }
  EXPECT_EQ(op_sum.call(Backend::PrivateUse2, 5), 10) << "what was not entered is not taken out";
}

TEST_F(Imports, RefuseABackendThatTheOwnerServes) {
  const KernelImport kernels[] = {import <doubled>("t::scale", "scale(int value) -> int", Backend::CPU, "npu.cpp")};
  const KernelImports imports("npu", {}, kernels);
  EXPECT_THAT(last_warning, HasSubstr("already has one: emitted with the operator's own library"));
  EXPECT_EQ(op_scale.call(Backend::CPU, 5), 5);
}

struct Mismatch {
  KernelImport kernel;
  std::string message;
};

TEST_F(Imports, CompareSchemasWithThoseTheyWereBuiltFor) {
  const std::vector<Mismatch> cases = {
      {import <doubled>("t::scale", "scale(int value, int by=2) -> int", Backend::PrivateUse3, "npu.cpp"),
       "library `npu` was built for `t::scale` as `scale(int value, int by=2) -> int`, and library `owner` has "
       "`scale(int value) -> int`; load the version that it was built against"},
      {import <doubled>("t::gone", "gone(int value) -> int", Backend::PrivateUse3, "npu.cpp"),
       "library `npu` has a kernel for `t::gone`, which library `owner` does not have; load the version that it "
       "was built against"}};
  for (const Mismatch& mismatch : cases) {
    const KernelImport kernels[] = {import <tripled>("t::plain", "plain(int value) -> int", Backend::PrivateUse3, "a"),
                                    mismatch.kernel};
    const KernelImports imports("npu", {}, kernels);
    EXPECT_EQ(without_files(last_warning), "the kernels of library `npu` are not registered: " + mismatch.message);
    EXPECT_EQ(op_plain.kernel(Backend::PrivateUse3), nullptr);
  }
}

TEST_F(Imports, CompareMetaFunctionsWithThoseTheyWereBuiltFor) {
  ImportedMeta<void(Base&, int)> other_type(owner, "t::scale", "void (Base &, long)");
  ImportedMeta<void(OtherBase&, int)> other_base(owner, "t::scale", "void (Base &, int)");
  ImportedMeta<void(Base&)> other_result(owner, "t::sum", "int (Base &)");
  ImportedMeta<void(Base&)> not_structured(owner, "t::plain", "void (Base &)");
  for (MetaImport* meta : std::vector<MetaImport*>{&other_type, &other_base, &other_result}) {
    last_warning.clear();
    MetaImport* const metas[] = {meta};
    const KernelImports imports("npu", metas, {});
    EXPECT_THAT(last_warning, HasSubstr("was built for the meta function of `t::"));
  }
  MetaImport* const metas[] = {&not_structured};
  const KernelImports imports("npu", metas, {});
  EXPECT_THAT(last_warning, HasSubstr("has kernels for the structured operator `t::plain`, which library `owner`"));
}

TEST_F(Imports, CallsThatMissAKernelSayWhyItIsNotThere) {
  const KernelImport kernels[] = {import <doubled>("t::scale", "other(int value) -> int", Backend::CUDA, "npu.cpp")};
  const auto message = [] {
    try {
      op_scale.call(Backend::CUDA, 5);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  {
    const KernelImports imports("npu", {}, kernels);
    EXPECT_THAT(message(),
                HasSubstr("it has kernels for `CPU`; one that was to be imported is not used: library `npu`"));
  }
  EXPECT_EQ(message(), "`t::scale` has no kernel for backend `CUDA`; it has kernels for `CPU`");
}

TEST_F(Imports, SurviveAHandlerThatThrowsAndKernelsThatAreTakenOutByHand) {
  set_warning_handler([](const char* text) { fail(text); });
  const KernelImport kernels[] = {import <doubled>("t::sum", "sum(int value) -> int", Backend::CUDA, "npu.cpp")};
  const KernelImport wrong[] = {import <doubled>("t::gone", "gone() -> ()", Backend::CUDA, "npu.cpp")};
  const KernelImports failing("npu", {}, wrong);
  const KernelImports imports("npu", {}, kernels);
  op_sum.deregister_kernel(Backend::CUDA);
}

TEST_F(Imports, TakeOutNoKernelButTheirOwn) {
  const KernelImport kernels[] = {import <doubled>("t::sum", "sum(int value) -> int", Backend::CUDA, "npu.cpp")};
  {
    const KernelImports imports("npu", {}, kernels);
    op_sum.deregister_kernel(Backend::CUDA);
    op_sum.register_kernel(Backend::CUDA, tripled, "mine.cpp", 1);
  }
  EXPECT_EQ(op_sum.call(Backend::CUDA, 5), 15);
  op_sum.deregister_kernel(Backend::CUDA);
}

TEST_F(Imports, SurviveExceptionsOfAnyType) {
  constexpr OperatorOwner broken{"broken", [](std::string_view) -> const OperatorHandle* { throw 1; }};
  constexpr OperatorOwner worse{"worse", [](std::string_view) -> const OperatorHandle* { throw std::bad_alloc(); }};
  KernelImport kernel = import <doubled>("t::sum", "sum(int value) -> int", Backend::CUDA, "npu.cpp");
  kernel.owner = &broken;
  {
    const KernelImports imports("npu", {}, kernel);
    EXPECT_EQ(without_files(last_warning),
              "the kernels of library `npu` are not registered: an exception without a message was thrown");
  }
  kernel.owner = &worse;
  const KernelImports imports("npu", {}, kernel);
  EXPECT_EQ(without_files(last_warning), "the kernels of library `npu` are not registered: std::bad_alloc");
  set_warning_handler([](const char* text) { throw std::runtime_error(text); });
  const KernelImports with_handler("npu", {}, kernel);
}

TEST_F(Imports, ComeAndGoInSeveralThreads) {
  set_warning_handler([](const char*) {});
  std::vector<std::thread> threads;
  for (const Backend backend : {Backend::SparseCPU, Backend::CUDA, Backend::PrivateUse1, Backend::PrivateUse2}) {
    threads.emplace_back([backend] {
      const KernelImport kernels[] = {import <doubled>("t::plain", "plain(int value) -> int", backend, "a.cpp")};
      const KernelImport wrong[] = {import <doubled>("t::gone", "gone() -> ()", backend, "a.cpp")};
      for (int round = 0; round < 200; ++round) {
        const KernelImports imports("npu", {}, kernels);
        const KernelImports failing("gone", {}, wrong);
        EXPECT_EQ(op_plain.call(backend, 4), 8);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(op_plain.kernel(Backend::SparseCPU), nullptr);
}

// A thread whose registration is rejected asks the loader for the file of the operator, while the loader waits for the
// registrations of a library that it loads.
std::future<void> refused;
std::future<std::string> table;
std::future_status use_of_table;
void register_while_loading(const char*) {
  refused = std::async(std::launch::async, [] {
    expect_error([&] { op_scale.register_kernel(Backend::CPU, doubled, "late.cpp", 1); },
                 "registered for `t::scale` on `CPU` at late.cpp:1, but that backend already has one");
  });
  refused.wait_for(std::chrono::milliseconds(100));
  table = std::async(std::launch::async, [] { return dispatch_table(op_scale); });
  use_of_table = table.wait_for(std::chrono::seconds(10));
}

TEST_F(Imports, AreNotStoppedByARegistrationThatIsRefusedMeanwhile) {
  set_warning_handler(register_while_loading);
  void* const library = dlopen(FAILING_IMPORTS, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(use_of_table, std::future_status::ready);
  refused.get();
  dlclose(library);
}

std::string message_of_loading(const std::string& path) {
  try {
    load_library(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(Imports, FailAlsoForWhomTheLibraryWasLoadedBefore) {
  const std::string first = message_of_loading(FAILING_IMPORTS);
  EXPECT_THAT(first, HasSubstr("cannot use `" FAILING_IMPORTS "`: library `failing`"));
  EXPECT_EQ(last_warning, "") << "who asks for the library is told";
  void* const library = dlopen(FAILING_IMPORTS, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(message_of_loading(FAILING_IMPORTS), first);
  EXPECT_EQ(message_of_loading(FAILING_IMPORTS), first);
  dlclose(library);
}

TEST_F(Imports, FailForEveryThreadThatLoadsTheLibrary) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 100; ++round) EXPECT_NE(message_of_loading(FAILING_IMPORTS), "no error");
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST(LoadLibrary, RefusesAnEmptyPath) {
  EXPECT_EQ(message_of_loading(""), "expected the path of a shared library, got an empty one");
}

TEST(LoadLibrary, NamesAFileThatCannotBeLoaded) {
  try {
    load_library("/nowhere/libnpu.so");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot load `/nowhere/libnpu.so`: "));
  }
}

}  // namespace
}  // namespace structured::imports_test

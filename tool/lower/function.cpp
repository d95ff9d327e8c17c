#include "lower/function.h"

namespace structured::gen {
namespace {

const char* name_of(const CheckDevices&) { return "check_devices"; }
const char* name_of(const CheckRefined&) { return "check_refined"; }
const char* name_of(const GuardDevice&) { return "guard_device"; }
const char* name_of(const MakeAdaptor&) { return "make_adaptor"; }
const char* name_of(const CheckOverlap&) { return "check_overlap"; }
const char* name_of(const CheckOutputs&) { return "check_outputs"; }
const char* name_of(const CallMeta&) { return "call_meta"; }
const char* name_of(const CallImpl&) { return "call_impl"; }
const char* name_of(const CallKernel&) { return "call_kernel"; }
const char* name_of(const CallOutVariant&) { return "call_out_variant"; }
const char* name_of(const BumpVersions&) { return "bump_versions"; }
const char* name_of(const Finish&) { return "finish"; }
const char* name_of(const ReturnOutputs&) { return "return_outputs"; }
const char* name_of(const ReturnParameters&) { return "return_parameters"; }
const char* name_of(const ReturnKept&) { return "return_kept"; }

}  // namespace

const char* step_name(const Step& step) {
  return std::visit([](const auto& each) { return name_of(each); }, step);
}

}  // namespace structured::gen

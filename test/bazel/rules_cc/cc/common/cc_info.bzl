"""As in rules_cc."""

load(":native.bzl", "native_cc_info")

CcInfo = native_cc_info

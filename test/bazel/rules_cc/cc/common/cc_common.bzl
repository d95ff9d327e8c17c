"""As in rules_cc."""

load(":native.bzl", "native_cc_common")

cc_common = native_cc_common

"""Objects of Bazel 4, whose names other files can then define."""

native_cc_common = cc_common
native_cc_info = CcInfo

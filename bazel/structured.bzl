"""Libraries of operators in Bazel; docs/bazel.md describes them.

Each source is scanned by an action, and another one emits the code of a library. The names of the emitted sources follow from
those of the author's sources. The names of headers follow from the operators, so that a folder contains them.
"""

load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

StructuredInfo = provider(
    doc = "A library of operators, for libraries that import them.",
    fields = {
        "include": "Folder of the emitted headers.",
        "prefix": "Path of the headers and of signatures.json in this folder.",
    },
)

_SOURCES = [".cpp", ".cc", ".cxx", ".h", ".hh", ".hpp"]
_HEADERS = (".h", ".hh", ".hpp")
_WARNINGS = ["-Wno-unused-parameter", "-Wno-missing-declarations", "-Wno-non-virtual-dtor", "-Wno-unknown-attributes"]

# Loops of scalar functions in headers are vectorised and give equal results on all machines. Clang ignores the parameters of g++.
_LOOPS = [
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ftree-vectorize",
    "--param=early-inlining-insns=500",
    "--param=max-inline-insns-auto=1000",
    "-Wno-unused-command-line-argument",
]

def _relative(file):
    """Path of a file in its repository, also if an action writes it."""
    path = file.short_path
    return path.split("/", 2)[2] if path.startswith("../") else path

def _root(file):
    """The folder that contains the path `_relative(file)`."""
    return file.path[:-len(_relative(file))].rstrip("/") or "."

def _generated_root(ctx):
    """The folder of files that actions of the library's repository write."""
    return "/".join([each for each in [ctx.bin_dir.path, ctx.label.workspace_root] if each])

def _flags(ctx, context):
    """Flags of the compiler that scans read."""
    flags = list(ctx.fragments.cpp.copts) + list(ctx.fragments.cpp.cxxopts)
    flags += ["-D" + each for each in context.defines.to_list()]
    roots = [ctx.label.workspace_root or ".", _generated_root(ctx)]
    flags += ["-iquote" + each for each in roots + context.quote_includes.to_list()]
    flags += ["-I" + each for each in context.includes.to_list()]
    system = context.system_includes.to_list()
    if hasattr(context, "external_includes"):
        system = system + context.external_includes.to_list()
    return flags + ["-isystem" + each for each in system] + ctx.attr.copts + ctx.attr.scan_flags

def _scan(ctx, source, flags, headers, resource_dir):
    fragment = ctx.actions.declare_file("{}/{}.json".format(ctx.label.name, _relative(source)))
    args = ctx.actions.args()
    args.add("scan")
    args.add("--namespace=" + ctx.attr.namespace)
    args.add("--cpp-namespace=" + ctx.attr.cpp_namespace)
    args.add("--resource-dir=" + resource_dir)
    args.add("--source-root=" + _root(source))
    for each in ctx.attr.imports:
        for part in ["ops", "documentation.h", "export.h", "find_operator.h", "operators.h"]:
            args.add("--emitted-include-prefix={}/{}".format(each[StructuredInfo].prefix, part))
    args.add_all(flags, format_each = "--flag=%s")
    args.add("-o", fragment)
    args.add(source)
    ctx.actions.run(
        executable = ctx.executable._generator,
        arguments = [args],
        inputs = depset([source] + ctx.files.hdrs + ctx.files.scan_data + ctx.files._clang, transitive = [headers]),
        outputs = [fragment],
        mnemonic = "StructuredScan",
        progress_message = "Scanning " + source.short_path,
    )
    return fragment

def _emit_impl(ctx):
    for source in ctx.files.srcs:
        if not [each for each in _SOURCES if source.path.endswith(each)]:
            fail("{} is neither C++ ({}) nor a header; sources for CUDA need CMake".format(source.short_path, ", ".join(_SOURCES)))
    name = ctx.label.name
    context = cc_common.merge_cc_infos(cc_infos = [each[CcInfo] for each in ctx.attr.deps]).compilation_context
    resource_dir = [each.dirname for each in ctx.files._clang if each.basename == "stddef.h"][0].rpartition("/include")[0]
    flags = _flags(ctx, context)
    fragments = [_scan(ctx, each, flags, context.headers, resource_dir) for each in ctx.files.srcs]

    sources = [ctx.actions.declare_file("{}/{}".format(name, each)) for each in ["operators.cpp", "shared_bodies.cpp"]]
    output_dir = sources[0].dirname
    if ctx.attr.imports:
        sources.append(ctx.actions.declare_file(name + "/imports.cpp"))
    for source in ctx.files.srcs:
        path = _relative(source)
        stem = path[:-len(".cpp")] if path.endswith(".cpp") else path
        sources += [ctx.actions.declare_file("{}/src/{}{}.cpp".format(name, stem, each)) for each in ["", ".tables", ".boxed"]]
    include = ctx.actions.declare_directory(name + "/include")
    operators = ctx.actions.declare_file(name + "/operators.json")
    manifest = ctx.actions.declare_file(name + "/emitted.manifest")

    args = ctx.actions.args()
    args.add("emit")
    args.add("--namespace=" + ctx.attr.namespace)
    args.add("--cpp-namespace=" + ctx.attr.cpp_namespace)
    args.add("--source-root=" + (ctx.label.workspace_root or "."))
    args.add("--generated-root=" + _generated_root(ctx))
    for each in ctx.attr.imports:
        args.add("--import={}/{}/signatures.json".format(each[StructuredInfo].include.path, each[StructuredInfo].prefix))
    if ctx.file.lock:
        args.add("--lock=" + ctx.file.lock.path)
    args.add_all(ctx.attr.emit_options)
    args.add("--output-dir=" + output_dir)
    args.add_all(fragments)
    ctx.actions.run(
        executable = ctx.executable._generator,
        arguments = [args],
        inputs = fragments + [each[StructuredInfo].include for each in ctx.attr.imports] + ctx.files.lock,
        outputs = sources + [include, operators, manifest],
        mnemonic = "StructuredEmit",
        progress_message = "Emitting operators of " + str(ctx.label),
    )
    return [
        DefaultInfo(files = depset(sources)),
        OutputGroupInfo(operators = depset([operators]), include = depset([include])),
        StructuredInfo(include = include, prefix = ctx.attr.cpp_namespace.replace("::", "/")),
        CcInfo(compilation_context = cc_common.create_compilation_context(
            headers = depset([include]),
            includes = depset([include.path]),
        )),
    ]

_structured_emit = rule(
    implementation = _emit_impl,
    attrs = {
        "copts": attr.string_list(),
        "cpp_namespace": attr.string(mandatory = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "emit_options": attr.string_list(),
        "hdrs": attr.label_list(allow_files = True),
        "imports": attr.label_list(providers = [StructuredInfo]),
        "lock": attr.label(allow_single_file = True),
        "namespace": attr.string(mandatory = True),
        "scan_data": attr.label_list(allow_files = True),
        "scan_flags": attr.string_list(),
        "srcs": attr.label_list(allow_files = True, mandatory = True),
        "_clang": attr.label(default = "//:clang_headers"),
        "_generator": attr.label(default = "//:structured-gen", executable = True, allow_single_file = True, cfg = "exec"),
    },
    fragments = ["cpp"],
)

def structured_library(
        name,
        srcs,
        namespace,
        cpp_namespace = None,
        hdrs = [],
        deps = [],
        imports = [],
        copts = ["-std=c++20"],
        lock = None,
        emit_options = [],
        scan_flags = [],
        scan_data = [],
        visibility = None,
        **kwargs):
    """Makes a cc_library of the operators of annotated sources.

    The target NAME.emit provides the emitted files.

    Args:
      name: Name of the cc_library.
      srcs: Sources with annotations: C++, and headers with scalar functions. Emitted sources have their names.
      namespace: Namespace of the operators in schemas.
      cpp_namespace: Namespace in C++, which is `namespace` by default.
      hdrs: The author's headers that the sources include.
      deps: Libraries whose headers the sources include.
      imports: Libraries of operators that get kernels from this one.
      copts: Options of the compiler for all sources.
      lock: File of locked schemas.
      emit_options: Other options of `structured-gen emit`.
      scan_flags: Flags for scans alone, such as those that select the C++ library of a toolchain.
      scan_data: Files that these flags name.
      visibility: Visibility of the library.
      **kwargs: Other attributes of cc_library.
    """
    emit = name + ".emit"
    headers = [each for each in srcs if each.endswith(_HEADERS)]
    runtime = [str(Label("//:runtime"))]
    common = {key: kwargs[key] for key in ["tags", "target_compatible_with", "testonly"] if key in kwargs}
    _structured_emit(
        name = emit,
        srcs = srcs,
        hdrs = hdrs,
        deps = deps + imports + runtime,
        imports = [_emit_target(each) for each in imports],
        namespace = namespace,
        cpp_namespace = cpp_namespace or namespace,
        copts = copts,
        emit_options = emit_options,
        lock = lock,
        scan_data = scan_data,
        scan_flags = scan_flags,
        visibility = visibility,
        **common
    )
    cc_library(
        name = name,
        srcs = [each for each in srcs if each not in headers] + [":" + emit],
        hdrs = headers + hdrs,
        deps = deps + imports + runtime + [":" + emit],
        copts = (_LOOPS if headers else []) + _WARNINGS + copts,
        # Operators register themselves when a program starts.
        alwayslink = True,
        visibility = visibility,
        **kwargs
    )

def _emit_target(label):
    """The label of the target that emits the code of a structured_library."""
    return label + ".emit" if ":" in label else "{}:{}.emit".format(label, label.rpartition("/")[2])

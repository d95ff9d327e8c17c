"""The command `structured`."""
import argparse
import os
import subprocess
import sys

import structured_gen

BUILDS = ["scikit-build-core", "setuptools", "meson"]


def parser():
    result = argparse.ArgumentParser(prog=os.environ.get("STRUCTURED_COMMAND", "structured"),
                                     description="Projects with operators of annotated C++ functions.")
    result.add_argument("--version", action="store_true", help="print the version")
    result.add_argument("--cmake-dir", action="store_true", help="print the folder of the CMake package, for Structured_DIR")
    result.add_argument("--bazel-dir", action="store_true", help="print the folder of the rules for Bazel, for local_repository")
    result.add_argument("--include", action="store_true", help="print the flags -I for Structured's headers")
    commands = result.add_subparsers(dest="command", metavar="COMMAND")
    new = commands.add_parser("new", help="write a project", description="Writes a project: an operator, its build, and tests.")
    new.add_argument("name", metavar="NAME", help="the name of the Python package, of the operators' namespace and of the library")
    new.add_argument("folder", metavar="FOLDER", nargs="?", help="where to write it (default: NAME)")
    kind = new.add_mutually_exclusive_group()
    kind.add_argument("--torch", dest="kind", action="store_const", const="torch",
                      help="operators for the installed PyTorch (default)")
    kind.add_argument("--stable", dest="kind", action="store_const", const="stable",
                      help="operators for PyTorch's stable ABI: one build for PyTorch 2.10 and later")
    kind.add_argument("--native", dest="kind", action="store_const", const="native", help="a C++ library without PyTorch")
    new.add_argument("--build", choices=BUILDS, help="how the Python package is built (default: scikit-build-core)")
    commands.add_parser("doctor", help="say what is missing on this machine, and the command that installs it")
    # structured-gen has the options of `explain`.
    commands.add_parser("explain", help="describe an operator of a library (structured-gen explain)", add_help=False)
    emit = commands.add_parser("emit", help="write emitted sources that can be committed",
                               description="Writes a project for Hugging Face's kernel-builder, with emitted sources that can be "
                               "committed, since kernel-builder has no step before the compiler.")
    emit.add_argument("--for", dest="target", choices=["kernel-builder"], required=True, help="who compiles the sources")
    emit.add_argument("--name", required=True, help="the name of the kernel")
    emit.add_argument("--output-dir", required=True, metavar="FOLDER", help="where to write the project")
    emit.add_argument("--repo-id", metavar="USER/NAME", help="the repository on the Hub, for build.toml")
    emit.add_argument("sources", metavar="SOURCE", nargs="+")
    return result


def run(arguments):
    if arguments[:1] == ["explain"]:
        return subprocess.run([structured_gen.program(), *arguments]).returncode
    options = parser().parse_args(arguments)
    if options.version:
        print(f"structured {structured_gen.__version__}")
    elif options.cmake_dir:
        print(structured_gen.cmake_dir())
    elif options.bazel_dir:
        print(structured_gen.bazel_dir())
    elif options.include:
        print(" ".join(f"-I{each}" for each in structured_gen.include_dirs()))
    elif options.command == "new":
        from . import new
        return new.write(options.name, options.folder or options.name, options.kind or "torch", options.build)
    elif options.command == "doctor":
        from . import doctor
        return doctor.run()
    elif options.command == "emit":
        from . import kernel_builder
        return kernel_builder.write(options.name, options.sources, options.output_dir, options.repo_id)
    else:
        parser().print_help(sys.stderr)
        return 2
    return 0


def main():
    try:
        return run(sys.argv[1:])
    except structured_gen.Missing as error:
        print(f"structured: error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1


if __name__ == "__main__":
    sys.exit(main())

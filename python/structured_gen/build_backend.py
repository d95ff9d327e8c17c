"""Builds the wheel and the source distribution structured-gen (PEP 517), with CMake and without other packages.

The wheel has the platform tags of every Linux if the generator is linked statically, which needs libc.a, libstdc++.a, libz.a
and libzstd.a, and if the licences of these libraries are found; otherwise it has the tag of this machine alone. The environment
variable STRUCTURED_WHEEL_CMAKE_ARGS has further arguments for CMake; STRUCTURED_WHEEL_BUILD_DIR names a build folder to keep.
"""
import base64
import csv
import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# The sources are in the folder `source` of a source distribution, and two folders above in a clone.
SOURCE = HERE / "source" if (HERE / "source").is_dir() else HERE.parent.parent
# The part of the repository that builds the generator, and that the wheel contains as sources of the runtime.
SOURCES = ["CMakeLists.txt", "LICENSE", "bazel", "cmake", "editors", "lsp", "operator_tests", "options", "runtime", "schema", "tool"]
OLDEST_CMAKE = (3, 25)
# The licences of libraries that are linked statically: the file in the wheel, and its paths on Debian and on other systems.
LICENCES = {
    "LLVM.txt": ["/usr/share/doc/llvm-19-dev/copyright", "/usr/share/doc/llvm-22-dev/copyright", "/usr/share/licenses/llvm*/*"],
    "glibc.txt": ["/usr/share/doc/libc6-dev/copyright", "/usr/share/licenses/glibc/*"],
    "LGPL-2.1.txt": ["/usr/share/common-licenses/LGPL-2.1", "/usr/share/licenses/glibc/COPYING.LIB"],
    "libstdc++.txt": ["/usr/share/doc/gcc-*-base/copyright", "/usr/share/licenses/libstdc++*/*"],
    "GPL-3.txt": ["/usr/share/common-licenses/GPL-3", "/usr/share/licenses/libgcc/COPYING3"],
    "zlib.txt": ["/usr/share/doc/zlib1g-dev/copyright", "/usr/share/licenses/zlib*/*"],
    "zstd.txt": ["/usr/share/doc/libzstd-dev/copyright", "/usr/share/licenses/*zstd*/*"],
    "nlohmann-json.txt": ["/usr/share/doc/nlohmann-json3-dev/copyright", "/usr/share/licenses/*json*/*"],
}
NOTICE = """\
The program structured_gen/bin/structured-gen is linked statically with parts of these libraries:

  LLVM and Clang    LLVM.txt           Apache License 2.0 with LLVM exceptions; so are the headers below structured_gen/lib
  glibc             glibc.txt          GNU Lesser General Public License 2.1 or later (LGPL-2.1.txt)
  libstdc++, libgcc libstdc++.txt      GNU General Public License 3 (GPL-3.txt) with the GCC Runtime Library Exception
  zlib              zlib.txt           zlib licence
  zstd              zstd.txt           BSD licence
  nlohmann-json     nlohmann-json.txt  MIT licence

Relinking (section 6 of the LGPL): the source distribution structured-gen of the same version contains the complete source of the
program and the commands that link it. `pip install` of the source distribution builds the program with the glibc of your
machine, changed or not; without libc.a it is linked with the shared library.
"""


def tell(text):
    print(f"structured-gen: {text}", flush=True)


def fail(text):
    sys.exit(f"structured-gen: error: {text}")


def project():
    try:
        import tomllib
    except ImportError:  # Python 3.10 and older
        import tomli as tomllib
    return tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def version():
    text = (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(Structured VERSION ([0-9.]+)", text)[1]


def metadata():
    """The text of METADATA, and of PKG-INFO of the source distribution."""
    table = project()
    lines = ["Metadata-Version: 2.4", f"Name: {table['name']}", f"Version: {version()}", f"Summary: {table['description']}",
             f"License-Expression: {table['license']}", f"Requires-Python: {table['requires-python']}",
             f"Keywords: {','.join(table['keywords'])}"]
    lines += [f"Classifier: {each}" for each in table["classifiers"]]
    lines += ["License-File: LICENSE", "Description-Content-Type: text/markdown", ""]
    return "\n".join(lines) + "\n" + (HERE / table["readme"]).read_text(encoding="utf-8")


def entry_points():
    table = project()
    groups = {"console_scripts": table["scripts"], **table["entry-points"]}
    return "\n".join("\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()), ""])
                     for group, entries in groups.items())


def version_of(program):
    try:
        text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return (0,)
    return tuple(int(number) for number in re.findall(r"\d+", text)[:2])


def missing_programs():
    requirements = []
    if version_of("cmake") < OLDEST_CMAKE:
        requirements.append("cmake>=" + ".".join(map(str, OLDEST_CMAKE)))
    if not shutil.which("ninja"):
        requirements.append("ninja")
    return requirements


def can_link_statically(compiler):
    """Whether the compiler has the static libraries."""
    for library in ("libc.a", "libstdc++.a", "libz.a", "libzstd.a"):
        found = subprocess.run([compiler, f"-print-file-name={library}"], capture_output=True, text=True)
        if not os.path.isabs(found.stdout.strip()):
            tell(f"there is no {library}: structured-gen is linked with shared libraries")
            return False
    return True


def run(command):
    tell(shlex.join(map(str, command)))
    if subprocess.run(command).returncode:
        fail(f"`{shlex.join(map(str, command[:3]))} ...` failed; its messages are above. A build needs the development files of "
             "LLVM and Clang 19 or 22, zlib, zstd and nlohmann-json: on Debian, apt install g++ llvm-19-dev libclang-19-dev "
             "lld-19 zlib1g-dev libzstd-dev nlohmann-json3-dev")


def build(build_dir, staging):
    """Installs the files of the wheel in `staging`. Returns whether the generator is static."""
    compiler = os.environ.get("CXX", "c++")
    if not shutil.which(compiler):
        fail(f"there is no C++ compiler `{compiler}`; on Debian, apt install g++")
    static = can_link_statically(compiler)
    options = {"CMAKE_BUILD_TYPE": "Release", "CMAKE_INSTALL_LIBDIR": "lib", "CMAKE_INSTALL_BINDIR": "bin",
               "CMAKE_INSTALL_DATADIR": "share", "CMAKE_INSTALL_PREFIX": "/usr",
               "STRUCTURED_STATIC_TOOL": "ON" if static else "OFF", "STRUCTURED_INSTALL_SOURCES": "ON",
               "STRUCTURED_UNITY_BUILD": "ON", "STRUCTURED_WERROR": "OFF"}
    for part in ("PLUGIN", "KERNELS", "PROGRAMS", "EXAMPLES", "TESTS"):
        options[f"STRUCTURED_BUILD_{part}"] = "OFF"
    arguments = shlex.split(os.environ.get("STRUCTURED_WHEEL_CMAKE_ARGS", ""))
    run(["cmake", "-S", SOURCE, "-B", build_dir, "-G", "Ninja", *(f"-D{name}={value}" for name, value in options.items()),
         *arguments])
    run(["cmake", "--build", build_dir, "--target", "structured-gen"])
    run(["cmake", "--install", build_dir, "--prefix", staging, "--component", "wheel", "--strip"])
    return static


def licences():
    """The texts by file name, and the names of those that were not found."""
    texts, missing = {"NOTICE.txt": NOTICE.encode()}, []
    for name, patterns in LICENCES.items():
        files = [path for pattern in patterns for path in sorted(pathlib.Path("/").glob(pattern[1:])) if path.is_file()]
        if files:
            texts[name] = files[0].read_bytes()
        else:
            missing.append(name)
    return texts, missing


def platform_tag(is_portable):
    machine = platform.machine()
    if is_portable:
        return f"manylinux_2_17_{machine}.manylinux2014_{machine}.musllinux_1_1_{machine}"
    return f"linux_{machine}"


def module_files():
    """Path in the wheel and file of each file of the module and of its templates."""
    for path in sorted((HERE / "structured_gen").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(HERE).as_posix(), path


def write_wheel(path, files):
    """`files` are (name, bytes, is_program)."""
    records = io.StringIO()
    writer = csv.writer(records, lineterminator="\n")
    record_name = next(name for name, _, _ in files if name.endswith(".dist-info/WHEEL")).replace("/WHEEL", "/RECORD")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(name, data, is_program):
            # Without times, two builds give the same bytes.
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = (0o100755 if is_program else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
        for name, data, is_program in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            writer.writerow([name, f"sha256={digest}", len(data)])
            add(name, data, is_program)
        writer.writerow([record_name, "", ""])
        add(record_name, records.getvalue().encode(), False)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    keep = os.environ.get("STRUCTURED_WHEEL_BUILD_DIR")
    with tempfile.TemporaryDirectory(prefix="structured-gen-") as temporary:
        staging = pathlib.Path(temporary) / "staging"
        is_static = build(pathlib.Path(keep or temporary + "/build"), staging)
        texts, missing = licences()
        if is_static and missing:
            tell(f"the texts of licences are missing ({', '.join(missing)}): the wheel is tagged for this machine alone")
        tag = platform_tag(is_static and not missing)
        info = f"structured_gen-{version()}.dist-info"
        files = [(name, path.read_bytes(), False) for name, path in module_files()]
        for path in sorted(staging.rglob("*")):
            if path.is_file():
                files.append((f"structured_gen/{path.relative_to(staging).as_posix()}", path.read_bytes(),
                              os.access(path, os.X_OK)))
        wheel_text = "Wheel-Version: 1.0\nGenerator: structured-gen\nRoot-Is-Purelib: false\n"
        wheel_text += "".join(f"Tag: py3-none-{each}\n" for each in tag.split("."))
        files += [(f"{info}/METADATA", metadata().encode(), False), (f"{info}/WHEEL", wheel_text.encode(), False),
                  (f"{info}/entry_points.txt", entry_points().encode(), False),
                  (f"{info}/licenses/LICENSE", (SOURCE / "LICENSE").read_bytes(), False)]
        if is_static:
            files += [(f"{info}/licenses/{name}", text, False) for name, text in sorted(texts.items())]
        name = f"structured_gen-{version()}-py3-none-{tag}.whl"
        path = pathlib.Path(wheel_directory) / name
        write_wheel(path, files)
    tell(f"wrote {path} ({path.stat().st_size / 1e6:.1f} MB)")
    return name


def build_sdist(sdist_directory, config_settings=None):
    root = f"structured_gen-{version()}"
    files = {"PKG-INFO": metadata().encode()}
    for name in ("pyproject.toml", "build_backend.py", "README.md"):
        files[name] = (HERE / name).read_bytes()
    files.update((name, path.read_bytes()) for name, path in module_files())
    for top in SOURCES:
        for path in sorted([SOURCE / top, *(SOURCE / top).rglob("*")]):
            if path.is_file() and "__pycache__" not in path.parts:
                files["source/" + path.relative_to(SOURCE).as_posix()] = path.read_bytes()
    name = root + ".tar.gz"
    with open(pathlib.Path(sdist_directory) / name, "wb") as file, \
            gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as compressed, \
            tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for each, data in sorted(files.items()):
            info = tarfile.TarInfo(f"{root}/{each}")
            info.size = len(data)
            info.mode = 0o644
            archive.addfile(info, io.BytesIO(data))
    return name


def get_requires_for_build_wheel(config_settings=None):
    return missing_programs()


def get_requires_for_build_sdist(config_settings=None):
    return []

"""Builds the wheel and the source distribution structured-gen, and checks that the wheel is fit for other machines."""
import argparse
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import build_backend  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST = 20e6


def main():
    parser = argparse.ArgumentParser(prog="./dev wheel", description=__doc__)
    parser.add_argument("folder", nargs="?", default=ROOT / "build" / "wheels", help="where to write them (default: build/wheels)")
    folder = pathlib.Path(parser.parse_args().folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("STRUCTURED_WHEEL_BUILD_DIR", str(ROOT / "build" / "wheel"))
    if shutil.which("ccache"):
        os.environ.setdefault("STRUCTURED_WHEEL_CMAKE_ARGS", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    wheel = folder / build_backend.build_wheel(folder)
    sdist = folder / build_backend.build_sdist(folder)
    print(f"{wheel}\n{sdist}")
    if "manylinux" not in wheel.name:
        sys.exit("dev: error: the wheel is for this machine alone; the messages above say what is missing")
    if wheel.stat().st_size > LARGEST:
        sys.exit(f"dev: error: the wheel has {wheel.stat().st_size / 1e6:.1f} MB; expected at most {LARGEST / 1e6:.0f}")


main()

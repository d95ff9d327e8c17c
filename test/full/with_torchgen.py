"""with_torchgen.py COMMAND...: runs the command, with NATIVE_FUNCTIONS_YAML replaced by the path of torchgen's file. Without
torchgen, exits with 77, which ctest counts as skipped, and a message."""
import importlib.util
import os
import pathlib
import subprocess
import sys

for module in ("torchgen", "torch", "yaml"):
    if importlib.util.find_spec(module) is None:
        print(f"skipped: Python has no module {module}; `./dev setup --full` installs Debian's packages")
        sys.exit(77)
torchgen = pathlib.Path(importlib.util.find_spec("torchgen").origin).parent
yaml = torchgen / "packaged" / "ATen" / "native" / "native_functions.yaml"
command = [str(yaml) if word == "NATIVE_FUNCTIONS_YAML" else word for word in sys.argv[1:]]
sys.exit(subprocess.run(command, env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1")).returncode)

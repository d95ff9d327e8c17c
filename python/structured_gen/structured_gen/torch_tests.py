"""python -m structured_gen.torch_tests PACKAGE [--samples FILE]: tests all operators of a package that is installed."""
import importlib.util
import pathlib
import sys

import structured_gen


def main(arguments=None):
    for include in structured_gen.include_dirs():
        path = pathlib.Path(include) / "structured" / "torch" / "operator_tests.py"
        if path.exists():
            spec = importlib.util.spec_from_file_location("operator_tests", path)
            tests = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(tests)
            return tests.main(arguments=arguments)
    sys.exit("structured/torch/operator_tests.py is missing among the headers of structured-gen; install it again")


if __name__ == "__main__":
    main()

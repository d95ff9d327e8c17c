import os
import sys

# Kernels on two threads do not need a pool for each of pytest's workers.
os.environ.setdefault("OMP_NUM_THREADS", "2")
if "STRUCTURED_PYTHON_DIR" in os.environ:
    sys.path.insert(0, os.environ["STRUCTURED_PYTHON_DIR"])

"""Precompiles headers for later builds, in a process of its own that nobody waits for: precompile.py JOB, in JSON."""
import contextlib
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys

KEPT = 2  # precompiled headers take 400 MB each
NEEDED = 2 << 30


def main(job):
    os.nice(10)
    header, target = pathlib.Path(job["header"]), pathlib.Path(job["target"])
    if shutil.disk_usage(header.parent).free < NEEDED:
        return
    with open(header.parent / "locks" / "prefix", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return  # another process precompiles
        if target.exists():
            return
        header.write_text(job["text"], encoding="utf-8")
        partial = target.with_name(f".part.{target.name}")
        try:
            if subprocess.run([*job["command"], partial]).returncode == 0:
                os.replace(partial, target)
        finally:
            with contextlib.suppress(OSError):
                partial.unlink()
        old = sorted(header.parent.glob("prefix-*.gch"), key=lambda each: each.stat().st_mtime)[:-KEPT]
        for each in old:
            each.unlink()


main(json.loads(sys.argv[1]))

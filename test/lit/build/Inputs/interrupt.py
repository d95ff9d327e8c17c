"""Starts a build and stops it in its midst, as somebody would who is in a hurry, or as a machine that runs out of memory.

    interrupt.py SIGNAL COUNT NINJA BUILD_DIR

sends SIGNAL (a name: INT, KILL) to ninja and all that it started once COUNT commands are done. Prints of how many; fails
if the build was done before.
"""
import os
import re
import signal
import subprocess
import sys


def main(signal_name, count, ninja, build_dir):
    build = subprocess.Popen([ninja, "-C", build_dir, "-v", "-j2"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, start_new_session=True)
    for line in build.stdout:
        progress = re.match(r"\[(\d+)/(\d+)\] ", line)
        if progress and progress[1] == count and " --regenerate-during-build " not in line:
            os.killpg(build.pid, getattr(signal, "SIG" + signal_name))
            break
    build.stdout.close()
    if build.wait() == 0:
        sys.exit("the build came to its end")
    print("stopped after", count, "of", progress[2])


main(*sys.argv[1:])

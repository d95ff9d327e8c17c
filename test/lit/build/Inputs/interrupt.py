"""Starts a build and interrupts it with a signal: SIGINT as from a keyboard, or SIGKILL as when memory runs out.

    interrupt.py SIGNAL COUNT NINJA BUILD_DIR

sends SIGNAL (INT or KILL) to ninja and its child processes after COUNT commands. Prints the number of commands in the build;
fails if the build finished before.
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

"""Starts a build and interrupts it with a signal: SIGINT as from a keyboard, or SIGKILL as when memory runs out.

    interrupt.py SIGNAL COUNT NINJA BUILD_DIR

sends SIGNAL (INT or KILL) to ninja and its child processes after COUNT commands. Prints the number of commands in the build;
fails if the build finished before.
"""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys


def processes_of(session):
    """Running processes of a session. Ninja starts each command in a process group of its own."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            state, _, _, its_session = stat.read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z":
                yield int(stat.parent.name)


def interrupt(session, signal_name):
    if signal_name == "INT":  # Ninja passes it on to the commands
        os.killpg(session, signal.SIGINT)
        return
    os.kill(session, signal.SIGKILL)
    while processes := list(processes_of(session)):
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def main(signal_name, count, ninja, build_dir):
    build = subprocess.Popen([ninja, "-C", build_dir, "-v", "-j2"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, start_new_session=True)
    for line in build.stdout:
        progress = re.match(r"\[(\d+)/(\d+)\] ", line)
        if progress and progress[1] == count and " --regenerate-during-build " not in line:
            interrupt(build.pid, signal_name)
            break
    build.stdout.close()
    if build.wait() == 0:
        sys.exit("the build came to its end")
    print("stopped after", count, "of", progress[2])


main(*sys.argv[1:])

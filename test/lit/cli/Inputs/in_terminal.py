"""Runs a command whose standard error output is a terminal, and prints what it writes there.

    in_terminal.py [--pause SECONDS] COMMAND...

Control characters are written out: `\\r` as <CR>, the escape sequence that clears a line as <CLEAR>. With --pause the
command is held up for that time as soon as it runs.
"""
import os
import pty
import signal
import sys
import time


def main(*command):
    pause = 0
    if command[0] == "--pause":
        pause, command = float(command[1]), command[2:]
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    if pause:
        time.sleep(0.1)
        os.kill(child, signal.SIGSTOP)
        time.sleep(pause)
        os.kill(child, signal.SIGCONT)
    output = b""
    try:
        while chunk := os.read(terminal, 65536):
            output += chunk
    except OSError:  # the other end is closed
        pass
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    text = output.decode().replace("\r\n", "\n").replace("\r", "<CR>").replace("\x1b[K", "<CLEAR>\n")
    print(text, end="" if text.endswith("\n") else "\n")
    sys.exit(status)


main(*sys.argv[1:])

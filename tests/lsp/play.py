#!/usr/bin/env python3
"""Plays recorded sessions with a language server: play.py [--record] SESSION COMMAND...

A session has a JSON text a line. What stands behind "> " is sent; what stands behind "< " is what
the server then said, of which --record writes what it says now. `$DIR` stands for the working
directory, and {"$text": FILE} for what is in a file. Exit status 1: it said something else."""
import json
import os
import pathlib
import subprocess
import sys


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            length = int(line.split(b":")[1])
        if not length:
            sys.exit("the server has ended")
        message = json.loads(self.process.stdout.read(length))
        assert message.pop("jsonrpc") == "2.0"
        return message


def filled(value):
    """What a session's text stands for."""
    if isinstance(value, dict):
        if "$text" in value:
            return pathlib.Path(value["$text"]).read_text()
        return {key: filled(each) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each) for each in value]
    return value.replace("$DIR", os.getcwd()) if isinstance(value, str) else value


def shown(message):
    return json.dumps(message, sort_keys=True).replace(os.getcwd(), "$DIR")


def main():
    words = sys.argv[1:]
    record = words[0] == "--record"
    session = pathlib.Path(words[record])
    server = Server(words[record + 1:])
    out, wrong = [], 0
    for line in session.read_text().splitlines():
        if line.startswith("> "):
            server.send(filled(json.loads(line[2:])))
        elif line.startswith("<"):
            said = "< " + shown(server.receive())
            if said != line and not record:
                print(f"{session.name}: not\n{line}\nbut\n{said}")
                wrong = 1
            line = said
        out.append(line)
    status = server.process.wait(60)
    if status:
        sys.exit(f"exit status {status}")
    if record:
        session.write_text("\n".join(out) + "\n")
    sys.exit(wrong)


main()

"""Checks the output of sam build: every function has a program of its own, for its own processor."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

from samtranslator.yaml_helper import yaml_parse

# Lambda's name of a processor -> its number in an ELF header, and Go's name.
PROCESSORS = {"arm64": (183, "arm64"), "x86_64": (62, "amd64")}


def folder(logical_id):
    """CreateEventFunction -> create-event"""
    name = logical_id.removesuffix("Function")
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def faults(logical_id, program, architecture):
    """Yields what is wrong with one built program."""
    machine, goarch = PROCESSORS[architecture]
    header = program.read_bytes()[:20]
    if header[:4] != b"\x7fELF" or int.from_bytes(header[18:20], "little") != machine:
        yield f"is no ELF program for {architecture}"
    info = subprocess.run(["go", "version", "-m", program], capture_output=True, text=True).stdout
    fields = info.split()
    if not any(word.endswith(f"/functions/{folder(logical_id)}") for word in fields):
        yield f"was not built from functions/{folder(logical_id)}"
    for setting in ("GOOS=linux", f"GOARCH={goarch}", "CGO_ENABLED=0", "-tags=lambda.norpc"):
        if setting not in fields:
            yield f"was built without {setting}"


def check(build):
    template = yaml_parse((build / "template.yaml").read_text(encoding="utf-8"))
    architecture = template["Parameters"]["Architecture"]["Default"]
    found, problems = {}, []
    for logical_id, resource in template["Resources"].items():
        if resource["Type"] != "AWS::Serverless::Function":
            continue
        program = build / resource["Properties"]["CodeUri"] / "bootstrap"
        if not program.is_file():
            problems.append(f"{logical_id}: {program} is missing")
            continue
        problems += [f"{logical_id}: {program} {fault}" for fault in faults(logical_id, program, architecture)]
        twin = found.setdefault(hashlib.sha256(program.read_bytes()).digest(), logical_id)
        if twin != logical_id:
            problems.append(f"{logical_id}: has the same program as {twin}")
    if not found:
        problems.append(f"{build}: holds no function")
    return architecture, len(found), problems


if __name__ == "__main__":
    architecture, count, problems = check(Path(sys.argv[1]))
    if problems:
        sys.exit("\n".join(problems))
    print(f"{count} functions, {count} programs for {architecture}")

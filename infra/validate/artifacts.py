"""Checks the output of sam build: every function has a program of its own, for its own processor."""

import re
import subprocess
import sys
from pathlib import Path

from templates import read

GOARCH = {"arm64": "arm64", "x86_64": "amd64"}


def folder(logical_id):
    """CreateEventFunction -> create-event"""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", logical_id.removesuffix("Function")).lower()


def main(build):
    template = read(build / "template.yaml")
    functions = {name: r["Properties"]["CodeUri"] for name, r in template["Resources"].items() if r["Type"] == "AWS::Serverless::Function"}
    architecture, faults = template["Parameters"]["Architecture"]["Default"], []
    for name, code in functions.items():
        program = build / code / "bootstrap"
        info = subprocess.run(["go", "version", "-m", program], capture_output=True, text=True).stdout.split()
        if f"turnout/functions/{folder(name)}" not in info:
            faults.append(f"{program} is not built from functions/{folder(name)}")
        faults += [f"{program} was built without {setting}" for setting in ("GOOS=linux", f"GOARCH={GOARCH[architecture]}", "CGO_ENABLED=0", "-tags=lambda.norpc")
                   if setting not in info]
    if faults or not functions:
        sys.exit("\n".join(faults) or f"{build} holds no function")
    print(f"{len(functions)} functions, each with its program for {architecture}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

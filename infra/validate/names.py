"""Prints the names and plain values in templates and workflows, each step of these, SAM's configuration, and make's commands.

A check compares what it knows, and what is added beside that passes: so names.txt has it all, and a test compares it. After a
change on purpose: .local/venv/bin/python infra/validate/names.py >infra/validate/names.txt, and read the diff.
"""

import json
import re
import subprocess
from pathlib import Path
from zlib import crc32

from samtranslator.yaml_helper import yaml_parse

TARGETS = (
    "deploy",
    "build-HealthFunction",
    "validate",
    "lint",
    "smoke",
)  # what reaches a stack, and what decides whether it may
OF_MAKE = r"^(?:[^\t\n#=]*\bexport\b|\.(?!PHONY)[A-Z]|-?include\b|override\b|define\b|SHELL\b|[A-Z]*FLAGS\b|\t@?-|.*\|\|).*"  # what changes how commands end

SAVES = ("SystemLogLevel", "WARN")  # as infra/COSTS.md suggests


def words(part):
    """A part of a template, with checksums for prose and code."""
    if isinstance(part, dict):
        return (
            "{"
            + " ".join(
                name + words(value)
                for name, value in sorted(part.items())
                if (name, value) != SAVES
            )
            + "}"
        )
    if isinstance(part, list):
        return "[" + " ".join(map(words, part)) + "]"
    return (
        f"={part}"
        if re.fullmatch(r"[\w.:/*$(){}-]{1,99}", str(part))
        else f"=…{crc32(str(part).encode()):08x}"
    )


def text():
    for path in (
        "template.yaml",
        *(f"infra/{name}.yaml" for name in ("budget", "deployer", "global", "waf")),
    ):
        for section, parts in yaml_parse(Path(path).read_text(encoding="utf-8")).items():
            yield from (
                f"{path} {section} {name} {words(part)}"
                for name, part in (parts if isinstance(parts, dict) else {"": parts}).items()
            )
    for path in sorted(Path(".github").rglob("*.y*ml")):
        for name, part in yaml_parse(
            re.sub("@[0-9a-f]{40}", "", path.read_text(encoding="utf-8"))
        ).items():
            yield f"{path} {name} {json.dumps(part)}"
    yield from re.findall("^[^#\n].*", Path("samconfig.toml").read_text(encoding="utf-8"), re.M)
    yield from re.findall(OF_MAKE, Path("Makefile").read_text(encoding="utf-8"), re.M)
    make = [
        "make",
        "-n",
        "--no-print-directory",
        "-W",
        "internal/site/static/locales/en.json",
        *TARGETS,
        "COMMIT=unknown",
        "URL=x",
        "ARTIFACTS_DIR=x",
    ]
    yield subprocess.run(make, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    print("\n".join(text()))

"""Prints the names in templates and workflows, with the whole of each step, of SAM's configuration and of make's commands.

A check compares what it knows, and what is added beside that passes: so names.txt has all names, and a test compares it. After a
change on purpose: .local/venv/bin/python infra/validate/names.py >infra/validate/names.txt, and read the diff.
"""

import json
import re
import subprocess
from pathlib import Path

from samtranslator.yaml_helper import yaml_parse

TARGETS = ("deploy", "build-HealthFunction", "validate", "smoke")  # what reaches a stack, and what decides whether it may
OF_MAKE = r"^(?:[^\t\n#=]*\bexport\b|\.[A-Z]|-?include\b|override\b|define\b|SHELL\b|[A-Z]*FLAGS\b|\t@?-).*"  # what changes how commands run


def flat(part):
    return [item for inner in part for item in flat(inner)] if isinstance(part, list) else [part]


def shape(parts):
    """The names in parts, each with those inside in braces, and the lengths of lists."""
    inside = [item for item in flat(parts) if isinstance(item, dict)]
    found = {str(name): [item[name] for item in inside if name in item] for item in inside for name in item}  # YAML reads "on" as true
    names = " ".join(name + (json.dumps(found[name], sort_keys=True) if name == "steps" else shape(found[name])) for name in sorted(found))
    values = sorted({len(part) if isinstance(part, list) else part for part in parts if isinstance(part, (bool, list))})
    return f"{values}" * bool(values) + f"{{{names}}}" * bool(names)


def text():
    for path in ("template.yaml", *(f"infra/{name}.yaml" for name in ("budget", "deployer", "global", "waf"))):
        for section, parts in yaml_parse(Path(path).read_text(encoding="utf-8")).items():
            yield from (f"{path} {section} {name} {part.get('Type', '')} {shape([part])}" for name, part in parts.items()) if isinstance(parts, dict) else [f"{path} {section}"]
    for path in sorted(Path(".github").rglob("*.yml")):
        yield f"{path} {shape([yaml_parse(re.sub('@[0-9a-f]{40}', '', path.read_text(encoding='utf-8')))])}"
    yield from re.findall("^[^#\n].*", Path("samconfig.toml").read_text(encoding="utf-8"), re.M)
    yield from re.findall(OF_MAKE, Path("Makefile").read_text(encoding="utf-8"), re.M)
    yield subprocess.run(["make", "-n", *TARGETS, "COMMIT=unknown", "URL=x", "ARTIFACTS_DIR=x"], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    print("\n".join(text()))

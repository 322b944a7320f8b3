"""Reads the commands of RUNBOOK.md and DEPLOY.md.

As a program it prints the commands of a section, for a stage and with values for <names>:
python -m infra.validate.runbook SECTION STAGE [NAME=VALUE …]
"""

import re
import sys
from pathlib import Path

PAGES = ("infra/RUNBOOK.md", "infra/DEPLOY.md")

# The section whose block all other commands need.
BEGINNING = "Before any command on this page"


def blocks_of(page):
    """Returns the code blocks of each section that has commands, by its heading."""
    found = {}
    for section in re.split(r"^##+ ", Path(page).read_text(encoding="utf-8"), flags=re.M):
        heading = section.split("\n", 1)[0]
        blocks = re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S)
        if blocks:
            found[heading] = [block.replace("\\\n", " ") for block in blocks]
    return found


BLOCKS = {heading: blocks for page in PAGES for heading, blocks in blocks_of(page).items()}


def names_of(stage):
    """Returns the runbook's first block, filled in for a stage."""
    (block,) = BLOCKS[BEGINNING]
    assert "STAGE=production" in block
    return block.replace("STAGE=production", f"STAGE={stage}")


def filled(commands, values):
    """Returns commands with values for the names in <angle brackets>."""
    for name, value in values.items():
        commands = commands.replace(f"<{name}>", value)
    return commands


def main(section, stage, *values):
    commands = names_of(stage) if section == BEGINNING else "".join(BLOCKS[section])
    print(filled(commands, dict(value.split("=", 1) for value in values)), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])

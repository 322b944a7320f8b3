"""Compares what checkov finds in the templates with what is accepted: findings.py CHECKOV FOLDER ACCEPTED"""

import json
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path


def found(checkov, folder):
    command = [checkov, "--framework", "cloudformation", "--skip-download", "--directory", folder, "--output", "json"]
    reports = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)
    scanned = 0
    for report in reports if isinstance(reports, list) else [reports]:
        results = report["results"]
        assert not results["parsing_errors"], results["parsing_errors"]
        scanned += len(results["passed_checks"])
        for finding in results["failed_checks"]:
            yield finding["check_id"], finding["resource"], finding["check_name"]
    assert scanned > 100, f"checkov made {scanned} checks: it did not read the templates"


def main(checkov, folder, accepted):
    lines = [line.split(None, 2) for line in Path(accepted).read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    known, faults = {tuple(line[:2]) for line in lines}, []
    unused = set(known)
    for line in lines:
        if len(line) < 3:
            faults.append(f"{accepted}: {' '.join(line)} has no reason")
    for check, resource, name in found(checkov, folder):
        accepting = {(c, r) for c, r in known if c == check and fnmatchcase(resource, r)}
        unused -= accepting
        if not accepting:
            faults.append(f"{check} {resource}: {name}")
    faults += [f"{accepted}: {check} {resource} is found no longer" for check, resource in sorted(unused)]
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(lines)} kinds of findings, all accepted")


if __name__ == "__main__":
    main(*sys.argv[1:])

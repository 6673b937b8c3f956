"""A lint report as text, JSON, SARIF or GitHub annotations. Pure; faces print what this returns."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import msgspec

from lith.errors import UsageError
from lith.wiki.lint.report import ERROR, INFO, RULES, WARNING, Finding, LintReport

_SARIF_LEVELS = {ERROR: "error", WARNING: "warning", INFO: "note"}
_GITHUB_LEVELS = {ERROR: "error", WARNING: "warning", INFO: "notice"}


def format_report(report: LintReport, form: str, *, version: str = "0") -> str:
    """The report in one of `FORMATS`; `version` is that of the program, for SARIF. Raises `UsageError`."""
    if form not in FORMATS:
        raise UsageError(f"{form!r} is no format", hint=f"formats are {', '.join(FORMATS)}")
    return FORMATS[form](report, version)


def _text(report: LintReport, _version: str) -> str:
    lines: list[str] = []
    path = None
    for item in report.items:
        if item.path != path:
            path = item.path
            lines.append(_printable(path))
        hint = f" ({item.hint})" if item.hint else ""
        lines.append(f"  {item.line}: {item.severity} {item.rule}: {_printable(item.message + hint)}")
    lines.append(f"{report.pages} pages: {report.errors} errors, {report.warnings} warnings, {report.infos} notes")
    return "\n".join(lines) + "\n"


def _json(report: LintReport, _version: str) -> str:
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def _github(report: LintReport, _version: str) -> str:
    return "".join(f"::{_GITHUB_LEVELS[item.severity]} {_where(item)}::{_data(_words(item))}\n" for item in report.items)


def _where(item: Finding) -> str:
    return f"file={_property(item.path)},line={item.line},title={_property(item.rule)}"


def _sarif(report: LintReport, version: str) -> str:
    used = sorted({item.rule for item in report.items})
    rules = [
        {
            "id": rule,
            "shortDescription": {"text": RULES[rule][1]},
            "defaultConfiguration": {"level": _SARIF_LEVELS[RULES[rule][0]]},
        }
        for rule in used
    ]
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "lith", "semanticVersion": version, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"VAULT": {"description": {"text": "the root of the vault"}}},
        "results": [_sarif_result(item, used.index(item.rule)) for item in report.items],
    }
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _sarif_result(item: Finding, index: int) -> dict[str, Any]:
    place = {
        "artifactLocation": {"uri": quote(item.path, errors="replace"), "uriBaseId": "VAULT"},
        "region": {"startLine": item.line},
    }
    return {
        "ruleId": item.rule,
        "ruleIndex": index,
        "level": _SARIF_LEVELS[item.severity],
        "message": {"text": _words(item)},
        "locations": [{"physicalLocation": place}],
    }


def _words(item: Finding) -> str:
    return f"{item.message} ({item.hint})" if item.hint else item.message


def _printable(text: str) -> str:
    """Text without control characters, which a page could use to play with a terminal."""
    return "".join(char if char.isprintable() or char == " " else "\N{REPLACEMENT CHARACTER}" for char in text)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


FORMATS: dict[str, Callable[[LintReport, str], str]] = {"text": _text, "json": _json, "sarif": _sarif, "github": _github}
"""The formats by name."""

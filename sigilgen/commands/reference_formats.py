"""JSON Schemas of everything that is stored or published, and the reference page of all file formats."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from sigilgen.commands.reference_written import written_files
from sigilgen.model.record import PlanRecord, ProveRecord
from sigilgen.model.run import Run
from sigilgen.pages.published import PublishedCatalogue, PublishedEvidence

STORED: Mapping[str, type[msgspec.Struct]] = {"plan": PlanRecord, "prove": ProveRecord, "run": Run}
"""Every kind of thing that is stored, by the name of its schema."""

PUBLISHED: Mapping[str, type[msgspec.Struct]] = {"catalogue": PublishedCatalogue, "evidence": PublishedEvidence}
"""Every kind of thing that pages offer to programs, by the name of its schema."""

PLACES = {
    "plan": "`plan-….json`: every run of an experiment, committed before the first one.",
    "prove": "`prove-…/record.json`: the result of an experiment.",
    "run": "`prove-…/runs.jsonl`: one line for each attempt.",
    "catalogue": "`catalogue/catalogue.json`: the whole catalogue.",
    "evidence": "`catalogue/<skills or instructions>/<namespace>/<slug>/evidence.json`: one capability.",
}

HEAD = """\
# File formats

This page is written by `sigil reference` from the program itself.

Files that people write are YAML: plain mappings, lists and scalars, without anchors, aliases and tags.
An unknown or repeated key is a fault, and all faults of a file are reported at once, each with its line.
"""

STORED_HEAD = """\
## Evidence

Records are canonical JSON (RFC 8785) with a final line feed, and are never changed once written.
They hold no number with a fraction: counts, milliseconds, bytes and millionths of a US dollar are whole.
The `id` of a record is the sha256 of its canonical bytes without the `id`.
A reader passes over fields that it does not know, and a missing number is `null`, never 0.
A record stands below `evidence/<skills or instructions>/<namespace>/<slug>/<first 16 digits of the payload digest>/`.
JSON Schemas of the three kinds are in `schemas/`.
"""

PUBLISHED_HEAD = """\
## For programs

`sigil build` writes these files beside the pages, from the same evidence.
Fields are only ever added; a field that changes its meaning is a new `schema`.
There is no number with a fraction: differences are decimal text, and a missing one is `null`.
Their JSON Schemas are in `schemas/` too.
"""

Schema = Mapping[str, Any]


def schemas() -> dict[str, str]:
    """JSON Schema of each kind that is stored or published, as the text of its file."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {
        name: json.dumps(dialect | msgspec.json.schema(kind), indent=2, ensure_ascii=False) + "\n"
        for name, kind in {**STORED, **PUBLISHED}.items()
    }


def formats_page() -> str:
    """Every file that people write, then every record, then what pages publish, with all keys and fields."""
    shown: set[str] = set()
    stored, published = tuple(_sections(STORED, shown)), tuple(_sections(PUBLISHED, shown))
    return "\n".join([HEAD, written_files(), STORED_HEAD, *stored, PUBLISHED_HEAD, *published])


def _sections(kinds: Mapping[str, type[msgspec.Struct]], shown: set[str]) -> Iterator[str]:
    """A section for each of `kinds`, and in it one for each definition that is not in `shown` yet."""
    for name, kind in kinds.items():
        yield f"### {name}\n\n{PLACES[name]}\n"
        for title, schema in msgspec.json.schema(kind)["$defs"].items():
            if title not in shown:
                yield _definition(title, schema)
            shown.add(title)


def _definition(title: str, schema: Schema) -> str:
    head = f"#### {title}\n\n{schema.get('description', '')}\n"
    if "properties" not in schema:
        return f"{head}\nOne of {_type(schema)}.\n"
    required = schema.get("required", ())
    rows = [
        f"| `{name}` | {_type(field)}{'' if name in required else ' (may be absent)'} |"
        for name, field in schema["properties"].items()
    ]
    return "\n".join([head, "| Field | Holds |", "|---|---|", *rows, ""])


def _type(schema: Schema) -> str:
    """What a value may be, in words."""
    if "$ref" in schema:
        title = schema["$ref"].rpartition("/")[2]
        return f"[{title}](#{title.lower()})"
    if "anyOf" in schema:
        return " or ".join(_type(option) for option in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    if schema.get("type") == "object":
        return f"for each {_type(schema['propertyNames'])}: {_type(schema['additionalProperties'])}"
    return _scalar(schema)


def _scalar(schema: Schema) -> str:
    # Names of properties have no type: they are always text.
    names = {"boolean": "true or false", "null": "null", "string": "text", "integer": "whole number"}
    word = "count" if schema.get("minimum") == 0 else names[schema.get("type", "string")]
    meaning = schema.get("description", "").replace("<", "&lt;").replace(">", "&gt;")
    return f"{word} ({meaning})" if meaning else word

"""Writes ../fixtures/wire/types.json: the fields of what the providers' SDKs say a model answers with.

usage: python schemas.py    (in the virtual environment of requirements.txt)

A type is "string", "integer", "number", "boolean" or "any"; {"one": [literals]}; {"list": type}; {"map": type};
{"any_of": [types]}; {"fields": {name: type}, "optional": [names]}.
"""
import json, pathlib
from pydantic import TypeAdapter
import anthropic.types as claude, anthropic.types.beta as beta
import google.genai.types as gemini
import mcp.types, ollama
import openai.types.chat as chat, openai.types.responses as responses


def compact(schema, defs, depth=0):
    if depth > 9:
        return "any"
    if "$ref" in schema:
        return compact(defs[schema["$ref"].split("/")[-1]], defs, depth)
    if "const" in schema or "enum" in schema:
        return {"one": [schema["const"]] if "const" in schema else [v for v in schema["enum"] if v is not None]}
    for key in ("anyOf", "oneOf"):
        if key in schema:
            kinds = [compact(kind, defs, depth) for kind in schema[key] if kind.get("type") != "null"]
            return kinds[0] if len(kinds) == 1 else {"any_of": kinds}
    kind = schema.get("type")
    if kind == "array":
        return {"list": compact(schema.get("items", {}), defs, depth + 1)}
    if kind == "object" and "properties" in schema:
        required = set(schema.get("required", []))
        fields = {name: compact(field, defs, depth + 1) for name, field in schema["properties"].items()}
        # What tells a type from others is there, whether or not the SDK has a default for it.
        optional = [name for name in fields if name not in required and name not in ("type", "role")]
        return {"fields": fields, "optional": optional}
    if kind == "object":
        inner = schema.get("additionalProperties")
        return {"map": compact(inner, defs, depth + 1) if isinstance(inner, dict) else "any"}
    return kind if isinstance(kind, str) else "any"


def of(type_, by_alias=True):
    schema = TypeAdapter(type_).json_schema(by_alias=by_alias)
    return compact(schema, schema.get("$defs", {}))


found = {
    "anthropic": {"any_of": of(claude.ContentBlock)["any_of"] + of(beta.BetaContentBlock)["any_of"]},
    "openai_responses": of(responses.ResponseOutputItem),
    "openai_chat": of(chat.ChatCompletionMessage),
    "gemini": of(gemini.Part),
    "ollama": of(ollama.Message),
    "mcp": of(mcp.types.ContentBlock),
}
# The alias of an image's bytes is not what travels.
found["ollama"]["fields"] |= {"role": {"one": ["assistant"]}, "images": {"list": "string"}}
path = pathlib.Path(__file__).parent.parent / "fixtures/wire/types.json"
path.parent.mkdir(exist_ok=True)
lines = [f"{json.dumps(name)}: {json.dumps(type_, separators=(',', ':'))}" for name, type_ in found.items()]
path.write_text("{\n" + ",\n".join(lines) + "\n}\n")

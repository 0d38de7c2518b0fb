"""Replies made from the types of the providers' own SDKs, read and sent back: every text must come back, and what is sent
must be what the SDK's types for requests take.

usage (outside the gate; nothing is sent over the network):
    python3 -m venv target/sdk && target/sdk/bin/pip install -r tests/sdk/requirements.txt
    cargo build -p prompt-tests --bin wire
    target/sdk/bin/python tests/sdk/validate.py [COUNT]

A server's item that the SDK's own type for requests refuses is counted apart: it goes back as it came.
"""
import collections, json, pathlib, random, subprocess, sys
from pydantic import TypeAdapter, ValidationError
from anthropic.types import MessageParam
from anthropic.types.beta import BetaMessageParam
from google.genai.types import Content as GeminiContent
from mcp.types import GetPromptResult
from ollama import Message as OllamaMessage
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam

root = pathlib.Path(__file__).parent.parent.parent
types = json.loads((root / "tests/fixtures/wire/types.json").read_text())
count = int(sys.argv[1]) if len(sys.argv) > 1 else 300


class Maker:
    """Values of a type of types.json; every text is another one."""

    def __init__(self, seed):
        self.random, self.made = random.Random(seed), 0

    def text(self):
        self.made += 1
        return f"t{self.made}x"

    def value(self, of):
        draw = self.random.random
        if isinstance(of, str):
            return {"string": self.text, "integer": lambda: int(draw() * 1000), "number": lambda: int(draw() * 1000) / 8,
                    "boolean": lambda: draw() < 0.5, "any": lambda: {"any": self.text()}}.get(of, self.text)()
        if "one" in of:
            return self.random.choice(of["one"])
        if "any_of" in of:
            return self.value(self.random.choice(of["any_of"]))
        if "list" in of:
            return [self.value(of["list"]) for _ in range(int(draw() * 3))]
        if "map" in of:
            return {"a": self.value(of["map"])}
        return {name: self.value(inner) for name, inner in of["fields"].items()
                if name not in of["optional"] or draw() < 0.5}


def gemini_part(maker):
    part = maker.value(types["gemini"])
    fields = types["gemini"]["fields"]
    data = ["codeExecutionResult", "executableCode", "fileData", "functionCall", "inlineData", "text"]
    others = data + ["functionResponse", "toolCall", "toolResponse"]
    part = {key: inner for key, inner in part.items() if key not in others and not isinstance(inner, str)}
    kind = maker.random.choice(data)
    part[kind] = maker.value(fields[kind])
    if kind == "functionCall":
        part[kind] = {"name": maker.text(), "id": maker.text(), "args": {"a": maker.text()}}
    if "Data" in kind:
        part[kind] = {"mimeType": "image/png", "displayName": maker.text()} | (
            {"data": "aGk="} if kind == "inlineData" else {"fileUri": maker.text()})
    part["thoughtSignature"] = "c2ln"
    return part


def answer(provider, maker):
    """The body of a reply, and what must come back."""
    many = lambda: [maker.value(types[provider]) for _ in range(1 + int(maker.random.random() * 3))]
    match provider:
        case "anthropic":
            said = many()
            return {"role": "assistant", "content": said, "stop_reason": "end_turn"}, said
        case "openai_responses":
            said = many()
            return {"status": "completed", "output": said}, said
        case "openai_chat":
            said = maker.value(types[provider])
            return {"choices": [{"message": said, "finish_reason": "stop"}]}, said
        case "gemini":
            said = [gemini_part(maker) for _ in range(2)]
            return {"candidates": [{"content": {"role": "model", "parts": said}, "finishReason": "STOP"}]}, said
        case "ollama":
            said = maker.value(types[provider])
            if "images" in said:
                said["images"] = ["aGk="] * len(said["images"])
            return {"message": said, "done": True, "done_reason": "stop"}, said
        case "mcp":
            said = [{"role": "user", "content": block} for block in many()]
            for message in said:
                block = message["content"]
                if "priority" in block.get("annotations", {}):
                    block["annotations"]["priority"] = 0.5
                for key in ("data", "blob"):
                    for place in (block, block.get("resource", {})):
                        if key in place:
                            place[key] = "aGk="
            return {"messages": said}, said


def leaves(value):
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    return [value] if isinstance(value, str) else []


adapters = {"anthropic": [TypeAdapter(MessageParam), TypeAdapter(BetaMessageParam)],
            "openai_responses": [TypeAdapter(ResponseInputItemParam)],
            "openai_chat": [TypeAdapter(ChatCompletionMessageParam)], "gemini": [TypeAdapter(GeminiContent)],
            "ollama": [TypeAdapter(OllamaMessage)], "mcp": [TypeAdapter(GetPromptResult)]}
places = {"anthropic": "messages", "openai_responses": "input", "openai_chat": "messages", "gemini": "contents", "ollama": "messages"}


def takes(provider, value):
    if provider == "ollama" and "images" in value:
        # The SDK's own way to hold them before it sends them.
        value = value | {"images": [{"value": data} for data in value["images"]]}
    for adapter in adapters[provider]:
        try:
            adapter.validate_python(value)
            return True
        except ValidationError:
            pass
    return False


cases = [(provider, *answer(provider, Maker(f"{provider} {seed}"))) for provider in adapters for seed in range(count)]
lines = "\n".join(json.dumps({"provider": provider, "body": body}) for provider, body, _ in cases)
wire = subprocess.run([root / "target/debug/wire"], input=lines, capture_output=True, text=True, check=True)
totals = collections.defaultdict(collections.Counter)
for (provider, _, said), line in zip(cases, wire.stdout.splitlines(), strict=True):
    total, out = totals[provider], json.loads(line)
    total["replies"] += 1
    if "error" in out:
        total["refused by us"] += 1
        print(provider, out["error"], json.dumps(said)[:200], file=sys.stderr)
        continue
    request = out["request"]
    sent = json.dumps(request)
    lost = [leaf for leaf in leaves(said) if json.dumps(leaf)[1:-1] not in sent]
    total["leaves"] += len(leaves(said))
    total["leaves lost"] += len(lost)
    if lost:
        print(provider, "lost", lost, json.dumps(said)[:300], file=sys.stderr)
    pieces = [request] if provider == "mcp" else request[places[provider]]
    ours = said if isinstance(said, list) else [said]
    verbatim = {json.dumps(piece, sort_keys=True) for piece in ours}
    for piece in pieces:
        if takes(provider, piece):
            total["pieces taken"] += 1
            continue
        inner = piece.get("content") if provider == "anthropic" else [piece]
        same = all(json.dumps(block, sort_keys=True) in verbatim or takes(provider, {"role": "assistant", "content": [block]}) for block in inner)
        total["refused, the server's own" if same else "refused, ours"] += 1
        if not same:
            print(provider, "refused", json.dumps(piece)[:400], file=sys.stderr)
bad = 0
for provider, total in totals.items():
    print(f"{provider:18} " + ", ".join(f"{name}: {number}" for name, number in total.items()))
    bad += total["leaves lost"] + total["refused by us"] + total["refused, ours"]
sys.exit(bad > 0)

"""Writes what the engines print for the prompts of this folder, a file for each set of values.

Run by hand where a prompt or its values change, with the folder where `npm install handlebars` was run:

    NODE_PATH=/path/to/node_modules python3 make.py

The texts were made with Python 3.11, jinja2 3.1.6, node 20.20 and handlebars 4.7.10.
"""

import json
import subprocess
from pathlib import Path

from jinja2 import Environment

HERE = Path(__file__).parent

NODE = """
const { readFileSync } = require("node:fs");
const { engine, text, values, options } = JSON.parse(readFileSync(0, "utf8"));
const render = engine === "handlebars"
  ? require("handlebars").compile(text, options)
  : (values) => new Function(...Object.keys(values), "return `" + text + "`;")(...Object.values(values));
process.stdout.write(JSON.stringify(values.map((set) => render(set))));
"""


def jinja(text, values, **options):
    template = Environment(**options).from_string(text)
    return [template.render(one) for one in values]


def str_format(text, values):
    return [text.format(**one) for one in values]


def f_string(text, values):
    return [eval("f'''" + text + "'''", {"newline": "\n", **one}) for one in values]


def node(engine, text, values, **options):
    order = json.dumps({"engine": engine, "text": text, "values": values, "options": options})
    ran = subprocess.run(["node", "-e", NODE], input=order, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


PROMPTS = {
    # jinja2 with its defaults
    "triage": ("prompt.j2", jinja, {}),
    "code_review": ("prompt.j2", jinja, {}),
    # jinja2 as chat templates are run
    "documents": ("prompt.j2", jinja, {"trim_blocks": True, "lstrip_blocks": True}),
    # handlebars as prompts are run, and with its defaults, which escape HTML
    "tutor": ("prompt.hbs", lambda *them, **options: node("handlebars", *them, **options), {"noEscape": True}),
    "release_notes": ("prompt.hbs", lambda *them, **options: node("handlebars", *them, **options), {}),
    "judge": ("prompt.py.txt", str_format, {}),
    "sql_agent": ("prompt.py.txt", f_string, {}),
    "report": ("prompt.py.txt", str_format, {}),
    "commit": ("prompt.js.txt", lambda *them: node("template literal", *them), {}),
    "game_master": ("prompt.js.txt", lambda *them: node("template literal", *them), {}),
}

for name, (file, render, options) in PROMPTS.items():
    folder = HERE / name
    text = (folder / file).read_bytes().decode()
    values = json.loads((folder / "values.json").read_bytes())
    for number, printed in enumerate(render(text, values, **options), 1):
        (folder / f"{number}.txt").write_bytes(printed.encode())

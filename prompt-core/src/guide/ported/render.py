# Writes what the engines print for these templates: jinja2 3.1 with its defaults, and `str.format` of Python 3.
import json
from pathlib import Path
from jinja2 import Environment

here = Path(__file__).parent
engines = {
    "jinja.j2": lambda text, data: Environment().from_string(text).render(data),
    "format.txt": lambda text, data: text.format(**data),
}
for template, render in engines.items():
    text = (here / template).read_text()
    name = template.partition(".")[0]
    for number, data in enumerate(json.loads((here / f"{name}.json").read_text())):
        (here / f"{name}.{number}.md").write_text(render(text, data))

# Writes what the engine prints for the template: jinja2 3.1 with its defaults.
import json
from pathlib import Path
from jinja2 import Environment

here = Path(__file__).parent
template = Environment().from_string((here / "jinja.j2").read_text())
for number, data in enumerate(json.loads((here / "jinja.json").read_text())):
    (here / f"jinja.{number}.md").write_text(template.render(data))

// Writes what handlebars 4.7 prints for its template, without the escapes of HTML.
const { readFileSync, writeFileSync } = require("node:fs");
const handlebars = require("handlebars");

const file = (name) => `${__dirname}/${name}`;
const render = handlebars.compile(readFileSync(file("handlebars.hbs"), "utf8"), { noEscape: true });
JSON.parse(readFileSync(file("handlebars.json"), "utf8")).forEach((data, number) =>
  writeFileSync(file(`handlebars.${number}.md`), render(data)),
);

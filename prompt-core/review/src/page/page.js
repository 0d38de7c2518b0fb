
"use strict";
{
  const all = (css, root = document) => [...root.querySelectorAll(css)];
  const say = (words) => { document.getElementById("said").textContent = words; };

  // The text of a block to the byte: characters that are shown by their number are put back.
  const exact = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.classList.contains("edge")) return "";
    if (node.dataset.c) return String.fromCodePoint(parseInt(node.dataset.c, 16));
    return [...node.childNodes].map(exact).join("");
  };
  const plain = () => exact(document.querySelector("#plain pre"));
  const slice = (from, to) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(plain()).slice(from, to));

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say(`Copied ${[...text].length} characters`);
  };

  // Hides what does not hold the words, and unfolds what does.
  const filter = (words) => {
    const wanted = words.trim().toLowerCase();
    const has = (element) => !wanted || element.textContent.toLowerCase().includes(wanted);
    let shown = 0;
    for (const part of all(".part, .message, .tool, .prompt > .text, .prompt > .hints, .values tbody tr")) {
      part.hidden = !has(part);
      if (part.hidden || !part.classList.contains("part")) continue;
      shown += 1;
      if (wanted) part.open = true;
    }
    for (const row of all("tr[data-row]")) row.hidden = document.getElementById(row.dataset.row).hidden;
    say(wanted ? `${shown} ${shown === 1 ? "section holds" : "sections hold"} it` : "");
  };

  const acts = {
    unfold: () => all("details:not(.other)").forEach((it) => { it.open = true; }),
    fold: () => all("details").forEach((it) => { it.open = false; }),
    swap: (button) => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      for (const it of all(".reduced, .part.gone, .other.full")) it.open = on || it.classList.contains("reduced");
    },
    copy: () => copy(plain()),
  };

  const bar = document.getElementById("bar");
  bar.hidden = false;
  all(".acts").forEach((it) => { it.hidden = false; });
  document.getElementById("filter").addEventListener("input", (event) => filter(event.target.value));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { act, from, to } = button.dataset;
    if (act) acts[act](button);
    else if (from) copy(slice(Number(from), Number(to)));
    else copy(exact(button.closest(".acts").previousElementSibling));
  });

  // A link to a section opens what it is folded into.
  const reveal = () => {
    let target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();
}

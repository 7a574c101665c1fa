// Search of the site, from an index that lies beside it: no server, no network, also from a folder
// (file://). Sections are ranked by where the words stand: in the heading, in the title of the
// page, in the text.
"use strict";
(() => {
  const input = document.querySelector("#search"), main = document.querySelector("main");
  const root = document.body.dataset.root;
  let before = null, loading = null;

  // the index is a script, because pages of a folder may not read files
  const load = () => loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = root + "search-index.js";
    script.onload = () => done(window.searchIndex);
    script.onerror = failed;
    document.head.append(script);
  });

  const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_.-]+/u).filter((w) => w.length > 1 || /\p{N}/u.test(w));

  function score(section, terms) {
    let sum = 0;
    for (const term of terms) {
      const heading = section.heading.toLowerCase(), page = section.page.toLowerCase(), text = section.lower ??= section.text.toLowerCase();
      const at = text.indexOf(term);
      const points = (heading.includes(term) ? 10 : 0) + (heading === term ? 20 : 0) + (page.includes(term) ? 4 : 0) +
        (at >= 0 ? 1 + Math.min(3, text.split(term).length - 1) : 0);
      if (points === 0) return 0; // all words are wanted
      sum += points;
    }
    // what changed when is rarely what is looked for
    return section.at.startsWith("CHANGELOG") ? 0.2 * sum : sum;
  }

  function excerpt(section, terms) {
    const at = Math.max(0, section.text.toLowerCase().indexOf(terms[0]) - 80);
    const p = document.createElement("p");
    let rest = (at ? "… " : "") + section.text.slice(at, at + 220) + (section.text.length > at + 220 ? " …" : "");
    for (;;) {
      const lower = rest.toLowerCase();
      const hits = terms.map((t) => [lower.indexOf(t), t.length]).filter(([i]) => i >= 0).sort((a, b) => a[0] - b[0]);
      if (!hits.length) break;
      const [i, n] = hits[0], mark = document.createElement("mark");
      mark.textContent = rest.slice(i, i + n);
      p.append(rest.slice(0, i), mark);
      rest = rest.slice(i + n);
    }
    p.append(rest);
    return p;
  }

  function show(query, index) {
    const terms = words(query);
    const found = index.map((s) => [score(s, terms), s]).filter(([n]) => n > 0).sort((a, b) => b[0] - a[0]).slice(0, 40);
    const list = document.createElement("ul");
    list.id = "found";
    for (const [, section] of found) {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = root + section.at;
      link.textContent = section.page === section.heading ? section.page : section.page + ": " + section.heading;
      link.addEventListener("click", () => { input.value = ""; put(null); });
      item.append(link, excerpt(section, terms));
      list.append(item);
    }
    const head = document.createElement("h1");
    head.textContent = found.length ? `${found.length} sections with “${query}”` : `Nothing with “${query}”`;
    put([head, list]);
  }

  // results stand in place of the page; null: the page again
  function put(results) {
    before ??= [...main.childNodes];
    main.replaceChildren(...(results ?? before));
    if (!results) before = null;
  }

  input.addEventListener("focus", load, { once: true });
  input.addEventListener("input", async () => {
    const query = input.value.trim();
    if (words(query).length === 0) return before && put(null);
    const index = await load();
    if (input.value.trim() === query) show(query, index);
  });
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && document.activeElement !== input) { e.preventDefault(); input.focus(); }
    if (e.key === "Escape" && document.activeElement === input) { input.value = ""; if (before) put(null); input.blur(); }
  });
  window.sarrusSearch = { words, score };
})();

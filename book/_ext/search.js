/* The search page's judgement: pages whose topic is asked for come first, and an excerpt is a sentence. Sphinx puts
   this file behind its own `Search` and `Scorer`, see `html_search_scorer`; what it puts before ends without a semicolon. */
;(() => {
  /* ---- order: a title is "Topic: question?"; a hit in the topic counts most, each word of the query its share ---- */
  const MOST = 30;      /* what Sphinx's own score may add: it gives an entry of the glossary up to 100 */
  const stemmer = new Stemmer();
  const stems = (text) => splitQuery(text.toLowerCase()).filter((word) => !stopwords.includes(word))
    .map((word) => stemmer.stemWord(word));
  const share = (wanted, text) => {
    const found = stems(text);
    return wanted.filter((word) => found.includes(word)).length / Math.max(1, wanted.length);
  };
  const plain = (html) => new DOMParser().parseFromString(html, "text/html").body.textContent;

  Scorer.score = ([page, title, anchor, , score]) => {
    const wanted = stems(new URLSearchParams(location.search).get("q") ?? "");
    const [, topic = ""] = /^(.*?): /.exec(plain(title)) ?? [];
    const chapter = /^book\/0[1-7]/.test(page);
    const whole = anchor
      ? 50 * share(wanted, plain(title).split(" > ").pop())     /* a heading within a page, such as gs.occupancy */
      : 60 * share(wanted, topic) + 30 * share(wanted, plain(title));
    return Math.round(Math.min(score, MOST) + whole + (chapter ? 5 : 0));
  };

  /* ---- the excerpt: the paragraph, entry or cell that holds most of the words, from the start of a word; code only
     where no sentence has one ---- */
  const TEXTS = ["p, li, dd, caption, figcaption, legend, td", "pre"];
  const NOT_TEXT = "script, style, svg, .headerlink, .gs-map, .gs-meta, .toctree-wrapper, button";
  const LONG = 240;
  const LEAD = 80;      /* characters of it before the first word that is sought */

  const excerpt = (text, at) => {
    const from = at > LEAD ? text.indexOf(" ", at - LEAD) + 1 : 0;
    const piece = text.slice(from, from + LONG);
    const cut = from + LONG < text.length;
    return (from ? "… " : "") + (cut ? `${piece.slice(0, piece.lastIndexOf(" "))} …` : piece);
  };

  const scope = (root, anchor) => {
    const main = root.querySelector("article.bd-article") ?? root.querySelector("[role=main]") ?? root.body;
    const named = anchor ? main.querySelector(`#${CSS.escape(anchor.slice(1))}`) : null;
    return (named?.matches("dt") ? named.nextElementSibling : named) ?? main;
  };

  const textsOf = (place, kind) => [...(place.matches(kind) ? [place] : place.querySelectorAll(kind))]
    .filter((each) => !each.querySelector(kind)).map((each) => each.textContent.replace(/\s+/g, " ").trim());

  /* Where a text has a stem of the query; a stem's last letter may be another than the word's ("array", "arrai"). */
  const placeOf = (text, word) => {
    const at = (start) => text.toLowerCase().search(new RegExp(`\\b${_escapeRegExp(start)}`));
    return at(word) < 0 && word.length > 3 ? at(word.slice(0, -1)) : at(word);
  };

  Search.makeSearchSummary = (html, keywords, anchor) => {
    const root = new DOMParser().parseFromString(html, "text/html");
    root.querySelectorAll(NOT_TEXT).forEach((element) => element.remove());
    const place = scope(root, anchor);
    const places = (text) => [...keywords].map((word) => placeOf(text, word)).filter((at) => at >= 0);
    const best = (texts) => texts.reduce((best, text) => (places(text).length > places(best).length ? text : best), "");
    const [prose, code] = TEXTS.map((kind) => textsOf(place, kind));
    const text = best(prose) || best(code) || prose.find(Boolean) || place.textContent.trim();
    const summary = document.createElement("p");
    summary.classList.add("context");
    summary.textContent = excerpt(text, Math.min(...places(text), text.length) % Math.max(1, text.length));
    return summary;
  };
})();

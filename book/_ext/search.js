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
    const [topic] = plain(title).split(":");
    const chapter = /^book\/0[1-7]/.test(page);
    const whole = anchor ? 0 : 60 * share(wanted, topic) + 30 * share(wanted, plain(title));
    return Math.round(Math.min(score, MOST) + whole + (chapter ? 5 : 0));
  };

  /* ---- the excerpt: the paragraph, entry or cell that holds most of the words, from the start of a word ---- */
  const TEXTS = "p, li, dd, caption, figcaption, legend, td, pre";
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
    const named = anchor && main.querySelector(`#${CSS.escape(anchor.slice(1))}`);
    return (named?.matches("dt") ? named.nextElementSibling : named) ?? main;
  };

  Search.makeSearchSummary = (html, keywords, anchor) => {
    const root = new DOMParser().parseFromString(html, "text/html");
    root.querySelectorAll(NOT_TEXT).forEach((element) => element.remove());
    const place = scope(root, anchor);
    const texts = [...place.querySelectorAll(TEXTS), place].filter((each) => each === place || !each.querySelector(TEXTS))
      .map((each) => each.textContent.replace(/\s+/g, " ").trim()).filter(Boolean);
    const count = (text) => [...keywords].filter((word) => text.toLowerCase().includes(word)).length;
    const best = texts.reduce((best, text) => (count(text) > count(best) ? text : best), texts[0] ?? "");
    const first = Math.min(...[...keywords].map((word) => best.toLowerCase().indexOf(word)).filter((at) => at >= 0), best.length);
    const summary = document.createElement("p");
    summary.classList.add("context");
    summary.textContent = excerpt(best, first === best.length ? 0 : first);
    return summary;
  };
})();

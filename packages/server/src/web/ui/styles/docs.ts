/** Pages of documentation: a navigation beside an article. */
export const DOCS = `
.parity-parts { columns: 3 14rem; }
.parity-parts a { display: block; padding-block: 0.25rem; }
.docs {
  inline-size: min(100% - 2rem, 76rem);
  margin-inline: auto;
  padding-block: 2rem 4rem;
  display: grid;
  grid-template-columns: 15rem minmax(0, 1fr);
  grid-template-rows: auto 1fr;
  gap: 1rem 3rem;
  align-items: start;
  outline: none;
}
.docs-search form { display: flex; gap: 0.5rem; }
.docs-all { display: none; margin-block-start: 0.5rem; }
.docs-nav { grid-area: 2 / 1; position: sticky; inset-block-start: 1.5rem; max-block-size: calc(100vh - 3rem); overflow: auto; }
.docs-search input {
  flex: 1;
  min-inline-size: 0;
  min-block-size: 2.5rem;
  padding: 0.375rem 0.75rem;
  font: inherit;
  color: var(--text);
  background: var(--surface);
  border: 1px solid var(--line-strong);
  border-radius: 8px;
}
.docs-nav summary { padding-block: 0.5rem; font-weight: 600; cursor: pointer; }
.docs-nav a { display: block; padding: 0.3125rem 0.75rem; border-radius: 8px; color: var(--text); text-decoration: none; }
.docs-nav a:hover { background: var(--surface); }
.docs-nav a[aria-current] { font-weight: 600; color: var(--accent); background: var(--accent-soft); }
.docs-article { grid-area: 1 / 2 / 3 / 2; display: grid; gap: 1.25rem; max-inline-size: 50rem; min-inline-size: 0; }
.docs-contents { padding: 0.625rem 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
.docs-contents summary { font-weight: 600; cursor: pointer; }
.docs-contents ul { columns: 2 16rem; padding-block: 0.5rem; }
.docs-contents a { display: block; padding-block: 0.25rem; }
.docs-text { min-inline-size: 0; line-height: 1.6; }
.docs-text > * + * { margin-block-start: 1rem; }
.docs-text h1, .docs-article > h1 { font-size: 1.875rem; }
.docs-text h2 { margin-block-start: 2.5rem; font-size: 1.375rem; scroll-margin-block-start: 1rem; }
.docs-text h3 { margin-block: 2rem 0; font-size: 1.0625rem; scroll-margin-block-start: 1rem; }
.docs-text h4 { margin-block: 1.5rem 0; scroll-margin-block-start: 1rem; }
.docs-text :is(p, ol, table) { margin-block-end: 0; }
.docs-text p { margin-block-start: 1rem; }
.docs-text :is(ul, ol) { padding-inline-start: 1.5rem; list-style: revert; }
.docs-text li + li { margin-block-start: 0.375rem; }
.docs-anchor { color: inherit; text-decoration: none; }
.docs-anchor:hover { color: inherit; text-decoration: underline; }
.docs-text :not(pre) > code { padding: 0.0625rem 0.3125rem; background: var(--surface); border: 1px solid var(--line); border-radius: 5px; }
.docs-text pre {
  padding: 1rem 1.125rem;
  overflow: auto;
  font: 0.8438rem/1.55 var(--mono);
  overflow-wrap: normal;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--radius);
}
.docs-text pre code { font-size: inherit; }
.docs-table { overflow: auto; }
.docs-text table { border-collapse: collapse; inline-size: 100%; font-size: 0.875rem; overflow-wrap: break-word; }
.docs-text :is(th, td) { padding: 0.5rem 0.75rem; text-align: start; vertical-align: top; border-block-end: 1px solid var(--line); }
.docs-text th { font-weight: 600; border-block-end-color: var(--line-strong); }
.docs-text td code { white-space: nowrap; }
.docs-text img { display: block; max-inline-size: 100%; block-size: auto; border: 1px solid var(--line); border-radius: var(--radius); }
.docs-search { position: relative; }
.docs-results {
  position: absolute;
  z-index: 2;
  inset-block-start: calc(100% + 0.5rem);
  inset-inline-start: 0;
  inline-size: min(34rem, 100vw - 2rem);
  max-block-size: min(32rem, 70vh);
  overflow: auto;
  padding: 1rem 1.125rem;
  background: var(--surface);
  border: 1px solid var(--line-strong);
  border-radius: var(--radius);
  box-shadow: 0 8px 30px rgb(0 0 0 / 0.18);
}
.docs-results[hidden] { display: none; }
.docs-results .docs-hits { gap: 0.875rem; margin-block-start: 0.625rem; }
.docs-results .docs-hits:empty { margin: 0; }
.docs-hits { margin: 0; padding: 0; list-style: none; display: grid; gap: 1.25rem; }
.docs-hits a { font-weight: 600; margin-inline-end: 0.625rem; }
.docs-hits :is(a, .fine) { unicode-bidi: isolate; }
.docs-hits .fine { display: inline-block; }
@media (max-width: 52rem) {
  .docs { display: flex; flex-direction: column; align-items: stretch; padding-block-start: 1rem; }
  .docs-all { display: block; padding-block: 0.5rem; }
  .docs-nav { position: static; max-block-size: none; border-block-start: 1px solid var(--line); padding-block-start: 1rem; }
}
`;

/** Layout of the documentation: a navigation beside an article. */
export const DOCS = `
.docs {
  inline-size: min(100% - 2rem, 80rem);
  margin-inline: auto;
  padding-block: 2rem 4rem;
  display: grid;
  grid-template-columns: 15rem minmax(0, 1fr);
  grid-template-rows: auto 1fr;
  gap: 1rem 3rem;
  align-items: start;
}
.docs-search { position: relative; }
.docs-search form { display: flex; gap: 0.5rem; }
.docs-search input { flex: 1; min-inline-size: 0; min-block-size: 2.5rem; }
.docs-all { display: none; margin-block-start: 0.5rem; }
.docs .docs-nav { grid-area: 2 / 1; gap: 0.25rem; inset-block-start: 1.5rem; max-block-size: calc(100vh - 3rem); overflow: auto; }
.docs-nav summary { padding: 0.5rem 0.75rem; }
.docs-article { grid-area: 1 / 2 / 3 / 2; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; max-inline-size: 50rem; min-inline-size: 0; }
.docs-contents ul { columns: 2 16rem; }
.docs-contents a { display: block; padding-block: 0.25rem; }
.docs-results {
  position: absolute;
  z-index: 2;
  inset-block-start: calc(100% + 0.5rem);
  inset-inline-start: 0;
  inline-size: min(34rem, 100vw - 2rem);
  max-block-size: min(32rem, 70vh);
  overflow: auto;
}
.docs-results .docs-hits { gap: 0.875rem; margin-block-start: 0.625rem; }
.docs-results .docs-hits:empty { margin: 0; }
.docs-hits { margin: 0; padding: 0; list-style: none; display: grid; gap: 1.25rem; }
.docs-hits a { margin-inline-end: 0.625rem; }
.docs-hits .fine { display: inline-block; }
@media (max-width: 52rem) {
  .docs { display: flex; flex-direction: column; align-items: stretch; padding-block-start: 1rem; }
  .docs-all { display: block; padding-block: 0.5rem; }
  .docs .docs-nav { position: static; flex-direction: column; max-block-size: none; padding-block-start: 1rem; }
}
`;

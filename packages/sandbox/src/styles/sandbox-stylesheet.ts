import { type Asset, assetOf } from '@latchkey/server/ui';

/** Layout of the tools' navigation, and of a page with one tool that fills the window. */
export const TOOLS = `
.tool-nav { inline-size: min(100% - 2rem, 80rem); margin-inline: auto; margin-block-end: -1px; }
body:has(.tool-nav) .site-header-inner { inline-size: min(100% - 2rem, 80rem); min-block-size: 3rem; flex-wrap: nowrap; }
body:has(.tool-nav) .site-header-inner :is(.brand, .site-nav a) { min-block-size: 2.5rem; }
body:has(.tool-nav) .site-header-inner > .brand { margin-inline-end: auto; }
.tool-group { display: flex; gap: 1.25rem; }
.tool-group + .tool-group { margin-inline-start: 0.75rem; }
.tool-nav a[aria-current] { scroll-initial-target: nearest; }
.console { inline-size: min(100% - 2rem, 80rem); margin-inline: auto; padding-block: 1.25rem 1.5rem; flex: 1; display: flex; flex-direction: column; gap: 1rem; min-inline-size: 0; }
.console > search { max-inline-size: 40rem; }
.console > search > .search-form { margin-block: 0; }
.console-parts { display: grid; gap: 1.25rem; }
console-app { display: block; flex: 1; min-block-size: 0; }
.rule-list { display: grid; gap: 0.5rem; margin: 0; }
.rule-list > div { display: grid; grid-template-columns: minmax(0, 19rem) minmax(0, 1fr); gap: 0 1rem; padding: 0.1875rem 0.5rem; scroll-margin-block-start: 4rem; }
.rule-list dd { margin: 0; }
@media (max-width: 30rem) {
  .rule-list > div { grid-template-columns: minmax(0, 1fr); }
  body:has(.tool-nav) .ribbon > span:not(.ribbon-time), body:has(.tool-nav) .ribbon-time::before { display: none; }
  .tool-nav, .console, body:has(.tool-nav) .site-header-inner { inline-size: min(100% - 1.5rem, 80rem); }
}
`;

export const HOME = `
.home { gap: 1.25rem; }
.home > :empty { display: none; }
.home time { white-space: nowrap; }
.home-columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.25rem; align-items: start; }
.home-main { display: grid; gap: 1.25rem; min-inline-size: 0; }
.values { display: grid; gap: 0.375rem; margin: 0; }
.value { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0 0.75rem; align-items: center; min-block-size: 1.75rem; }
.value dd { margin: 0; min-inline-size: 0; }
.value .copy-text { display: flex; justify-content: space-between; }
.paste { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
.paste > h3 { margin-block: 0.75rem 0; }
.paste .code-text { max-block-size: 24rem; overflow: auto; }
.presets { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.75rem 1rem; }
.preset .button { inline-size: 100%; }
.preset .muted { margin-block-start: 0.25rem; }
.clock-steps { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-block-start: 1.25rem; }
.happened { display: grid; gap: 0.375rem; max-block-size: 18rem; margin: 0.75rem 0 0; padding: 0; list-style: none; overflow: auto; }
.happened li { display: grid; grid-template-columns: 11.5rem minmax(0, 1fr); gap: 0 1rem; }
.home .fold ul { margin: 0; }
@media (max-width: 60rem) {
  .home-columns { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 30rem) {
  .presets, .value, .happened li { grid-template-columns: minmax(0, 1fr); }
}
`;

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

/** Stylesheet of the sandbox's own pages. It contains only layout: the parts of the pages have the service's styles. */
export const SANDBOX_STYLESHEET: Asset = assetOf(
  'sandbox.css',
  'text/css; charset=utf-8',
  [TOOLS, HOME, DOCS].join('\n'),
);

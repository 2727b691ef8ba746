/** Layout of the navigation of the tools, and of a page that fills the window with one of them. */
export const TOOLS = `
.tool-nav { inline-size: min(100% - 2rem, 80rem); margin-inline: auto; margin-block-end: -1px; }
body:has(.tool-nav) .site-header-inner { inline-size: min(100% - 2rem, 80rem); min-block-size: 3rem; flex-wrap: nowrap; }
body:has(.tool-nav) .site-header-inner :is(.brand, .site-nav a) { min-block-size: 2.5rem; }
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
.parity-parts { columns: 3 14rem; }
.parity-parts a { display: block; padding-block: 0.25rem; }
@media (max-width: 30rem) {
  .rule-list > div { grid-template-columns: minmax(0, 1fr); }
  body:has(.tool-nav) .ribbon > span:not(.ribbon-time), body:has(.tool-nav) .ribbon-time::before { display: none; }
  .tool-nav, .console, body:has(.tool-nav) .site-header-inner { inline-size: min(100% - 1.5rem, 80rem); }
}
`;

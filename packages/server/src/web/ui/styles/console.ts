/** Navigation of a set of tools, and pages that fill the window with one of them. */
export const CONSOLE = `
.ribbon { flex-wrap: wrap; gap: 0.125rem 0.625rem; }
.ribbon-time { font-variant-numeric: tabular-nums; }
.ribbon-time time { direction: ltr; unicode-bidi: isolate; }
.ribbon-time::before { content: "·" / ""; margin-inline-end: 0.625rem; }
.tool-nav {
  inline-size: min(100% - 2rem, 80rem);
  margin-inline: auto;
  display: flex;
  overflow-x: auto;
  scrollbar-width: thin;
}
body:has(.tool-nav) .site-header-inner { inline-size: min(100% - 2rem, 80rem); min-block-size: 3rem; flex-wrap: nowrap; }
body:has(.tool-nav) .site-header-inner :is(.brand, .site-nav a) { min-block-size: 2.5rem; }
.tool-group { display: flex; }
.tool-group + .tool-group::before { content: ""; flex: none; align-self: center; block-size: 1.125rem; margin-inline: 0.5rem; border-inline-start: 1px solid var(--line); }
.tool-nav a {
  display: inline-flex;
  align-items: center;
  min-block-size: 2.5rem;
  padding-inline: 0.625rem;
  font-size: 0.875rem;
  color: var(--muted);
  text-decoration: none;
  white-space: nowrap;
  border-block-end: 2px solid transparent;
}
.tool-group:first-child a:first-child { padding-inline-start: 0; }
.tool-nav a:hover { color: var(--text); border-block-end-color: var(--line-strong); }
.tool-nav a[aria-current] { color: var(--text); font-weight: 600; border-block-end-color: var(--accent); scroll-initial-target: nearest; }
.tool-nav a:focus-visible { outline-offset: -2px; border-radius: 6px; }
.console { inline-size: min(100% - 2rem, 80rem); margin-inline: auto; padding-block: 1rem 1.5rem; flex: 1; display: flex; flex-direction: column; gap: 0.75rem; min-inline-size: 0; }
.console-heading { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.875rem; }
.console-heading h1 { font-size: 1.25rem; }
.console-heading p { font-size: 0.875rem; color: var(--muted); }
console-app { display: block; flex: 1; min-block-size: 0; }
[dir="rtl"] .rule-list dd { unicode-bidi: plaintext; text-align: right; }
[dir="rtl"] .console-heading :is(h1, p) { unicode-bidi: plaintext; }
.rules { gap: 1rem; }
.rule-list { display: grid; gap: 0.5rem; margin: 0; }
.rule-list > div { display: grid; grid-template-columns: minmax(0, 19rem) minmax(0, 1fr); gap: 0 1rem; padding: 0.1875rem 0.5rem; border-radius: 6px; }
.rule-list > div:target { background: var(--accent-soft); }
.rule-list dd { margin: 0; }
@media (max-width: 30rem) {
  .rule-list > div { grid-template-columns: minmax(0, 1fr); }
  body:has(.tool-nav) .ribbon > span:not(.ribbon-time), .ribbon-time::before { display: none; }
  .tool-nav, .console { inline-size: min(100% - 1.5rem, 80rem); }
}
@media (forced-colors: active) {
  .tool-nav a[aria-current] { border-block-end-color: Highlight; }
}
`;

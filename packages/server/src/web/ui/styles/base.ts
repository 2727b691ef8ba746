/** Styles of elements without a class, and of right-to-left and printed pages. */
export const BASE = `
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body, h1, h2, h3, p, ul { margin: 0; }
ul { padding: 0; list-style: none; }
body {
  font: 400 var(--type-body)/1.5 var(--font);
  color: var(--text);
  background: var(--ground);
  overflow-wrap: anywhere;
}
h1 { font-size: var(--type-xl); line-height: 1.25; font-weight: 600; letter-spacing: -0.02em; text-wrap: balance; }
h2 { font-size: 1rem; line-height: 1.5; font-weight: 600; letter-spacing: -0.006em; }
h3 { font-size: var(--type-m); line-height: 1.5; font-weight: 600; }
strong { font-weight: 600; }
code { font-family: var(--mono); font-size: 0.92em; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
time { font-variant-numeric: tabular-nums; unicode-bidi: isolate; }
.icon { flex: none; inline-size: 1.25em; block-size: 1.25em; }
[dir="rtl"] .icon.forward { scale: -1 1; }
.muted, .lead, .fine { color: var(--muted); }
.muted, .fine { font-size: var(--type-m); }
.centred { text-align: center; text-wrap: balance; }
.muted, .lead, .fine, .hint { text-wrap: pretty; }
.visually-hidden {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
/* Each text keeps its own direction on a page with the other one: English sentences stay in order, and start at the right. */
[dir="rtl"] body { text-align: right; }
[dir="rtl"] body :where(*:not(svg, svg *, bdi, summary, select, [dir])) { unicode-bidi: plaintext; }
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation-duration: 4s !important; transition: none !important; }
}
@media print {
  body { background: none; }
  .site-header, .section-nav, .area-nav, .ribbon, .card-footer, .form-actions { display: none !important; }
  .panel, .card { border-color: currentcolor; box-shadow: none; break-inside: avoid; }
}
`;

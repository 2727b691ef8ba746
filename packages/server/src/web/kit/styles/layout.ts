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
/* Japanese has no spaces: lines break between phrases where the browser knows them. */
:lang(ja) { word-break: auto-phrase; }
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
/* Letters of Arabic words are joined. */
[lang="ar"] :is(h1, h2, .brand, .ribbon-badge, .picture, .amount) { letter-spacing: normal; }
/* Each text keeps its own direction on a page with the other one: English sentences stay in order, and start at the right. */
[dir="rtl"] body { text-align: right; }
[dir="rtl"]:not([lang="ar"]) body :where(*:not(svg, svg *, bdi, summary, select, [dir])) { unicode-bidi: plaintext; }
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation-duration: 4s !important; transition: none !important; }
}
@media print {
  body { background: none; }
  .site-header, .section-nav, .area-nav, .ribbon, .card-footer, .page-footer, .form-actions { display: none !important; }
  .panel, .card { border-color: currentcolor; box-shadow: none; break-inside: avoid; }
}
`;

/** The two layouts: one centred card that fits a popup of 480 by 640, and a column under a header. */
export const LAYOUT = `
body { min-block-size: 100vh; min-block-size: 100dvh; display: flex; flex-direction: column; }
.ribbon {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: var(--space-2);
  min-block-size: 1.75rem;
  padding: 0.125rem var(--space-4);
  font-size: var(--type-s);
  line-height: 1.5;
  white-space: nowrap;
  color: var(--ribbon-text);
  background: var(--ribbon);
  border-block-end: 1px solid transparent;
}
.ribbon > span { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; }
.ribbon > .ribbon-time { flex: none; }
[dir="rtl"] .ribbon > .ribbon-time { unicode-bidi: isolate; }
.ribbon-time::before { content: "·" / ""; margin-inline-end: var(--space-2); }
.ribbon-badge {
  flex: none;
  padding-inline: 0.4375rem;
  border: 1px solid currentcolor;
  border-radius: var(--radius-round);
  font-size: 0.6875rem;
  line-height: 1rem;
  font-weight: 600;
  letter-spacing: 0.04em;
  text-transform: uppercase;
}
.brand {
  display: inline-flex;
  align-items: center;
  gap: var(--space-2);
  font-weight: 600;
  letter-spacing: -0.015em;
}
.brand .icon { color: var(--accent); }
.card-footer .brand .icon { color: inherit; }
.brand-logo { inline-size: 1.5rem; block-size: 1.5rem; object-fit: contain; border-radius: 4px; }
a.brand { flex: none; max-inline-size: 60%; min-block-size: 2.75rem; color: inherit; text-decoration: none; border-radius: var(--radius); }
.card {
  inline-size: min(100% - 2rem, 29rem);
  /* The same distance from the top on each page of a sign-in, so that the logo stays where it is. */
  margin-block: clamp(1rem, 10vh, 6rem) 0;
  margin-inline: auto;
  padding: 2rem;
  display: flex;
  flex-direction: column;
  gap: 1.25rem;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 16px;
  box-shadow: var(--shadow);
}
.card-footer { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 0.25rem 0.375rem; margin-block-end: auto; padding: 0.875rem 1rem; font-size: var(--type-s); color: var(--muted); }
.page-footer { display: flex; justify-content: center; margin-block-start: auto; padding: 0.875rem 1rem; font-size: var(--type-s); color: var(--muted); }
.language-menu > summary { display: inline-flex; align-items: center; min-block-size: 1.75rem; padding-inline: 0.5rem; border-radius: var(--radius); cursor: pointer; list-style: none; text-decoration: underline; text-underline-offset: 0.2em; }
.language-menu > summary::-webkit-details-marker { display: none; }
.language-menu[open] { flex-basis: 100%; text-align: center; }
.language-menu form { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 0.75rem; }
.language-menu button { min-block-size: 2.75rem; }
.language-menu button[aria-current] { font-weight: 600; text-decoration: none; }
.heading { display: flex; flex-direction: column; align-items: center; gap: 0.375rem; text-align: center; }
.heading .picture { margin-block-end: 0.5rem; }
.receiver { font-size: 0.9375rem; overflow-wrap: anywhere; color: var(--muted); }
.receiver strong { color: var(--text); }
.unverified-note { display: inline-flex; align-items: center; gap: 0.375rem; font-size: 0.8438rem; color: var(--danger); }
.changed .notes { font-size: var(--type-m); }
.unverified {
  display: flex;
  gap: 0.5rem;
  padding: 0.625rem 0.75rem;
  font-size: 0.8438rem;
  line-height: 1.4;
  background: var(--danger-soft);
  border: 1px solid var(--danger);
  border-radius: var(--radius);
}
.unverified .icon { flex: none; margin-block-start: 0.1rem; color: var(--danger); }
.message { padding-block: 2.25rem; align-items: center; text-align: center; gap: 0.75rem; }
.message .button { inline-size: 100%; }
.message > :is(.button, form) { inline-size: 100%; margin-block-start: var(--space-3); }
.message > p, .heading > p { text-wrap: balance; }
.state-icon {
  display: grid;
  place-items: center;
  inline-size: 3rem;
  block-size: 3rem;
  border-radius: 50%;
  color: var(--danger);
  background: var(--danger-soft);
  font-size: 1.125rem;
}
.state-icon.good { color: var(--good); background: var(--good-soft); }
.state-icon.neutral { color: var(--muted); background: var(--sunken); }
.message-actions { inline-size: 100%; display: grid; gap: var(--space-2); margin-block-start: var(--space-3); }
.detail {
  inline-size: 100%;
  padding: 0.625rem 0.75rem;
  border-radius: 8px;
  font-family: var(--mono);
  font-size: 0.8438rem;
  background: var(--sunken);
  border: 1px solid var(--line);
}
.hint { color: var(--muted); font-size: 0.875rem; }
.spinner {
  inline-size: 2.5rem;
  block-size: 2.5rem;
  border: 3px solid var(--line);
  border-block-start-color: var(--accent);
  border-radius: 50%;
  animation: turn 0.9s linear infinite;
}
@keyframes turn { to { rotate: 1turn; } }
.when-refused { display: none; }
.callback:has(#callback-close:not([hidden])) .spinner { display: none; }
.callback:has(#callback-close:not([hidden])) .when-refused { display: grid; }
@media (scripting: none) { .spinner, #callback-text { display: none; } }

.site-header { background: var(--surface); border-block-end: 1px solid var(--line); }
.site-header-inner {
  inline-size: min(100% - 2rem, 46rem);
  min-block-size: 3.5rem;
  margin-inline: auto;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.25rem 1rem;
}
.site-nav { display: flex; flex-wrap: wrap; gap: 0.25rem; margin-inline: -0.75rem; }
.site-nav a {
  display: inline-flex;
  align-items: center;
  gap: 0.4rem;
  min-block-size: 2.75rem;
  padding-inline: 0.75rem;
  border-radius: 8px;
  color: var(--text);
  text-decoration: none;
}
.site-nav a:hover { background: var(--sunken); }
.site-nav .icon { color: var(--muted); }
.column {
  inline-size: min(100% - 2rem, 46rem);
  margin-inline: auto;
  padding-block: 2rem 3rem;
  display: flex;
  flex-direction: column;
  gap: 1.25rem;
}
.column .column { inline-size: 100%; padding-block: 0; }
.column h1 { font-size: var(--type-2xl); }
.page-heading { display: flex; flex-direction: column; gap: 0.375rem; }
.page-heading p > a { display: inline-block; padding-block: 0.125rem; }
.profile { display: flex; align-items: center; gap: 1rem; }
.site-nav a[aria-current] { font-weight: 600; background: var(--sunken); }
.empty { padding-block: 0.5rem; color: var(--muted); }

/* A popup or a phone is the card: a frame inside a frame would only take room from it. */
@media (max-width: 30rem) {
  .layout-card { background: var(--surface); }
  .card { inline-size: 100%; margin-block: 0; padding: 1.25rem 1.5rem 0.75rem; gap: 1rem; border: 0; border-radius: 0; box-shadow: none; }
  .layout-card h1 { font-size: 1.25rem; }
  .layout-card .picture-large { inline-size: 3rem; block-size: 3rem; font-size: 1.0625rem; }
  .card-footer { margin-block: auto 0; padding-block: 0.375rem 0.75rem; }
  .site-nav .icon { display: none; }
  .site-header-inner { padding-block: 0; gap: 0 var(--space-3); }
  .ribbon > span:not(.ribbon-time), .ribbon-time::before { display: none; }
  .site-nav { flex-wrap: nowrap; }
}
@media (max-width: 26rem) {
  .row > .picture ~ :is(.row-end, form) { margin-inline-start: 3.25rem; }
}
@media (max-width: 22rem) {
  .site-nav { margin-inline: -0.625rem; }
  .site-nav a { padding-inline: 0.625rem; }
  .card { padding-inline: 1rem; }
}
`;

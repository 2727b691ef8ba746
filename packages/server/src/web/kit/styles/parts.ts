/** Sections, empty lists and dialogs. */
export const PANELS = `
.panel {
  padding: var(--space-5) var(--space-6);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--radius-l);
}
.panel > h2 { margin-block-end: 0.75rem; }
.panel:is(.stack, .form) > h2 { margin: 0; }
.panel-heading { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; margin-block-end: 0.75rem; }
.panel > p + p, .panel > .facts + p { margin-block-start: 0.625rem; }
.panel > .field + p { margin-block-start: var(--space-3); }
.panel > p + .rows { margin-block-start: 0.75rem; }
.panel-actions { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); margin-block-start: var(--space-4); }
.panel-heading-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-inline-start: auto; }
.panel-danger { border-color: var(--danger); border-color: color-mix(in srgb, var(--danger) 45%, var(--line)); }
.empty-state { display: grid; justify-items: center; gap: 0.25rem; padding: 2rem 1rem; text-align: center; }
.empty-title { font-weight: 600; }
.empty-text { max-inline-size: 28rem; font-size: 0.875rem; color: var(--muted); }
.empty-state > p { text-wrap: balance; }
.empty-state .button { margin-block-start: 0.75rem; }
.icon-button { flex: none; display: grid; place-items: center; inline-size: 2rem; block-size: 2rem; padding: 0; color: var(--muted); background: none; border: 1px solid transparent; border-radius: 6px; cursor: pointer; }
.icon-button:hover { color: var(--text); background: var(--sunken); }
.dialog:is([popover], dialog) { inline-size: min(100% - 2rem, 30rem); max-block-size: calc(100dvh - 2rem); padding: 1.25rem 1.5rem 1.5rem; color: var(--text); background: var(--surface); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); overflow: auto; text-align: start; white-space: normal; overflow-wrap: anywhere; }
[dir="rtl"] .dialog { text-align: right; }
.dialog::backdrop { background: rgb(8 16 13 / 0.5); }
.dialog:focus { outline: none; }
.dialog > * + * { margin-block-start: 1rem; }
.dialog-heading { display: flex; align-items: start; justify-content: space-between; gap: 1rem; }
.dialog-heading > h2 { min-inline-size: 0; padding-block: 0.25rem; }
.dialog-heading .icon-button { margin-inline-end: -0.375rem; }
@media (max-width: 30rem) {
  .panel { padding: var(--space-4); }
  .panel-heading-actions { margin-inline-start: 0; }
}
`;

/** Figures side by side. */
export const OVERVIEW = `
.stats { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 0; }
.stat { display: grid; align-content: start; gap: 0.125rem; min-inline-size: 0; padding-inline-start: 1rem; border-inline-start: 2px solid var(--line); }
.stat dt { font-size: 0.8125rem; color: var(--muted); }
.stat dd { margin: 0; font-size: 1.375rem; line-height: 1.3; font-weight: 600; font-variant-numeric: tabular-nums; }
.stat dd a { color: inherit; text-decoration-color: var(--line-strong); }
.stat dd .muted { font-size: 1rem; font-weight: 400; }
`;

/** Tables. In a narrow box, rows become blocks of labelled values. */
export const TABLE = `
.table-box { container-type: inline-size; min-inline-size: 0; }
.table { inline-size: 100%; border-collapse: collapse; font-size: 0.875rem; line-height: 1.4286; }
.table :is(th, td) { padding: 0.625rem 1rem 0.625rem 0; text-align: inherit; vertical-align: top; font-weight: 400; }
[dir="rtl"] .table :is(th, td) { padding: 0.625rem 0 0.625rem 1rem; }
.table :is(th, td):last-child { padding-inline-end: 0; }
.table thead th { padding-block: 0 0.5rem; font-size: 0.8125rem; font-weight: 500; color: var(--muted); vertical-align: bottom; white-space: nowrap; border-block-end: 1px solid var(--line); }
.table tbody tr + tr > * { border-block-start: 1px solid var(--line); }
.table tbody tr:last-child > * { padding-block-end: 0.125rem; }
.table tbody th { font-weight: 500; }
.table td:not([data-label]):last-child { text-align: end; }
[dir="rtl"] .table td:not([data-label]):last-child { text-align: left; }
.table tbody th .muted { font-weight: 400; }
.table td { overflow-wrap: break-word; }
.table td :is(bdi, code) { overflow-wrap: anywhere; }
.table .numeric { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
[dir="rtl"] .table .numeric { text-align: left; }
.table :is(th, td):has(.button) { padding-block: 0.375rem; }
.table time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.table .whole { white-space: nowrap; overflow-wrap: normal; }
.table .muted { font-size: 0.8125rem; }
.table .picture { inline-size: 1.75rem; block-size: 1.75rem; margin-block: -0.25rem; font-size: 0.6875rem; vertical-align: middle; }
@container (max-width: 34rem) {
  .table :is(th, td), [dir="rtl"] .table :is(th, td) { padding: 0; }
  .table, .table :is(tbody, tr, th, td) { display: block; }
  .table thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .table tbody tr { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.25rem; padding-block: 0.875rem; }
  .table tbody tr:first-child { padding-block-start: 0.125rem; }
  .table tbody tr + tr { border-block-start: 1px solid var(--line); }
  .table tbody tr + tr > *, .table tbody tr:last-child > * { padding-block-end: 0; border: 0; }
  .table tbody th { font-size: 0.9375rem; }
  .table td, .table td.numeric { display: flex; align-items: baseline; gap: 0.75rem; text-align: inherit; white-space: normal; }
  .table td[data-label]::before { content: attr(data-label) / ""; flex: 0 0 6.5rem; font-size: 0.8125rem; color: var(--muted); }
  .table td > * { min-inline-size: 0; }
  .table td > .pill { flex: none; }
  .table time { white-space: normal; }
  .table td:empty { display: none; }
  .table td:not([data-label]):has(.button) { padding-block-start: 0.375rem; }
}
@container (max-width: 18rem) {
  .table td, .table td.numeric { gap: 0.5rem; }
  .table td[data-label]::before { flex-basis: 5.25rem; }
}
`;

export const PILL = `
.pill {
  display: inline-block;
  padding: 0.0625rem 0.5rem;
  font-size: 0.75rem;
  line-height: 1.125rem;
  font-weight: 500;
  white-space: nowrap;
  border: 1px solid transparent;
  border-radius: 6px;
}
.pill-good { color: var(--good); background: var(--good-soft); }
.pill-warn { color: var(--warn); background: var(--warn-soft); }
.pill-bad { color: var(--danger); background: var(--danger-soft); }
.pill-neutral { color: var(--muted); background: var(--sunken); border-color: var(--line); }
@media (forced-colors: active) { .pill { border-color: currentcolor; } }
`;

export const COPY = `
.copy-field, .copy-text { display: flex; align-items: center; min-inline-size: 0; }
.copy-field { min-block-size: 2.5rem; gap: 0.25rem; padding: 0.1875rem; background: var(--sunken); border: 1px solid var(--line); border-radius: var(--radius); }
.copy-field .copy-value { flex: 1; padding: 0.25rem 0.5625rem; border-radius: 4px; }
.copy-text { display: inline-flex; max-inline-size: 100%; gap: 0.125rem; align-items: baseline; }
/* The button takes no height of its own: the value stands on the line of the text around it. */
.copy-text .copy-button { align-self: center; margin-block: -0.375rem; }
.copy-value { min-inline-size: 0; font-family: var(--mono); font-size: 0.8125rem; line-height: 1.5; overflow-wrap: anywhere; user-select: all; }
.copy-secret { border-color: var(--warn); border-color: color-mix(in srgb, var(--warn) 45%, var(--line)); background: var(--warn-soft); }
.copy-button {
  flex: none;
  display: none;
  align-items: center;
  justify-content: center;
  gap: 0.375rem;
  min-inline-size: 1.75rem;
  block-size: 1.75rem;
  padding: 0;
  font: 500 0.8125rem/1 var(--font);
  color: var(--muted);
  background: none;
  border: 1px solid transparent;
  border-radius: 6px;
  cursor: pointer;
}
.copy-button.with-text { block-size: 2rem; padding-inline: 0.625rem; color: var(--text); background: var(--surface); border-color: var(--line); }
.copy-button .icon { inline-size: 1rem; block-size: 1rem; }
.copy-button .icon:nth-of-type(2), .copy-button.copied .icon:nth-of-type(1) { display: none; }
.copy-button.copied .icon:nth-of-type(2) { display: block; }
.copy-button:hover { color: var(--text); background: var(--sunken); border-color: var(--line-strong); }
.copy-button.copied { color: var(--good); }
/* The place of the button is kept free, so that nothing moves when the script runs. */
@media (scripting: enabled) { .copy-button { display: inline-flex; visibility: hidden; } }
[data-page-script] .copy-button { display: inline-flex; visibility: visible; }
.code-block { margin: 0; min-inline-size: 0; overflow: hidden; background: var(--sunken); border: 1px solid var(--line); border-radius: var(--radius); }
.code-heading { display: flex; align-items: center; justify-content: space-between; gap: 0.5rem; min-block-size: 2.25rem; padding: 0.25rem 0.375rem 0.25rem 1rem; font-size: 0.8125rem; color: var(--muted); border-block-end: 1px solid var(--line); }
[dir="rtl"] .code-heading { padding: 0.25rem 1rem 0.25rem 0.375rem; }
.code-label { font-weight: 500; }
.code-text { padding: 0.75rem 1rem; overflow-x: auto; font: 0.8125rem/1.6 var(--mono); overflow-wrap: normal; text-align: left; user-select: all; }
.code-text:focus-visible { outline-offset: -2px; border-radius: 0 0 var(--radius) var(--radius); }
.code-text pre { margin: 0; font: inherit; }
.code-text code { font: inherit; }
.code-block.wraps .code-text { overflow-wrap: anywhere; }
.code-block.wraps pre { white-space: pre-wrap; }
@media (max-width: 30rem) {
  .copy-button.with-text { inline-size: 2rem; padding: 0; }
  .copy-button.with-text > span:not(.visually-hidden) { display: none; }
}
@media print { .copy-button { display: none !important; } .copy-secret .copy-value { visibility: hidden; } }
`;

/** Numbered steps, and lists of things that happen over time. */
export const STEPS = `
.steps, .checks { margin: 0; padding: 0; list-style: none; }
.steps { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 1.5rem 2rem; }
.step { display: flex; gap: 0.875rem; min-inline-size: 0; }
.step-marker {
  flex: none;
  display: grid;
  place-items: center;
  inline-size: 2rem;
  block-size: 2rem;
  font-size: 0.9375rem;
  font-weight: 600;
  color: var(--accent-strong);
  background: var(--accent-soft);
  border-radius: 50%;
}
.step.is-done .step-marker { color: var(--good); background: var(--good-soft); }
.step-text { min-inline-size: 0; display: grid; align-content: start; justify-items: start; gap: 0.25rem; padding-block-start: 0.25rem; }
.step-text .button { margin-block-start: 0.625rem; }
.checks { display: grid; gap: 0.875rem; }
.check-line { display: flex; gap: 0.75rem; min-inline-size: 0; }
.check-marker { flex: none; display: grid; place-items: center; inline-size: 1.25rem; block-size: 1.25rem; margin-block-start: 0.125rem; font-size: 0.75rem; border: 1.5px solid var(--line-strong); border-radius: 50%; }
.check-line.is-done .check-marker { color: var(--good); background: var(--good-soft); border-color: transparent; }
.check-text { min-inline-size: 0; display: grid; justify-items: start; gap: 0.125rem; }
.check-text h3 { margin: 0; font-size: 0.875rem; font-weight: 600; line-height: 1.5rem; }
.check-line:not(.is-done) h3 { color: var(--muted); font-weight: 500; }
.check-text .button { margin-block: 0.375rem; }
.fold { border: 1px solid var(--line); border-radius: var(--radius); }
.fold > summary { padding: 0.5rem 0.875rem; min-block-size: 2.5rem; align-content: center; font-size: 0.875rem; font-weight: 500; cursor: pointer; border-radius: var(--radius); }
.fold > summary:hover { background: var(--sunken); }
.fold > :is(p, ul, dl) { padding: 0.25rem 0.875rem 0.75rem; }
.fold > .code-block { margin: 0 0.875rem 0.875rem; }
.goes-out { white-space: nowrap; }
.goes-out .icon { inline-size: 1em; block-size: 1em; margin-inline: 0.25rem; vertical-align: -0.125em; }
@media (forced-colors: active) { .step-marker, .check-marker, .fold { border: 1px solid ButtonBorder; } }
`;

/** Text written in Markdown. */
export const PROSE = `
.prose { min-inline-size: 0; font-size: 1rem; line-height: 1.625; }
.prose > * + * { margin-block-start: 1rem; }
.prose h1 { font-size: clamp(1.375rem, 1rem + 2vw, 1.75rem); }
.prose h2 { margin-block-start: 2.5rem; font-size: 1.25rem; scroll-margin-block-start: 1rem; }
.prose h3 { margin-block: 2rem 0; font-size: 1.0625rem; line-height: 1.4; font-weight: 600; scroll-margin-block-start: 1rem; }
.prose h4 { margin-block: 1.5rem 0; font-weight: 600; scroll-margin-block-start: 1rem; }
.prose :is(p, ol, ul, table, blockquote) { margin-block-end: 0; }
.prose :is(ul, ol) { padding-inline-start: 1.5rem; list-style: revert; }
.prose li + li { margin-block-start: 0.375rem; }
.prose blockquote { margin-inline: 0; padding-inline-start: 1rem; color: var(--muted); border-inline-start: 3px solid var(--line-strong); }
.prose .heading-link { color: inherit; text-decoration: none; }
.prose .heading-link:hover { color: inherit; text-decoration: underline; }
.prose :not(pre) > code { padding: 0.0625rem 0.3125rem; font-size: 0.875em; background: var(--sunken); border: 1px solid var(--line); border-radius: 5px; }
.prose img { display: block; max-inline-size: 100%; block-size: auto; border: 1px solid var(--line); border-radius: var(--radius); }
.prose .table { line-height: 1.5; }
.prose td > code { overflow-wrap: anywhere; }
`;

/** Steps with what is done and what is next. */
export const TASK_LIST = `
.tasks { display: grid; margin: 0; padding: 0; list-style: none; }
.tasks > li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.875rem; padding-block: 0.75rem; }
.tasks > li + li { border-block-start: 1px solid var(--line); }
.tasks > li:first-child { padding-block-start: 0.25rem; }
.tasks > li:last-child { padding-block-end: 0.25rem; }
.task-mark { flex: none; display: grid; place-items: center; inline-size: 1.75rem; block-size: 1.75rem; font-size: 0.8125rem; font-weight: 600; color: var(--muted); border: 1px solid var(--line-strong); border-radius: 50%; }
.task-mark .icon { inline-size: 1rem; block-size: 1rem; }
.is-done > .task-mark { color: var(--good); background: var(--good-soft); border-color: transparent; }
[aria-current="step"] > .task-mark { color: var(--on-accent); background: var(--accent); border-color: transparent; }
.task-text { flex: 1 1 12rem; min-inline-size: 0; }
.task-text .muted { font-size: 0.875rem; }
.task-title { font-weight: 600; }
@media (max-width: 30rem) { .tasks .button { margin-inline-start: 2.625rem; } }
.is-done .task-title { font-weight: 400; color: var(--muted); }
`;

/** Parts of a page that open and close. */
export const DISCLOSURE = `
.disclosure + .disclosure { border-block-start: 1px solid var(--line); }
.disclosure > summary { display: flex; align-items: center; gap: 0.625rem; min-block-size: 2.75rem; padding-block: 0.5rem; border-radius: 6px; cursor: pointer; list-style: none; font-size: 0.875rem; }
.disclosure > summary::-webkit-details-marker { display: none; }
.disclosure > summary::before { content: "" / ""; flex: none; inline-size: 0.4375rem; block-size: 0.4375rem; margin-inline: 0.125rem 0.1875rem; border: solid var(--muted); border-width: 0 2px 2px 0; rotate: -45deg; }
[dir="rtl"] .disclosure > summary::before { rotate: 135deg; }
.disclosure[open] > summary::before { rotate: 45deg; }
.disclosure > summary:hover::before { border-color: var(--text); }
.disclosure-summary { flex: 1; min-inline-size: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; }
.disclosure-content { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; padding-block: 0.25rem 1rem; }
`;

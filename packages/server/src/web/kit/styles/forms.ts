/** Fields and buttons. */
export const CONTROLS = `
.stack { display: flex; flex-direction: column; gap: var(--space-3); }
.field { display: flex; flex-direction: column; gap: 0.375rem; min-inline-size: 0; }
label, legend { font-size: var(--type-m); line-height: 1.4286; font-weight: 500; }
:where(input:not([type="hidden"], [type="checkbox"], [type="radio"]), textarea, select) {
  inline-size: 100%;
  min-block-size: var(--control);
  padding-inline: var(--space-3);
  font: inherit;
  font-size: var(--type-body);
  text-align: inherit;
  color: var(--text);
  background: var(--surface);
  border: 1px solid var(--line-strong);
  border-radius: var(--radius);
}
/* Browsers on phones zoom into smaller fields. */
@media (pointer: coarse) {
  :where(input:not([type="hidden"], [type="checkbox"], [type="radio"]), textarea, select) { font-size: 1rem; }
}
/* The browser's own arrow touches the edge. */
select {
  appearance: none;
  padding-inline-end: 2.25rem;
  background-image: linear-gradient(45deg, transparent 50%, var(--muted) 50%), linear-gradient(-45deg, transparent 50%, var(--muted) 50%);
  background-position: right 1.125rem center, right 0.8125rem center;
  background-size: 0.3125rem 0.3125rem;
  background-repeat: no-repeat;
}
[dir="rtl"] select { background-position: left 0.8125rem center, left 1.125rem center; }
/* Browsers fill unchecked boxes with grey in dark, which looks disabled. */
:where(input:is([type="checkbox"], [type="radio"])) {
  appearance: none;
  display: inline-grid;
  place-content: center;
  inline-size: 1.125rem;
  block-size: 1.125rem;
  margin: 0;
  background: var(--surface);
  border: 1px solid var(--line-strong);
  border-radius: 4px;
}
:where(input[type="radio"]) { border-radius: 50%; }
:where(input:is([type="checkbox"], [type="radio"]):checked) { background: var(--accent); border-color: var(--accent); }
input:is([type="checkbox"], [type="radio"]):checked::before { content: ""; inline-size: 0.625rem; block-size: 0.625rem; background: var(--surface); clip-path: polygon(14% 46%, 0 62%, 38% 100%, 100% 20%, 84% 6%, 36% 68%); }
input[type="radio"]:checked::before { inline-size: 0.4375rem; block-size: 0.4375rem; border-radius: 50%; clip-path: none; }
:where(input:is([type="checkbox"], [type="radio"]):disabled) { background: var(--sunken); border-color: var(--line); }
@media (forced-colors: active) {
  select, input:is([type="checkbox"], [type="radio"]) { appearance: auto; background-image: none; }
  input:is([type="checkbox"], [type="radio"])::before { display: none; }
}
:where(input:not([type="checkbox"], [type="radio"]), textarea, select):focus-visible { outline-offset: -1px; border-color: var(--accent); }
:is(input, textarea, select)[aria-invalid="true"], :is(input, textarea, select)[aria-invalid="true"]:focus-visible { border-color: var(--danger); outline-color: var(--danger); }
:is(input, textarea)::placeholder { color: var(--muted); opacity: 1; }
input.code-input {
  min-block-size: 3.5rem;
  padding-inline: 0.5em 0;
  text-align: center;
  font-family: var(--mono);
  font-size: 1.625rem;
  letter-spacing: 0.5em;
}
.field-error { display: flex; gap: 0.375rem; font-size: var(--type-s); line-height: 1.5; color: var(--danger); }
.field-error .icon { margin-block-start: 0.1em; }
.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: var(--space-2);
  min-block-size: var(--control);
  padding: 0.375rem var(--space-4);
  font: inherit;
  font-size: var(--type-m);
  font-weight: 500;
  line-height: 1.25rem;
  text-align: center;
  text-decoration: none;
  border: 1px solid transparent;
  border-radius: var(--radius);
  cursor: pointer;
  transition: background-color 120ms ease, border-color 120ms ease, color 120ms ease;
}
.button.small { min-block-size: var(--control-small); padding: 0.125rem var(--space-3); font-size: var(--type-s); }
.button.primary, .button.primary:hover { color: var(--on-fill); background: var(--fill); border-color: var(--fill-line); box-shadow: var(--shadow-control); }
.button.primary:hover { background: var(--fill-strong); }
.button.secondary { color: var(--text); background: var(--surface); border-color: var(--line-strong); box-shadow: var(--shadow-control); }
.button.secondary:hover { color: var(--text); background: var(--sunken); }
.button.danger { color: var(--danger); background: var(--surface); border-color: var(--danger); }
.button.danger:hover { color: var(--on-danger); background: var(--danger); }
.button.quiet { color: var(--muted); background: none; }
.button.quiet:hover { color: var(--text); background: var(--sunken); }
.button[aria-pressed="true"] { color: var(--accent-strong); background: var(--accent-soft); border-color: var(--accent); }
.button:disabled, .button:disabled:hover { color: var(--muted); background: var(--sunken); border-color: var(--line); box-shadow: none; cursor: default; }
.layout-card .button:not(.small) { min-block-size: 2.75rem; font-size: var(--type-body); }
.layout-card :where(input:not([type="hidden"], [type="checkbox"], [type="radio"])) { min-block-size: 2.75rem; font-size: 1rem; }
.link-button {
  display: inline-flex;
  align-items: center;
  min-block-size: 1.75rem;
  padding: 0;
  line-height: 1.4;
  font: inherit;
  font-size: var(--type-m);
  color: var(--accent);
  background: none;
  border: 0;
  border-radius: 4px;
  text-decoration: underline;
  text-decoration-thickness: 1px;
  text-underline-offset: 0.2em;
  cursor: pointer;
}
.link-button:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
/* The arrow of a link stays on the line of its last word. */
.inline-icon { white-space: nowrap; }
.inline-icon .icon { margin-inline-end: 0.25rem; vertical-align: -0.28em; }
.other-ways { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.25rem 1.5rem; }
.notice {
  display: flex;
  text-wrap: pretty;
  gap: var(--space-2);
  padding: var(--space-3) var(--space-4);
  font-size: var(--type-m);
  color: var(--text);
  background: var(--good-soft);
  border: 1px solid var(--good);
  border-radius: var(--radius);
}
.notice .icon { color: var(--good); margin-block-start: 0.125em; }
.notice.refusal { background: var(--danger-soft); border-color: var(--danger); }
.notice.refusal .icon { color: var(--danger); }
.notice.caution { background: var(--warn-soft); border-color: var(--warn); }
.notice.caution .icon { color: var(--warn); }
.divider {
  display: flex;
  align-items: center;
  gap: var(--space-3);
  margin-block-end: var(--space-3);
  font-size: var(--type-s);
  font-weight: 400;
  color: var(--muted);
}
.divider::before, .divider::after { content: ""; flex: 1; border-block-start: 1px solid var(--line); }
.decision { display: grid; grid-template-columns: 1fr 1fr; gap: 0.625rem; }
@media (forced-colors: active) {
  .button, .panel, .picture, .ribbon { border: 1px solid ButtonBorder; }
  .button.primary { forced-color-adjust: none; color: HighlightText; background: Highlight; }
  .spinner { border-block-start-color: Highlight; }
}
`;

/**
 * Presses that are too quick decide nothing (`page-script.ts`). Until that script runs, and without it, the mouse has
 * to rest on the form for half a second, and starts again with each press outside its buttons. Without a mouse, the
 * buttons work half a second after loading.
 */
export const DECISIONS = `
:root:not([data-page-script]) form[method="post"]:not([data-at-once]) .button { animation: too-soon 0.5s; }
@media (hover: hover) {
  :root:not([data-page-script]) form[method="post"]:not([data-at-once]) .button { pointer-events: none; animation: none; }
  :root:not([data-page-script]) form[method="post"]:not([data-at-once]):hover .button { animation: too-soon 0.5s forwards; }
  :root:not([data-page-script]) form[method="post"]:not([data-at-once]):active:not(:has(.button:active)) .button { animation: none; }
}
@keyframes too-soon { 0%, 99% { pointer-events: none; } 100% { pointer-events: auto; } }
:is([data-settling] .decision, [data-settling="pressed"] form[method="post"]:not([data-at-once])) button.button { color: var(--muted); background: var(--sunken); border-color: var(--line); box-shadow: none; cursor: progress; }
.press-hint {
  position: fixed;
  inset-inline: var(--space-4);
  inset-block-start: var(--space-4);
  z-index: 10;
  max-inline-size: 26rem;
  margin-inline: auto;
  padding: var(--space-3) var(--space-4);
  font-size: var(--type-m);
  text-align: center;
  color: var(--text);
  background: var(--surface);
  border: 1px solid var(--line-strong);
  border-radius: var(--radius);
  box-shadow: var(--shadow);
  pointer-events: none;
}
.press-hint:empty { visibility: hidden; }
`;

/** Longer forms: choices, text areas, errors and secrets. */
export const FORMS = `
.form { display: flex; flex-direction: column; gap: var(--space-5); }
.form-actions { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-3) var(--space-4); }
.form-actions a:not(.button) { font-size: var(--type-m); }
@media (max-width: 30rem) {
  .form-actions > .button { flex: 1 1 auto; }
  .form-actions:has(> .button:nth-child(3)) > .button:first-child { flex-basis: 100%; }
}
.field-hint { font-size: var(--type-s); line-height: 1.5; color: var(--muted); max-inline-size: 36rem; text-wrap: pretty; }
.field > label + .field-hint { margin-block-start: -0.25rem; }
/* Fields of a form end at one edge, close to their labels. */
.form .field > :is(input:not([type="checkbox"], [type="radio"]), select, textarea), .form :is(.field-pair, .logo-field) { max-inline-size: 36rem; }
textarea { padding-block: var(--space-2); line-height: 1.5; resize: vertical; }
.literal { font-family: var(--mono); font-size: var(--type-s); }
select { text-overflow: ellipsis; }
fieldset { min-inline-size: 0; margin: 0; padding: 0; border: 0; }
legend { padding: 0; }
fieldset.choices > * + * { margin-block-start: var(--space-2); }
.choice { display: flex; align-items: flex-start; gap: 0.625rem; }
.choice > div { min-inline-size: 0; padding-block: 0.125rem; }
.choice input { flex: none; inline-size: 1.125rem; block-size: 1.125rem; margin: 0.25rem 0.125rem; accent-color: var(--accent); }
.choice label { display: block; padding-block: 0.0625rem; }
.error-summary {
  display: flex;
  gap: 0.625rem;
  padding: var(--space-3) var(--space-4);
  font-size: var(--type-m);
  background: var(--danger-soft);
  border: 1px solid var(--danger);
  border-radius: var(--radius);
}
.error-summary:focus-visible { outline-color: var(--danger); outline-offset: 1px; }
.error-summary > .icon { color: var(--danger); margin-block-start: 0.125rem; }
.error-summary > div { min-inline-size: 0; }
.error-summary h2 { font-size: var(--type-body); }
.error-summary li { padding-block: 0.125rem; }
.error-summary a { color: inherit; }
.notes { display: grid; gap: 0.375rem; padding-inline-start: 1.125rem; list-style: disc; }
.notes li::marker { color: var(--muted); }
`;

/** Fields with several parts: dates, amounts and short choices. */
export const FIELDS = `
.date-inputs { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
.date-inputs input[type="date"] { flex: 1 1 9rem; min-inline-size: 0; max-inline-size: 11rem; }
.date-inputs input[type="time"] { flex: 1 1 7.75rem; min-inline-size: 0; max-inline-size: 8rem; }
.date-zone { flex: none; font-size: 0.8125rem; color: var(--muted); }
.money-input { position: relative; max-inline-size: 14rem; }
.money-input input { padding-right: 3.75rem; font-variant-numeric: tabular-nums; }
.money-currency { position: absolute; top: 0; bottom: 0; right: 0.875rem; display: grid; align-items: center; font-size: 0.875rem; color: var(--muted); pointer-events: none; }
.segmented { align-items: flex-start; }
.segmented legend { margin-block-end: 0.375rem; }
.segments { display: inline-flex; max-inline-size: 100%; flex-wrap: wrap; gap: 0.125rem; padding: 0.1875rem; background: var(--sunken); border: 1px solid var(--line-strong); border-radius: var(--radius); }
.segment { position: relative; display: flex; }
.segment input { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; opacity: 0; cursor: pointer; }
.segment label { padding: 0.375rem 0.875rem; font-size: 0.875rem; font-weight: 500; line-height: 1.25rem; color: var(--muted); border: 1px solid transparent; border-radius: calc(var(--radius) - 3px); }
.segment input:hover + label { color: var(--text); }
.segment input:checked + label { color: var(--text); background: var(--surface); border-color: var(--line-strong); }
.segment input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 1px; }
@media (forced-colors: active) { .segment input:checked + label { outline: 2px solid Highlight; outline-offset: -2px; } }
.figures { font-variant-numeric: tabular-nums; white-space: nowrap; unicode-bidi: isolate; }
.logo-field { display: flex; align-items: flex-start; gap: 1rem; }
.logo-field > .field { flex: 1; min-inline-size: 0; }
.accent-field { display: grid; gap: 0.75rem; }
.accent-own { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 0.75rem 1.25rem; }
.accent-field:has(input[value="standard"]:checked) .accent-own { display: none; }
input[type="color"] { inline-size: 5rem; block-size: var(--control); min-block-size: 0; padding: 0.25rem; cursor: pointer; }
.accent-preview { max-inline-size: 100%; block-size: auto; border: 1px solid var(--line); border-radius: var(--radius); }
.sub-nav { display: flex; gap: 1.25rem; overflow-x: auto; scrollbar-width: none; border-block-end: 1px solid var(--line); }
.sub-nav a { flex: none; display: inline-flex; align-items: center; min-block-size: 2.5rem; font-size: 0.875rem; font-weight: 500; color: var(--muted); text-decoration: none; white-space: nowrap; border-block-end: 2px solid transparent; }
.sub-nav a:hover { color: var(--text); border-block-end-color: var(--line-strong); }
.sub-nav a[aria-current] { color: var(--text); border-block-end-color: var(--accent); scroll-initial-target: nearest; }
.sub-nav a:focus-visible { outline-offset: -2px; border-radius: 6px; }
`;

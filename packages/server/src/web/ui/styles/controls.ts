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
/*
 * The buttons of a decision are absent for 0.8 s. Otherwise the second click of a double click, or a held Enter key, could
 * decide on a page that the person has not seen. Their places are drawn meanwhile.
 */
.arming { display: grid; border-radius: var(--radius); background: var(--sunken); }
.arming > .button { animation: arm 1ms 0.8s backwards; }
@keyframes arm { from { visibility: hidden; } }
@media (prefers-reduced-motion: reduce) {
  .arming > .button { animation-duration: 1ms !important; }
}
@media (forced-colors: active) {
  .arming { outline: 1px solid GrayText; outline-offset: -1px; }
  .button, .panel, .picture, .ribbon { border: 1px solid ButtonBorder; }
  .button.primary { forced-color-adjust: none; color: HighlightText; background: Highlight; }
  .spinner { border-block-start-color: Highlight; }
}
`;

/** Fields and buttons. */
export const CONTROLS = `
.stack { display: flex; flex-direction: column; gap: 0.75rem; }
.field { display: flex; flex-direction: column; gap: 0.375rem; }
label { font-size: 0.875rem; font-weight: 550; }
:where(input:not([type="hidden"], [type="checkbox"], [type="radio"]), textarea, select) {
  inline-size: 100%;
  min-block-size: 2.875rem;
  padding-inline: 0.875rem;
  font: inherit;
  font-size: 1rem;
  color: var(--text);
  background: var(--surface);
  border: 1px solid var(--line-strong);
  border-radius: var(--radius);
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
.field-error { display: flex; gap: 0.4rem; font-size: 0.8438rem; line-height: 1.4; color: var(--danger); }
.field-error .icon { margin-block-start: 0.05rem; }
.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 0.5rem;
  min-block-size: 2.875rem;
  padding: 0.5rem 1.25rem;
  font: inherit;
  font-weight: 600;
  line-height: 1.25;
  text-align: center;
  text-decoration: none;
  border: 1px solid transparent;
  border-radius: var(--radius);
  cursor: pointer;
  transition: background-color 120ms ease, border-color 120ms ease;
}
.button.small { min-block-size: 2.5rem; padding: 0.375rem 0.875rem; font-size: 0.875rem; }
.button.primary, .button.primary:hover { color: var(--on-fill); background: var(--fill); }
.button.primary:hover { background: var(--fill-strong); }
.button.secondary { color: var(--text); background: var(--surface); border-color: var(--line-strong); }
.button.secondary:hover { background: var(--sunken); }
.link-button {
  display: inline-flex;
  align-items: center;
  min-block-size: 1.75rem;
  padding: 0;
  line-height: 1.4;
  font: inherit;
  font-size: 0.875rem;
  color: var(--accent);
  background: none;
  border: 0;
  border-radius: 4px;
  text-decoration: underline;
  text-decoration-thickness: 1px;
  text-underline-offset: 0.18em;
  cursor: pointer;
}
.link-button:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
.inline-icon { white-space: nowrap; }
.inline-icon .icon { margin-inline-end: 0.25rem; vertical-align: -0.28em; }
.other-ways { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.25rem 1.5rem; }
.notice {
  display: flex;
  gap: 0.5rem;
  padding: 0.75rem 1rem;
  color: var(--text);
  background: var(--accent-soft);
  border: 1px solid var(--accent);
  border-radius: var(--radius);
}
.notice .icon { color: var(--accent); margin-block-start: 0.1rem; }
.notice.refusal { background: var(--danger-soft); border-color: var(--danger); }
.notice.refusal .icon { color: var(--danger); }
.divider {
  display: flex;
  align-items: center;
  gap: 0.75rem;
  margin-block-end: 0.75rem;
  font-size: 0.8125rem;
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

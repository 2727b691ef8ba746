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

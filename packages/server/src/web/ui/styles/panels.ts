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
.sample-row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; }
.sample-row + .sample-row { margin-block-start: 0.75rem; }
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

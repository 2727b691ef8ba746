/** Page that guides through steps: the steps, values to copy, and a clock. */
export const GUIDE = `
.guide, body:has(.guide) .site-header-inner { inline-size: min(100% - 2rem, 72rem); }
.guide h1 { font-size: 1.875rem; }
.guide-columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.25rem; align-items: start; }
.guide-main { display: grid; gap: 1.25rem; min-inline-size: 0; }
.loop-count { padding: 0.125rem 0.75rem; font-size: 0.8125rem; font-weight: 600; color: var(--accent); background: var(--accent-soft); border-radius: 99px; font-variant-numeric: tabular-nums; }
.loop-steps, .happened { margin: 0; padding: 0; list-style: none; }
.loop-step { position: relative; display: flex; gap: 0.875rem; padding-block-end: 1.25rem; }
.loop-step:last-child { padding-block-end: 0.25rem; }
.loop-step:not(:last-child)::before {
  content: "";
  position: absolute;
  inset-block: 2.25rem 0.25rem;
  inset-inline-start: calc(1rem - 1px);
  inline-size: 2px;
  background: var(--line);
}
.loop-step.done:not(:last-child)::before { background: var(--accent); }
.loop-marker {
  flex: none;
  display: grid;
  place-items: center;
  inline-size: 2rem;
  block-size: 2rem;
  font-size: 0.875rem;
  font-weight: 650;
  color: var(--muted);
  background: var(--surface);
  border: 2px solid var(--line-strong);
  border-radius: 50%;
}
.loop-step.current .loop-marker { color: var(--accent); border-color: var(--accent); box-shadow: 0 0 0 4px var(--accent-soft); }
.loop-step.done .loop-marker { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.loop-text { flex: 1; min-inline-size: 0; padding-block-start: 0.25rem; }
.loop-text h3, .paste-heading { margin: 0; font-size: 0.9375rem; font-weight: 650; }
.loop-step:not(.current, .done) h3 { color: var(--muted); }
.loop-text .button { margin-block-start: 0.625rem; }
.loop-text .icon { inline-size: 1em; block-size: 1em; }
.loop-link { display: inline-flex; align-items: center; gap: 0.25rem; min-block-size: 1.75rem; font-size: 0.875rem; }
.paste { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
.paste > h2 { margin: 0; }
.paste-heading { margin-block-start: 0.75rem; }
.values { display: grid; margin: 0; }
.value { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0 0.75rem; align-items: center; min-block-size: 2.25rem; padding-block: 0.125rem; }
.value + .value { border-block-start: 1px solid var(--line); }
.value dt { color: var(--muted); font-size: 0.8125rem; line-height: 1.3; }
.value dd { margin: 0; min-inline-size: 0; display: flex; align-items: center; gap: 0.25rem; }
.value-text { flex: 1; min-inline-size: 0; font-size: 0.8125rem; line-height: 1.35; overflow-wrap: anywhere; user-select: all; }
.copy {
  flex: none;
  display: grid;
  place-items: center;
  inline-size: 2.25rem;
  block-size: 2.25rem;
  padding: 0;
  color: var(--muted);
  background: none;
  border: 1px solid transparent;
  border-radius: 8px;
  cursor: pointer;
}
.copy:hover { color: var(--accent); background: var(--sunken); }
.copy-icon, .copy-icon::before { inline-size: 0.6875rem; block-size: 0.8125rem; border: 1.5px solid currentcolor; border-radius: 3px; }
.copy-icon { position: relative; translate: 2px 2px; background: var(--surface); }
.copy-icon::before { content: ""; position: absolute; inset-block-start: -5px; inset-inline-start: -5px; border-block-end-color: transparent; border-inline-end-color: transparent; }
.copy.done { color: var(--accent); }
.copy.done .copy-icon { inline-size: 0.5rem; block-size: 0.875rem; rotate: 45deg; translate: 0 -2px; background: none; border-width: 0 2px 2px 0; border-radius: 0; }
.copy.done .copy-icon::before { content: none; }
.fold { border: 1px solid var(--line); border-radius: var(--radius); }
.fold summary { padding: 0.5rem 0.875rem; min-block-size: 2.5rem; align-content: center; font-size: 0.875rem; font-weight: 550; cursor: pointer; border-radius: var(--radius); }
.fold summary:hover { background: var(--sunken); }
.fold > p { padding: 0.25rem 0.875rem 0.5rem; }
.copied-block { position: relative; }
.copied-block .snippet { padding-right: 3rem; border-width: 1px 0 0; border-radius: 0 0 var(--radius) var(--radius); max-block-size: 24rem; overflow: auto; }
/* Code is always left to right. */
.copied-block .copy { position: absolute; top: 0.5rem; right: 0.5rem; background: var(--surface); border-color: var(--line); }
.presets { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.75rem 1rem; }
.preset .button { inline-size: 100%; }
.preset .muted { margin-block-start: 0.25rem; font-size: 0.8125rem; line-height: 1.4; }
.button:disabled { color: var(--muted); background: var(--sunken); border-color: var(--line); cursor: default; }
.clock-steps { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-block-start: 1rem; padding-block-start: 1rem; border-block-start: 1px solid var(--line); }
.moved { border-color: var(--accent); }
.happened { display: grid; gap: 0.375rem; max-block-size: 18rem; margin-block-start: 0.75rem; overflow: auto; }
.happened li { display: grid; grid-template-columns: 14.5rem minmax(0, 1fr); gap: 0 1rem; }
.happened time { color: var(--muted); font-size: 0.8438rem; font-variant-numeric: tabular-nums; }
.fold-panel summary { cursor: pointer; }
.fold-panel summary h2 { display: inline; }
.fold-panel[open] summary { margin-block-end: 0.75rem; }
/* The texts are English in every direction. */
[dir="rtl"] .guide :is(p, h1, h2, h3, dt, button, .tile .muted, .happened bdi) { unicode-bidi: plaintext; }
[dir="rtl"] .guide :is(p, h1, h2, h3, dt) { text-align: right; }
.guide time { direction: ltr; unicode-bidi: isolate; }
@media (max-width: 60rem) {
  .guide-columns { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 30rem) {
  .guide h1 { font-size: 1.5rem; }
  .presets { grid-template-columns: minmax(0, 1fr); }
  .value { grid-template-columns: minmax(0, 1fr); padding-block: 0.375rem; }
  .happened li { grid-template-columns: minmax(0, 1fr); }
}
@media (forced-colors: active) {
  .copy, .loop-marker, .fold { border-color: ButtonBorder; }
}
`;

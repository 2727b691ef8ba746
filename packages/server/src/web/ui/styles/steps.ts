/** Numbered steps, and lists of things that happen by and by. */
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

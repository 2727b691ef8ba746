/** Steps with what is done and what is next. */
export const CHECKLIST = `
.checklist { display: grid; margin: 0; padding: 0; list-style: none; }
.checklist > li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.875rem; padding-block: 0.75rem; }
.checklist > li + li { border-block-start: 1px solid var(--line); }
.checklist > li:first-child { padding-block-start: 0.25rem; }
.checklist > li:last-child { padding-block-end: 0.25rem; }
.checklist-mark { flex: none; display: grid; place-items: center; inline-size: 1.75rem; block-size: 1.75rem; font-size: 0.8125rem; font-weight: 600; color: var(--muted); border: 1px solid var(--line-strong); border-radius: 50%; }
.checklist-mark .icon { inline-size: 1rem; block-size: 1rem; }
.is-done > .checklist-mark { color: var(--good); background: var(--good-soft); border-color: transparent; }
[aria-current="step"] > .checklist-mark { color: var(--on-accent); background: var(--accent); border-color: transparent; }
.checklist-text { flex: 1 1 14rem; min-inline-size: 0; }
.checklist-text .muted { font-size: 0.875rem; }
.checklist-title { font-weight: 600; }
.is-done .checklist-title { font-weight: 400; color: var(--muted); }
`;

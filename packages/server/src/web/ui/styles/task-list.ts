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

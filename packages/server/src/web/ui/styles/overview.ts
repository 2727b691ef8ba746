/** Figures side by side. */
export const OVERVIEW = `
.stats { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 0; }
.stat { display: grid; align-content: start; gap: 0.125rem; min-inline-size: 0; padding-inline-start: 1rem; border-inline-start: 2px solid var(--line); }
.stat dt { font-size: 0.8125rem; color: var(--muted); }
.stat dd { margin: 0; font-size: 1.375rem; line-height: 1.3; font-weight: 600; font-variant-numeric: tabular-nums; }
.stat dd a { color: inherit; text-decoration-color: var(--line-strong); }
.stat dd .muted { font-size: 1rem; font-weight: 400; }
`;

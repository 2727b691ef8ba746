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

/** Parts of the seller area only: pairs of fields, actions in rows, confirmations. */
export const SELLER = `
.field-pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: 1.25rem 1rem; align-items: end; }
.panel-form { margin-block-start: 1rem; padding-block-start: 1rem; border-block-start: 1px solid var(--line); }
.panel-list { margin-block-start: 0.75rem; }
.search-form { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 0.75rem; }
.search-form .field { flex: 1 1 16rem; }
.row-note { flex-basis: 100%; }
.row-actions { flex-basis: 100%; display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0.5rem; }
.copyable { user-select: all; }
.confirm > summary { inline-size: fit-content; list-style: none; }
.confirm > summary::-webkit-details-marker { display: none; }
.confirm[open] > summary { color: var(--muted); background: var(--sunken); }
.confirm-body { display: grid; justify-items: start; gap: 0.625rem; margin-block-start: 0.625rem; }
`;

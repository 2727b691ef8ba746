/** Parts of a page that open and close. */
export const DISCLOSURE = `
.disclosure + .disclosure { border-block-start: 1px solid var(--line); }
.disclosure > summary { display: flex; align-items: center; gap: 0.625rem; min-block-size: 2.75rem; padding-block: 0.5rem; border-radius: 6px; cursor: pointer; list-style: none; font-size: 0.875rem; }
.disclosure > summary::-webkit-details-marker { display: none; }
.disclosure > summary::before { content: "" / ""; flex: none; inline-size: 0.4375rem; block-size: 0.4375rem; margin-inline: 0.125rem 0.1875rem; border: solid var(--muted); border-width: 0 2px 2px 0; rotate: -45deg; }
[dir="rtl"] .disclosure > summary::before { rotate: 135deg; }
.disclosure[open] > summary::before { rotate: 45deg; }
.disclosure > summary:hover::before { border-color: var(--text); }
.disclosure-summary { flex: 1; min-inline-size: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; }
.disclosure-content { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; padding-block: 0.25rem 1rem; }
`;

/** Prices, orders and offers. */
export const CHECKOUT = `
.amount { font-size: 2rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; color: var(--text); }
.amount::first-letter { text-transform: uppercase; }
.price { font-weight: 650; font-variant-numeric: tabular-nums; }
.order { padding-block: 0.875rem; border-block: 1px solid var(--line); }
.transfer { padding: 0.75rem 0.875rem; background: var(--sunken); border: 1px solid var(--line); border-radius: var(--radius); }
.card .facts { grid-template-columns: minmax(4.5rem, max-content) minmax(0, 1fr); gap: 0.375rem 1rem; }
.card .facts dd { margin: 0; }
.card .form > .button { inline-size: 100%; }
/* Keeps a tall card apart from the banner above. */
@media (min-width: 30.01rem) { .layout-card .ribbon { margin-block-end: 1.5rem; } }
.owned { white-space: normal; }
`;

/** Events and their deliveries. */
export const WEBHOOKS = `
.arrivals { margin-block-start: 1rem; padding-block-start: 0.75rem; border-block-start: 1px solid var(--line); }
.event { padding-block: 1rem; }
.event + .event { border-block-start: 1px solid var(--line); }
.event:first-child { padding-block-start: 0; }
.event:last-child { padding-block-end: 0; }
.event-heading { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.125rem 1rem; }
.event-type { font-weight: 600; }
.deliveries { display: grid; gap: 0.5rem; margin-block: 0.5rem; }
.delivery {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem 0.75rem;
  padding: 0.625rem 0.875rem;
  background: var(--sunken);
  border-radius: var(--radius);
}
.delivery .tag.quiet { background: var(--surface); }
.delivery-url { font-family: var(--mono); font-size: 0.8125rem; }
.event summary { display: inline-flex; align-items: center; min-block-size: 1.75rem; color: var(--accent); font-size: 0.875rem; cursor: pointer; }
.event summary::before { content: "▸" / ""; margin-inline-end: 0.375rem; }
.event details[open] summary::before { content: "▾" / ""; }
.json {
  margin: 0.375rem 0 0;
  padding: 0.875rem 1rem;
  font: 0.8125rem/1.6 var(--mono);
  white-space: pre-wrap;
  background: var(--sunken);
  border: 1px solid var(--line);
  border-radius: var(--radius);
}
`;

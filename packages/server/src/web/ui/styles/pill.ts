export const PILL = `
.pill {
  display: inline-block;
  padding: 0.0625rem 0.5rem;
  font-size: 0.75rem;
  line-height: 1.125rem;
  font-weight: 500;
  white-space: nowrap;
  border: 1px solid transparent;
  border-radius: 6px;
}
.pill-good { color: var(--good); background: var(--good-soft); }
.pill-warn { color: var(--warn); background: var(--warn-soft); }
.pill-bad { color: var(--danger); background: var(--danger-soft); }
.pill-neutral { color: var(--muted); background: var(--sunken); border-color: var(--line); }
@media (forced-colors: active) { .pill { border-color: currentcolor; } }
`;

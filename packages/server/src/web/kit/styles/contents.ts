/** Pictures, people, grants and rows. */
export const LISTS = `
.picture { display: grid; place-items: center; flex: none; color: var(--on-tint); font-weight: 650; letter-spacing: 0.01em; object-fit: cover; }
.picture-large { inline-size: 3.5rem; block-size: 3.5rem; font-size: 1.25rem; }
.picture-small { inline-size: 2.375rem; block-size: 2.375rem; font-size: 0.875rem; }
.picture-client { border-radius: 24%; }
.picture-person { border-radius: 50%; }
img.picture { background: var(--paper); border: 1px solid var(--line); object-fit: contain; }
.picture-service { color: var(--on-fill); background: var(--fill); }
.tint-0 { background: var(--tint-0); }
.tint-1 { background: var(--tint-1); }
.tint-2 { background: var(--tint-2); }
.tint-3 { background: var(--tint-3); }
.tint-4 { background: var(--tint-4); }
.tint-5 { background: var(--tint-5); }

.people { overflow: hidden; border: 1px solid var(--line); border-radius: var(--radius); }
.people li + li { border-block-start: 1px solid var(--line); }
.people-groups { display: grid; gap: var(--space-2); }
.people-groups > .rows + .fold { margin-block-start: var(--space-2); }
.fold > .people { padding: 0; border-width: 1px 0 0; border-start-start-radius: 0; border-start-end-radius: 0; }
.person {
  inline-size: 100%;
  min-block-size: 3rem;
  display: flex;
  align-items: center;
  gap: 0.75rem;
  padding: 0.3125rem 0.75rem;
  font: inherit;
  text-align: inherit;
  color: inherit;
  background: var(--surface);
  border: 0;
  cursor: pointer;
  transition: background-color 120ms ease;
}
.person:hover { background: var(--sunken); }
.person:focus-visible { outline-offset: -2px; border-radius: var(--radius); }
.person .picture { inline-size: 2.125rem; block-size: 2.125rem; font-size: 0.8125rem; }
.person-text { flex: 1; min-inline-size: 0; justify-content: space-between; display: flex; flex-wrap: wrap; align-items: baseline; column-gap: 0.5rem; line-height: 1.35; }
.accounts li { display: flex; align-items: center; }
.accounts li > :first-child { flex: 1; min-inline-size: 0; }
.accounts .link-button { margin-inline: 0.25rem 0.75rem; }
.person-name { font-weight: 600; }
.person-email { color: var(--muted); font-size: 0.8438rem; }
.person-note { flex-basis: 100%; color: var(--muted); font-size: 0.8125rem; }

.section-label { font-size: 0.8438rem; font-weight: 600; color: var(--muted); margin-block-end: 0.625rem; }
.signed-in-as {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0 1rem;
  padding: 0.5rem 0.75rem;
  font-size: 0.875rem;
  background: var(--sunken);
  border-radius: var(--radius);
}
.grants { display: grid; gap: 0.75rem; }
.grants li { display: flex; gap: 0.75rem; }
.grant-icon {
  flex: none;
  display: grid;
  place-items: center;
  inline-size: 2.25rem;
  block-size: 2.25rem;
  border-radius: 9px;
  color: var(--accent);
  background: var(--accent-soft);
}
.grant-title, .grant-text { display: block; line-height: 1.35; }
.grant-title { font-weight: 600; }
.grant-text { color: var(--muted); font-size: 0.8438rem; }
.not-shared {
  display: flex;
  gap: 0.5rem;
  margin-block-start: 0.875rem;
  padding-block-start: 0.75rem;
  border-block-start: 1px solid var(--line);
  color: var(--muted);
  font-size: 0.8438rem;
}
.destination .icon { margin-inline-end: 0.25rem; vertical-align: -0.25em; }
.clamp { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }

.row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.875rem; padding-block: 0.75rem; }
.row + .row { border-block-start: 1px solid var(--line); }
.rows .row:last-child { padding-block-end: 0; }
.rows .row:first-child { padding-block-start: 0; }
.row-text { flex: 1 1 12rem; min-inline-size: 0; }
.row-title { font-weight: 600; }
.row-title a { display: inline-block; padding-block: 0.125rem; }
.chat-heading { margin-block: 1.5rem 0.25rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0.75rem; }
.tile {
  display: flex;
  flex-direction: column;
  gap: 0.125rem;
  block-size: 100%;
  padding: 0.875rem 1rem;
  color: inherit;
  text-decoration: none;
  background: var(--sunken);
  border: 1px solid var(--line);
  border-radius: var(--radius);
}
.tile:hover { color: inherit; border-color: var(--accent); }
.tile-title { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.5rem; font-weight: 600; }
.tile .icon { color: var(--accent); }
.clock { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.625rem 1rem; margin-block-end: 0.5rem; }
.mail-code { display: inline-flex; align-items: center; gap: 0.375rem; white-space: nowrap; padding: 0.25rem 0.75rem; font-family: var(--mono); font-size: 1.125rem; letter-spacing: 0.12em; background: var(--sunken); border: 1px solid var(--line); border-radius: 8px; }
.mail-code .copy-value { font-size: inherit; }
.mail-code.large { align-self: start; font-size: 1.75rem; }
.mail-text { white-space: pre-wrap; overflow-wrap: anywhere; }
.mail-frame { display: block; inline-size: 100%; block-size: 46rem; resize: vertical; border: 1px solid var(--line); border-radius: var(--radius); }
`;

/** Plans, prices, orders and their payment. */
export const CHECKOUT = `
.amount { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.5rem; font-size: 2rem; line-height: 1.2; font-weight: 600; letter-spacing: -0.02em; color: var(--text); }
.rhythm { font-size: 0.9375rem; font-weight: 400; letter-spacing: 0; color: var(--muted); }
.description { text-wrap: pretty; }
.lines { white-space: pre-line; }
.benefits { display: grid; gap: 0.5rem; }
.benefits li { display: flex; gap: 0.625rem; }
.benefits .icon { margin-block-start: 0.125rem; color: var(--accent); }
.owned { white-space: normal; }

.plan-cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 1.25rem; }
.plan-card { display: flex; flex-direction: column; gap: 0.75rem; padding-block: 1.5rem; }
.plan-card .amount { margin-block-start: 0.25rem; }
.plan-card .amount + .muted { margin-block-start: -0.5rem; }
.plan-card .benefits { padding-block-start: 1rem; border-block-start: 1px solid var(--line); }
.plan-card.is-held { border-color: var(--accent); }
.plan-card-heading { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 0.75rem; }
.plan-card-heading h2 { font-size: 1.125rem; }
.plan-card-state { margin-block-start: auto; padding-block-start: 0.5rem; font-weight: 500; }
.plan-card-state + .plan-card-action { margin: 0; padding: 0; }
.plan-card-action { margin-block-start: auto; padding-block-start: 0.5rem; }
.plan-card-action .button { inline-size: 100%; }
.held-plan { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem 1rem; }
.held-plan > h2 { margin: 0; }
.held-plan .state-icon { inline-size: 2.5rem; block-size: 2.5rem; font-size: 1rem; }
.held-plan-text { flex: 1 1 14rem; min-inline-size: 0; }
.offer { display: grid; gap: 1.25rem; }

.checkout {
  inline-size: min(100% - 2rem, 29rem);
  margin-block: auto 0;
  margin-inline: auto;
  padding-block: 1.5rem;
  display: grid;
  gap: 1.5rem;
}
.checkout-summary { display: grid; gap: 0.875rem; align-content: start; }
.checkout-seller { display: flex; align-items: center; gap: 0.75rem; font-weight: 500; }
.checkout-title { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.25rem 1rem; }
.checkout-title .amount { font-size: 1.375rem; }
.checkout-summary .benefits { display: none; }
.checkout-payment {
  display: flex;
  flex-direction: column;
  gap: 1.25rem;
  padding: 2rem;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 16px;
  box-shadow: var(--shadow);
}
.checkout-payment .button { inline-size: 100%; }
.checkout-payment .form { gap: 1rem; }
.checkout-buyer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding-block-end: 1rem; border-block-end: 1px solid var(--line); }
.checkout-buyer > bdi { color: var(--text); font-size: var(--type-body); }

.bill { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.5rem 1.5rem; margin: 0; }
.bill dt { color: var(--muted); text-wrap: balance; }
.bill dd { margin: 0; text-align: end; }
[dir="rtl"] .bill dd { text-align: left; }
.bill .bill-total { padding-block: 0.875rem; border-block: 1px solid var(--line); font-weight: 600; color: var(--text); }
.bill dt.bill-total { margin-inline-end: -1.5rem; }
.bill dd code { overflow-wrap: anywhere; }
.receipt { inline-size: 100%; margin-block: 0.5rem; padding-block: 0.875rem; border-block: 1px solid var(--line); text-align: start; }
.bill.transfer dd { text-align: start; }
.transfer code { font-size: var(--type-s); }
.transfer { grid-template-columns: max-content minmax(0, 1fr); padding: 0.875rem 1rem; background: var(--sunken); border: 1px solid var(--line); border-radius: var(--radius); }

fieldset.choices.boxed { gap: 0; }
fieldset.choices.boxed > .choice { position: relative; margin: 0; padding: 0.75rem 0.875rem; border: 1px solid var(--line); border-block-end-width: 0; }
fieldset.choices.boxed > .choice:nth-of-type(1) { margin-block-start: 0.5rem; border-start-start-radius: var(--radius); border-start-end-radius: var(--radius); }
fieldset.choices.boxed > .choice:last-child { border-block-end-width: 1px; border-end-start-radius: var(--radius); border-end-end-radius: var(--radius); }
.choices.boxed > .choice:has(:checked) { background: var(--accent-soft); }
.choices.boxed label::before { content: ""; position: absolute; inset: 0; cursor: pointer; }
.choices.boxed input { position: relative; z-index: 1; }

@media (min-width: 56.25rem) {
  .offer.has-description { grid-template-columns: minmax(0, 1fr) 20rem; gap: 2.5rem; align-items: start; }
  .checkout { inline-size: min(100% - 4rem, 62rem); padding-block: 3rem; grid-template-columns: minmax(0, 1fr) 27rem; gap: 5rem; align-items: start; }
  .checkout-summary { gap: 1.25rem; padding-block-start: 1.5rem; }
  .checkout-title { display: grid; }
  .checkout-title h1 { font-size: 1.25rem; font-weight: 600; color: var(--muted); }
  .checkout-title .amount { font-size: 2.5rem; }
  .checkout-summary .benefits { display: grid; padding-block-start: 1.25rem; border-block-start: 1px solid var(--line); }
}
@media (max-width: 30rem) {
  .checkout { inline-size: 100%; padding: 0; gap: 0; margin-block: 0; }
  .checkout-summary { padding: 1.25rem 1.5rem; background: var(--sunken); border-block-end: 1px solid var(--line); }
  .checkout-payment { padding: 1.25rem 1.5rem; border: 0; border-radius: 0; box-shadow: none; }
}
/* Keeps a tall card apart from the banner above. */
@media (min-width: 30.01rem) { .layout-card .ribbon { margin-block-end: 1.5rem; } }
@media (forced-colors: active) { .choices.boxed > .choice:has(:checked) { outline: 2px solid Highlight; outline-offset: -3px; } }
`;

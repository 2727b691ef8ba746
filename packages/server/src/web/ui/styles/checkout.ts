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

import { sandboxScenario } from '@latchkey/sandbox';
import { type Html, html } from '../html.js';

const { community, plans } = sandboxScenario;

/** The plan that the shop sells. The service charges its own price; this is the text that visitors read. */
export const joinPlan = {
  id: plans.monthly.id,
  communityId: community.id,
  name: 'A seat at the Roaster’s Table',
  price: '€9',
  term: 'a month',
};

/** The form that opens the checkout. It works without scripts. */
export function joinForm(): Html {
  return html`<form method="post" action="/auth/checkout">
                <input type="hidden" name="plan" value="${joinPlan.id}">
                <input type="hidden" name="returnTo" value="/table">
                <button class="button" type="submit">Join for ${joinPlan.price} ${joinPlan.term}</button>
              </form>`;
}

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

/** The price and the term. The price keeps its direction in every language. */
export const joinPrice = html`<bdi>${joinPlan.price}</bdi> ${joinPlan.term}`;

/** Benefits of a seat, for every page that sells one. */
export const BENEFITS = [
  'A place at the Friday tasting, with seven people who also can’t stop talking about water.',
  '250 g of the week’s lot before it reaches the shelf.',
  'Every roast log, and all lessons of the course.',
] as const;

/**
 * The form that opens the checkout. It works without scripts.
 * @param returnTo Path of the shop to which the buyer comes back.
 */
export function joinForm(returnTo = '/table'): Html {
  return html`<form method="post" action="/auth/checkout">
                <input type="hidden" name="plan" value="${joinPlan.id}">
                <input type="hidden" name="returnTo" value="${returnTo}">
                <button class="button" type="submit">Join for ${joinPrice}</button>
              </form>`;
}

/** The plan with its benefits, for pages that a membership opens. */
export function planCard(returnTo: string): Html {
  return html`<div class="card plan">
              <h2>${joinPlan.name}</h2>
              <p class="join-price">${joinPrice}, stop whenever you like</p>
              <ul class="checklist">
                ${BENEFITS.map((benefit) => html`<li><span>${benefit}</span></li>`)}
              </ul>
              ${joinForm(returnTo)}
            </div>`;
}

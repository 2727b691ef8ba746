import { sandboxScenario } from '@latchkey/sandbox';
import { type Html, html } from '../html.js';

/** The fields of a membership that the shop's pages show. */
export interface ListedMembership {
  readonly id: string;
  readonly communityId: string | null;
  readonly productId: string | null;
  readonly pricingPlanId: string | null;
  readonly isKnown: boolean;
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | null | undefined;
}

const { community, products } = sandboxScenario;

/** Names of what the shop sells, by id. The service sends no names of communities and products. */
export const MEMBERSHIP_NAMES: Readonly<Record<string, string>> = {
  [community.id]: 'The Roaster’s Table',
  ...Object.fromEntries(Object.values(products).map(({ id, name }) => [id, name])),
};

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Writes the day of an instant, on one line. */
export function dayOf(instant: string | number): Html {
  return html`<bdi class="unbroken">${day.format(new Date(instant))}</bdi>`;
}

/** Names what a membership of this shop opens. */
export function nameOfMembership({ productId }: ListedMembership): string {
  return MEMBERSHIP_NAMES[productId ?? community.id] ?? 'A product of this shop';
}

/** Writes the period of a membership. */
export function periodOf({ validFrom, validUntil }: ListedMembership): Html {
  const since = validFrom === undefined ? '' : html`Since ${dayOf(validFrom)}, `;
  return validUntil ? html`${since}paid until ${dayOf(validUntil)}` : html`${since}for life`;
}

import { sandboxScenario } from '@latchkey/sandbox';

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

/** Writes the day of an instant. */
export function dayOf(instant: string | number): string {
  return day.format(new Date(instant));
}

/** Names what a membership of this shop opens. */
export function nameOfMembership({ productId }: ListedMembership): string {
  return MEMBERSHIP_NAMES[productId ?? community.id] ?? 'A product of this shop';
}

/** Writes the period of a membership. */
export function periodOf({ validFrom, validUntil }: ListedMembership): string {
  const since = validFrom === undefined ? '' : `Since ${dayOf(validFrom)}, `;
  return validUntil ? `${since}paid until ${dayOf(validUntil)}` : `${since}for life`;
}

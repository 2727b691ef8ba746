import type { Happening } from '@latchkey/sandbox';

/** Page with the object of a happening. */
export interface HappeningPlace {
  readonly href: string;
  readonly label: string;
}

/** Returns the page with the membership, drop, client, event or delivery. Undefined for a sign-in code, which has none. */
export function happeningPlace({ kind, id }: Pick<Happening, 'kind' | 'id'>): HappeningPlace | undefined {
  const key = encodeURIComponent(id);
  switch (kind) {
    case 'event':
      return { href: `/sandbox/webhooks?id=${key}`, label: 'Event' };
    case 'delivery':
      return { href: `/sandbox/webhooks?text=${key}`, label: 'Delivery' };
    case 'membership-end':
    case 'membership-start':
    case 'renewal':
      return { href: `/sandbox/data?kind=memberships&id=${key}`, label: 'Membership' };
    case 'drop-start':
    case 'drop-end':
      return { href: `/sandbox/data?kind=drops&id=${key}`, label: 'Drop' };
    case 'access-token-expiry':
    case 'refresh-token-expiry':
      return { href: `/sandbox/data?kind=clients&id=${key}`, label: 'Client' };
    case 'code-expiry':
      return undefined;
  }
}

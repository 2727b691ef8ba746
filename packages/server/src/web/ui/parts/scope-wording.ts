import type { OAuthScope } from '@latchkey/contract/constants';

/** Scopes (spec, "OAuth 2.0 (sign-in)", 3) as the consent page explains them. */
export const SCOPE_WORDING: Readonly<Record<OAuthScope, { title: string; text: string }>> = {
  'memberships.read': {
    title: 'See your active memberships',
    text: 'Your current access and its end dates',
  },
  'products.read': {
    title: 'See the products you sell',
    text: 'Their names and types, not your sales',
  },
};

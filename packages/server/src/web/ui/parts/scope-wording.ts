import type { OAuthScope } from '@latchkey/contract/constants';

/** Scope as the consent page explains it. */
export interface ScopeWording {
  title: string;
  text: string;
}

/** Texts of all scopes (spec, "OAuth 2.0 (sign-in)", 3). */
export const SCOPE_WORDING: Readonly<Record<OAuthScope, ScopeWording>> = {
  'memberships.read': {
    title: 'See your active memberships',
    text: 'Your current access and its end dates',
  },
  'products.read': {
    title: 'See the products you sell',
    text: 'Their names and types, not your sales',
  },
};

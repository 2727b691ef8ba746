import type { OAuthScope } from '@latchkey/contract/constants';

/** A scope in the words of the person who is asked for it. */
export interface ScopeWording {
  title: string;
  text: string;
}

/** Every scope in plain words (spec, "OAuth 2.0 (sign-in)", 3). */
export const SCOPE_WORDING: Readonly<Record<OAuthScope, ScopeWording>> = {
  'memberships.read': {
    title: 'See your active memberships',
    text: 'What you have access to now, and until when',
  },
  'products.read': {
    title: 'See the products you sell',
    text: 'Their names and kinds, not your sales',
  },
};

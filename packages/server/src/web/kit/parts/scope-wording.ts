import type { OAuthScope } from '@latchkey/contract/constants';
import { phrase } from '../../../platform/language/language.js';

/** Scopes (spec, "OAuth 2.0 (sign-in)", 3) as the consent page explains them, and the account page lists them. */
export const SCOPE_WORDING: Readonly<
  Record<OAuthScope, Readonly<Record<'title' | 'text' | 'granted', string>>>
> = {
  'memberships.read': {
    title: phrase('See your active memberships'),
    text: phrase('Your current access and its end dates'),
    granted: phrase('sees your active memberships'),
  },
  'products.read': {
    title: phrase('See the products you sell'),
    text: phrase('Their names and types, not your sales'),
    granted: phrase('sees the products you sell'),
  },
};

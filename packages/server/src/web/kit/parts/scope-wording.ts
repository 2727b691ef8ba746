import type { OAuthScope } from '@latchkey/contract/constants';
import { phrase } from '../../../platform/language/language.js';

/** Scopes (spec, "OAuth 2.0 (sign-in)", 3) as the consent page explains them. */
export const SCOPE_WORDING: Readonly<Record<OAuthScope, { title: string; text: string }>> = {
  'memberships.read': {
    title: phrase('See your active memberships'),
    text: phrase('Your current access and its end dates'),
  },
  'products.read': {
    title: phrase('See the products you sell'),
    text: phrase('Their names and types, not your sales'),
  },
};

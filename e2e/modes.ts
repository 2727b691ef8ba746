import { createHash, randomBytes } from 'node:crypto';
import { JOURNEY, LONG } from './levels.js';
import { OWN_CALLBACK, type Shop, type ShopOptions } from './shop.js';
import type { World } from './world.js';

/** A way to sign in: by popup or redirect, and with which redirect URI. */
export interface Mode {
  name: string;
  shop: ShopOptions;
  usesPopup: boolean;
  /** The redirect URI. */
  redirectUriOf(shop: Shop, world: World): string;
  /**
   * Tags of its tests. One mode is enough for the loop, and two more for all tests: together, they have each kind of window,
   * callback and backend.
   */
  tag: readonly string[];
}

const hosted: Mode['redirectUriOf'] = ({ clientId }, { service }) =>
  `${service.baseUrl}/widget/callback/${clientId}`;

export const HOSTED: Mode = {
  name: 'popup, hosted callback',
  shop: {},
  usesPopup: true,
  redirectUriOf: hosted,
  tag: [JOURNEY],
};
export const HOSTED_WITH_BACKEND: Mode = {
  name: 'popup, hosted callback, backend',
  shop: { backend: true },
  usesPopup: true,
  redirectUriOf: hosted,
  tag: [LONG],
};
export const SELF_HOSTED: Mode = {
  name: 'popup, the site’s own callback',
  shop: { attributes: `callback-url="${OWN_CALLBACK}"`, redirectPaths: [OWN_CALLBACK] },
  usesPopup: true,
  redirectUriOf: ({ origin }) => `${origin}${OWN_CALLBACK}`,
  tag: [LONG],
};
export const SELF_HOSTED_WITH_BACKEND: Mode = {
  ...SELF_HOSTED,
  name: 'popup, the site’s own callback, backend',
  shop: { ...SELF_HOSTED.shop, backend: true },
  tag: [],
};
export const REDIRECT: Mode = {
  name: 'redirect',
  shop: { attributes: 'mode="redirect" return-url="/signed-in"', redirectPaths: ['/signed-in'] },
  usesPopup: false,
  redirectUriOf: ({ origin }) => `${origin}/signed-in`,
  tag: [],
};
const REDIRECT_WITH_BACKEND: Mode = {
  name: 'redirect, backend',
  shop: { backend: true, attributes: 'mode="redirect"' },
  usesPopup: false,
  redirectUriOf: ({ origin }) => `${origin}/auth/callback`,
  tag: [LONG],
};

export const MODES = [
  HOSTED,
  HOSTED_WITH_BACKEND,
  SELF_HOSTED,
  SELF_HOSTED_WITH_BACKEND,
  REDIRECT,
  REDIRECT_WITH_BACKEND,
];
export const POPUP_MODES = MODES.filter(({ usesPopup }) => usesPopup);

/** A code verifier that the attacker knows. */
const codeVerifier = randomBytes(32).toString('base64url');

/** Returns a state as the widget writes it, with additional fields of the attacker. */
export function stateOf(fields: Record<string, string>): string {
  return Buffer.from(JSON.stringify({ n: 'attackers-nonce', ...fields })).toString('base64url');
}

/** Returns an authorization request for a shop's client, with a challenge of the attacker. */
export function forgedRequest(world: World, shop: Shop, parameters: Record<string, string>): string {
  const url = new URL('/oauth/authorize', world.service.baseUrl);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: shop.clientId,
    scope: 'memberships.read',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  }).toString();
  return url.href;
}

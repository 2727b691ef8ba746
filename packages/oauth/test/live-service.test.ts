import { fakeUser, PUBLIC_CLIENT, startFakeService } from '@latchkey/conformance/scripted-service';
import { expect, it, onTestFinished } from 'vitest';
import {
  authorizationUrl,
  createPkcePair,
  exchangeCode,
  fetchClientIdentity,
  fetchMemberships,
  fetchUserIdentity,
  type OAuthService,
  refreshTokenSet,
} from '../src/index.js';
import { corsFetch } from './cors-fetch.js';

const REDIRECT_URI = 'https://shop.example/callback';

/** A service with a visitor, and a code that was issued to a public client. */
async function startSignIn(fetch: typeof globalThis.fetch | undefined) {
  const ada = fakeUser('ada@example.com', [{}]);
  const service = await startFakeService({ visitor: ada });
  onTestFinished(service.close);
  const options: OAuthService = { serviceUrl: service.url, clientId: PUBLIC_CLIENT, ...(fetch && { fetch }) };
  const { codeVerifier, codeChallenge } = await createPkcePair();
  const url = authorizationUrl(options, {
    ...{ redirectUri: REDIRECT_URI, scopes: ['memberships.read'], state: 's', codeChallenge },
  });
  const redirect = await globalThis.fetch(url, { redirect: 'manual' });
  const code = new URL(redirect.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return { ada, service, options, exchange: { code, redirectUri: REDIRECT_URI, codeVerifier } };
}

async function signIn(fetch?: typeof globalThis.fetch) {
  const { ada, service, options, exchange } = await startSignIn(fetch);
  const { refreshToken } = await exchangeCode(options, exchange);
  const { accessToken } = await refreshTokenSet(options, { refreshToken: refreshToken ?? '' });
  const user = await fetchUserIdentity(options, { accessToken });
  expect(user).toMatchObject({ sub: service.subOf(ada, PUBLIC_CLIENT), email: 'ada@example.com' });
  const memberships = await fetchMemberships(options, { accessToken });
  expect(memberships.map(({ id }) => id)).toEqual(ada.memberships.map((each) => service.listed(each).id));
  expect((await fetchClientIdentity(options)).clientId).toBe(PUBLIC_CLIENT);
}

it('signs in at a service that issues codes and tokens', () => signIn());

it('signs in from a page of another origin [assumes token-cors]', () =>
  signIn(corsFetch('https://shop.example')));

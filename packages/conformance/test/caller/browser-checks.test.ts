import { createHash, randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { startPassiveService } from '../../src/caller.js';

/** Headers of a page in a browser. */
const BROWSER = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' };
const REDIRECT_URI = 'https://shop.example/latchkey/callback.html';

async function start() {
  const service = await startPassiveService();
  onTestFinished(() => service.close());
  const env = service.environment;
  const clientId = env.LATCHKEY_PUBLIC_CLIENT_ID ?? '';

  /** Signs in as a widget does, and leaves out what a caller can forget. */
  async function signIn({
    state = 'the state',
    secret = {},
    ignoresRefusal = false,
    headers = BROWSER,
  } = {}) {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      scope: 'memberships.read',
      state: 'the state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    const redirect = await fetch(`${service.url}/oauth/authorize?${query}`, { redirect: 'manual' });
    const returned = new URL(redirect.headers.get('location') ?? '').searchParams;
    const identity = await fetch(
      `${service.url}/oauth/client/${clientId}?widget_origin=https://shop.example`,
      { headers },
    );
    const { data } = (await identity.json()) as { data: { widgetOriginAllowed: boolean } };
    if (!data.widgetOriginAllowed && !ignoresRefusal) return;
    if (returned.get('state') !== state && state !== 'any') return;
    const body = {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      code: returned.get('code') ?? '',
      code_verifier: verifier,
      ...secret,
    };
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      headers: BROWSER,
      body: new URLSearchParams(body),
    });
    const { access_token: token } = (await answer.json()) as { access_token?: string };
    await fetch(`${service.url}/oauth/userinfo`, {
      headers: { ...BROWSER, authorization: `Bearer ${token}` },
    });
  }

  const outcomes = (kind: string) =>
    service
      .report()
      .results.filter(({ outcome }) => outcome.kind === kind)
      .map(({ id }) => id);
  return { service, signIn, outcomes };
}

it('passes a careful page by what it sends, without driving it', async () => {
  const { service, signIn, outcomes } = await start();
  await signIn();
  for (const script of ['unknown fields', 'odd tokens', 'foreign state', 'no state', 'origin refused']) {
    expect(service.select(script)).toBe(true);
    await signIn();
  }
  expect(outcomes('failed')).toEqual([]);
  expect(outcomes('passed')).toEqual([
    'versioning.ignore-unknown-fields',
    'general.widget-is-public-client',
    'credentials.opaque-tokens',
    'authorize.challenge-derivation',
    'authorize.state-verified',
    'token.client-secret-post',
    'token.accept-created',
    'client-identity.widget-origin-sender',
    'client-identity.origin-must-be-allowed',
  ]);
});

it('reports a page that sends a client secret', { tags: ['general.widget-is-public-client'] }, async () => {
  const { signIn, outcomes } = await start();
  await signIn({ secret: { client_secret: `ocs_${'a1'.repeat(24)}` } });
  expect(outcomes('failed')).toEqual(['general.widget-is-public-client']);
});

it('reports a program that sends widget_origin', {
  tags: ['client-identity.widget-origin-sender'],
}, async () => {
  const { signIn, outcomes } = await start();
  await signIn({ headers: {} as typeof BROWSER });
  expect(outcomes('failed')).toEqual(['client-identity.widget-origin-sender']);
});

it('reports a callback that passes codes to any origin', {
  tags: ['client-identity.origin-must-be-allowed'],
}, async () => {
  const { service, signIn, outcomes } = await start();
  service.select('origin refused');
  await signIn({ ignoresRefusal: true });
  expect(outcomes('failed')).toEqual(['client-identity.origin-must-be-allowed']);
});

it('reports a page that redeems the code of a foreign state', {
  tags: ['authorize.state-verified'],
}, async () => {
  const { service, signIn, outcomes } = await start();
  service.select('foreign state');
  await signIn({ state: 'any' });
  expect(outcomes('failed')).toEqual(['authorize.state-verified']);
});

it('reports an equal request right after a 404, and not one after a pause', {
  tags: ['retry.not-client-errors'],
}, async () => {
  const { service, outcomes } = await start();
  service.select('status 404');
  const { LATCHKEY_API_KEY: key } = service.environment;
  const ask = () =>
    fetch(`${service.url}/membership/join-messenger-community-external/buyer-1`, {
      headers: { authorization: `Bearer ${key}` },
    });
  await ask();
  expect(outcomes('passed')).toContain('retry.not-client-errors');
  await ask();
  expect(outcomes('failed')).toEqual(['retry.not-client-errors']);
});

it('masks secrets in the messages of the report', async () => {
  const { service, signIn } = await start();
  await signIn();
  const text = JSON.stringify(service.report());
  expect(text).toContain('code_verifier=');
  expect(text).not.toMatch(/(code_verifier|code|access_token|refresh_token)(\\?":\\?"|=)[\w-]{8}/);
  expect(text).not.toMatch(/Bearer [0-9a-f]{8}/);
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedService } from '../../src/caller.js';

const REDIRECT_URI = 'http://localhost:8080/callback';

async function start() {
  const service = await startScriptedService();
  onTestFinished(() => service.close());
  const env = service.environment;
  const client = { client_id: env.LATCHKEY_CLIENT_ID ?? '', client_secret: env.LATCHKEY_CLIENT_SECRET ?? '' };
  const post = async (path: string, fields: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${env.LATCHKEY_API_KEY}` };
    const body = JSON.stringify(fields);
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const token = (fields: object) => post('/oauth/token', { ...client, ...fields });
  return { service, client, post, token };
}

describe('the scripted service', () => {
  it('answers a missing email at buy-plan without an errorCode', async () => {
    const { post } = await start();
    const { status, body } = await post('/api/checkout/buy-plan', { externalId: 'order-1' });
    expect(status).toBe(201);
    expect(body).toEqual({ success: false, message: expect.any(String) });
  });

  it.for([
    ['no grant_type', {}],
    ['an unknown grant_type', { grant_type: 'client_credentials' }],
    ['no code', { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI }],
    ['no redirect_uri', { grant_type: 'authorization_code', code: 'unknown' }],
    ['no refresh_token', { grant_type: 'refresh_token' }],
  ] as const)('answers a token request with %s by invalid_request', async ([, fields]) => {
    const { token } = await start();
    expect(await token(fields)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it.for([
    ['code', { grant_type: 'authorization_code', code: 'unknown', redirect_uri: REDIRECT_URI }],
    ['refresh token', { grant_type: 'refresh_token', refresh_token: 'unknown' }],
  ] as const)('answers an unknown %s by invalid_grant', async ([, fields]) => {
    const { token } = await start();
    expect(await token(fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('counts an emoji as one character of state', async () => {
    const { service, client } = await start();
    const statusOf = async (state: string) => {
      const query = new URLSearchParams({
        ...{ client_id: client.client_id, redirect_uri: REDIRECT_URI, scope: 'memberships.read', state },
      });
      return (await fetch(`${service.url}/oauth/authorize?${query}`, { redirect: 'manual' })).status;
    };
    expect(await statusOf('\u{1F511}'.repeat(1024))).toBe(302);
    expect(await statusOf('s'.repeat(1025))).toBe(400);
  });

  it('requires the verifier of a challenge', async () => {
    const { service, client, token } = await start();
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: REDIRECT_URI,
      scope: 'memberships.read',
      code_challenge: 'c'.repeat(43),
    });
    const redirect = await fetch(`${service.url}/oauth/authorize?${query}`, { redirect: 'manual' });
    const code = new URL(redirect.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    expect(await token(fields)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});

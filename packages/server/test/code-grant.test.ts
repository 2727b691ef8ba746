import { describe, expect } from 'vitest';
import {
  allow,
  callbackOf,
  callResource,
  confidentialCode,
  confidentialRedemption,
  confidentialRequest,
  errorOf,
  postToken,
  publicCode,
  publicRedemption,
  publicRequest,
  refreshPublic,
  signedIn,
  type TokenPairBody,
} from './authorization-flow.js';
import { CODE_CHALLENGE, CODE_VERIFIER, challengeOf, it, PUBLIC } from './service-under-test.js';

const invalidRequest = { status: 400, error: 'invalid_request' };
const invalidGrant = { status: 400, error: 'invalid_grant' };
const OTHER_CLIENT = `oac_${'d'.repeat(24)}`;

describe('authorization code', () => {
  it("is redeemed once, with the right verifier, for its user's tokens", {
    tags: ['token.code-grant', 'credentials.code-single-use'],
  }, async ({ service }) => {
    const redemption = publicRedemption(service, await publicCode(service));
    const first = await postToken(service, redemption);
    expect(first.status).toBe(201);
    const { access_token } = (await first.json()) as TokenPairBody;
    expect(await (await callResource(service, access_token)).json()).toMatchObject({
      email: 'ada@example.com',
    });
    expect(await errorOf(await postToken(service, redemption))).toEqual(invalidGrant);
  });

  it('is valid 59.999 seconds after its issue', { tags: ['credentials.code-lifetime'] }, async ({
    service,
  }) => {
    const code = await publicCode(service);
    service.clock.advance(59_999);
    expect((await postToken(service, publicRedemption(service, code))).status).toBe(201);
  });

  it('expires 60 seconds after its issue', {
    tags: ['credentials.code-lifetime', 'oauth-error.invalid-grant-expired'],
  }, async ({ service }) => {
    const code = await publicCode(service);
    service.clock.advance(60_000);
    expect(await errorOf(await postToken(service, publicRedemption(service, code)))).toEqual(invalidGrant);
  });

  it('revokes its tokens, also refreshed ones, when redeemed twice', {
    tags: ['oauth-error.invalid-grant-used'],
  }, async ({ service }) => {
    const redemption = publicRedemption(service, await publicCode(service));
    const pair = (await (await postToken(service, redemption)).json()) as TokenPairBody;
    const next = (await (await refreshPublic(service, pair.refresh_token)).json()) as TokenPairBody;
    expect((await callResource(service, next.access_token)).status).toBe(200);

    expect(await errorOf(await postToken(service, redemption))).toEqual(invalidGrant);
    expect((await callResource(service, next.access_token)).status).toBe(401);
    expect((await refreshPublic(service, next.refresh_token)).status).toBe(400);
  });

  it('redeemed twice does not revoke the tokens of other codes', async ({ service }) => {
    const other = await postToken(service, publicRedemption(service, await publicCode(service)));
    const redemption = publicRedemption(service, await publicCode(service));
    await postToken(service, redemption);
    await postToken(service, redemption);
    const { access_token } = (await other.json()) as TokenPairBody;
    expect((await callResource(service, access_token)).status).toBe(200);
  });

  it('is required', { tags: ['token.code-required'] }, async ({ service }) => {
    for (const code of [undefined, '']) {
      const redemption = publicRedemption(service, 'x', { code });
      expect(await errorOf(await postToken(service, redemption))).toEqual(invalidRequest);
    }
  });

  it('must exist', async ({ service }) => {
    expect(await errorOf(await postToken(service, publicRedemption(service, 'never-issued')))).toEqual(
      invalidGrant,
    );
  });

  it('is rejected from another client and stays valid for its own', async ({ service }) => {
    const { operator } = service.server;
    await operator.registerClient({
      clientId: OTHER_CLIENT,
      type: 'public',
      name: 'Other',
      scopes: ['memberships.read'],
      redirectUris: [],
      widgetOrigins: [],
      ownerId: (await operator.createUser({ email: 'mallory@example.com' })).id,
    });
    const code = await publicCode(service);
    const stolen = publicRedemption(service, code, { client_id: OTHER_CLIENT });
    expect(await errorOf(await postToken(service, stolen))).toEqual(invalidGrant);
    const own = await postToken(service, publicRedemption(service, code));
    expect(own.status).toBe(201);
    await postToken(service, stolen);
    const { access_token } = (await own.json()) as TokenPairBody;
    expect((await callResource(service, access_token)).status).toBe(200);
  });

  it('is used up by a failed redemption of its own client', async ({ service }) => {
    for (const changes of [{ code_verifier: 'w'.repeat(43) }, { redirect_uri: 'https://evil.example/' }]) {
      const code = await publicCode(service);
      expect(await errorOf(await postToken(service, publicRedemption(service, code, changes)))).toEqual(
        invalidGrant,
      );
      expect(await errorOf(await postToken(service, publicRedemption(service, code)))).toEqual(invalidGrant);
    }
  });
});

describe('redirect URI', () => {
  it('is required', { tags: ['token.redirect-uri-required'] }, async ({ service }) => {
    const redemption = publicRedemption(service, await publicCode(service), { redirect_uri: undefined });
    expect(await errorOf(await postToken(service, redemption))).toEqual(invalidRequest);
  });

  it('must be the one of the authorization request, even if another one is registered', {
    tags: ['token.redirect-uri-same'],
  }, async ({ service }) => {
    const second = 'http://localhost:4401/another';
    await service.server.operator.change('clients', PUBLIC, { redirectUris: [callbackOf(service), second] });
    const first = callbackOf(service);
    for (const other of [second, `${first}/`, `${first}?a=1`, first.toUpperCase()]) {
      const redemption = publicRedemption(service, await publicCode(service), { redirect_uri: other });
      expect(await errorOf(await postToken(service, redemption)), other).toEqual(invalidGrant);
    }
  });
});

describe('code verifier', () => {
  it('is required when the request had a challenge, also from a confidential client', {
    tags: ['token.verifier-required'],
  }, async ({ service }) => {
    const code = await publicCode(service);
    for (const code_verifier of [undefined, '']) {
      const redemption = publicRedemption(service, code, { code_verifier });
      expect((await postToken(service, redemption)).status).toBe(400);
    }
    const withPkce = await confidentialCode(service, { code_challenge: CODE_CHALLENGE });
    expect(await errorOf(await postToken(service, confidentialRedemption(withPkce)))).toEqual(invalidRequest);
  });

  it('may have 43 and 128 characters', { tags: ['token.verifier-length'] }, async ({ service }) => {
    for (const length of [43, 128]) {
      const verifier = 'v'.repeat(length);
      const code = await publicCode(service, { code_challenge: challengeOf(verifier) });
      const redemption = publicRedemption(service, code, { code_verifier: verifier });
      expect((await postToken(service, redemption)).status, `${length}`).toBe(201);
    }
  });

  it('is malformed with 42 and with 129 characters', { tags: ['token.verifier-length'] }, async ({
    service,
  }) => {
    for (const length of [42, 129]) {
      const verifier = 'v'.repeat(length);
      const code = await publicCode(service, { code_challenge: challengeOf(verifier) });
      const redemption = publicRedemption(service, code, { code_verifier: verifier });
      expect(await errorOf(await postToken(service, redemption)), `${length}`).toEqual(invalidRequest);
    }
  });

  it('must match the challenge', {
    tags: ['token.verifier-matches', 'oauth-error.invalid-grant-verifier'],
  }, async ({ service }) => {
    for (const code_verifier of ['w'.repeat(43), CODE_CHALLENGE, CODE_VERIFIER.toLowerCase()]) {
      const redemption = publicRedemption(service, await publicCode(service), { code_verifier });
      expect(await errorOf(await postToken(service, redemption))).toEqual(invalidGrant);
    }
  });

  it('cannot be left out by a client that became public after a request without a challenge', async ({
    service,
  }) => {
    const code = await confidentialCode(service);
    const { client_secret: _secret, ...redemption } = confidentialRedemption(code);
    await service.server.operator.change('clients', `${redemption.client_id}`, { type: 'public' });
    expect(await errorOf(await postToken(service, redemption))).toEqual(invalidGrant);
  });

  it('is rejected when the request had no challenge, because the challenge may have been stripped', async ({
    service,
  }) => {
    const redemption = confidentialRedemption(await confidentialCode(service), {
      code_verifier: CODE_VERIFIER,
    });
    expect(await errorOf(await postToken(service, redemption))).toEqual(invalidGrant);
  });
});

describe('a hundred concurrent redemptions of one code', () => {
  it('have one winner, and the others revoke its tokens', { tags: ['credentials.code-single-use'] }, async ({
    service,
  }) => {
    const code = await allow(await signedIn(service), publicRequest(service));
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => postToken(service, publicRedemption(service, code))),
    );
    const winners = responses.filter(({ status }) => status === 201);
    expect(winners).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(99);
    const [pair] = (await Promise.all(winners.map((winner) => winner.json()))) as TokenPairBody[];
    expect((await callResource(service, pair?.access_token ?? '')).status).toBe(401);
  });

  it('have the same result for a confidential client', async ({ service }) => {
    const code = await allow(await signedIn(service), confidentialRequest());
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => postToken(service, confidentialRedemption(code))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

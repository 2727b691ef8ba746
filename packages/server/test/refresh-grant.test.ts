import { tokenPairSchemas } from '@latchkey/contract';
import { describe, expect } from 'vitest';
import {
  callResource,
  confidentialTokens,
  errorOf,
  postToken,
  publicTokens,
  refreshPublic,
  type TokenPairBody,
} from './authorization-flow.js';
import { CONFIDENTIAL, it, PUBLIC, SECRET } from './service-under-test.js';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
const invalidGrant = { status: 400, error: 'invalid_grant' };

describe('refresh', () => {
  it('returns a new pair with the same scopes for the same user', {
    tags: ['token.refresh-grant', 'token.success-created'],
  }, async ({ service }) => {
    const pair = await publicTokens(service, { scope: 'memberships.read products.read' });
    const response = await refreshPublic(service, pair.refresh_token);
    expect(response.status).toBe(201);
    const next = tokenPairSchemas.strict.parse(await response.json());
    expect(next.scope).toBe('memberships.read products.read');
    expect(next.access_token).not.toBe(pair.access_token);
    expect(next.refresh_token).not.toBe(pair.refresh_token);
    expect(await (await callResource(service, next.access_token)).json()).toMatchObject({
      email: 'ada@example.com',
    });
  });

  it('ignores a scope', async ({ service }) => {
    const { refresh_token } = await publicTokens(service);
    const form = { grant_type: 'refresh_token', client_id: PUBLIC, refresh_token, scope: 'products.read' };
    expect(await (await postToken(service, form)).json()).toMatchObject({ scope: 'memberships.read' });
  });

  it('revokes the old access token at once', { tags: ['credentials.refresh-revokes-access-token'] }, async ({
    service,
  }) => {
    const pair = await publicTokens(service);
    expect((await callResource(service, pair.access_token)).status).toBe(200);
    await refreshPublic(service, pair.refresh_token);
    expect(await errorOf(await callResource(service, pair.access_token))).toEqual({
      status: 401,
      error: 'invalid_token',
    });
  });

  it('rotates the refresh token, and a replay of the old one has no further effect', {
    tags: [
      'credentials.refresh-rotates',
      'credentials.refresh-replay-invalid-grant',
      'credentials.refresh-replay-no-cascade',
      'oauth-error.invalid-grant-used',
    ],
  }, async ({ service }) => {
    const pair = await publicTokens(service);
    const next = (await (await refreshPublic(service, pair.refresh_token)).json()) as TokenPairBody;
    expect(await errorOf(await refreshPublic(service, pair.refresh_token))).toEqual(invalidGrant);
    expect((await callResource(service, next.access_token)).status).toBe(200);
    expect((await refreshPublic(service, next.refresh_token)).status).toBe(201);
  });

  it('requires the token', { tags: ['token.refresh-token-required'] }, async ({ service }) => {
    for (const form of [
      { grant_type: 'refresh_token', client_id: PUBLIC },
      { grant_type: 'refresh_token', client_id: PUBLIC, refresh_token: '' },
    ]) {
      expect(await errorOf(await postToken(service, form))).toEqual({
        status: 400,
        error: 'invalid_request',
      });
    }
  });

  it('rejects an unknown token, an access token and another client’s token, which stays valid', async ({
    service,
  }) => {
    const pair = await confidentialTokens(service);
    for (const token of ['never-issued', pair.access_token, pair.refresh_token]) {
      expect(await errorOf(await refreshPublic(service, token))).toEqual(invalidGrant);
    }
    const own = {
      grant_type: 'refresh_token',
      client_id: CONFIDENTIAL,
      client_secret: SECRET,
      refresh_token: pair.refresh_token,
    };
    expect((await postToken(service, own)).status).toBe(201);
  });
});

describe('lifetime', () => {
  it('of an access token is one hour: valid at 3599.999 seconds, expired at 3600', {
    tags: ['credentials.access-token-lifetime', 'oauth-error.invalid-token-expired'],
  }, async ({ service }) => {
    const { access_token } = await publicTokens(service);
    service.clock.advance(HOUR - 1);
    expect((await callResource(service, access_token)).status).toBe(200);
    service.clock.advance(1);
    expect(await errorOf(await callResource(service, access_token))).toEqual({
      status: 401,
      error: 'invalid_token',
    });
  });

  it('of a refresh token includes the last millisecond of 30 days', {
    tags: ['credentials.refresh-token-lifetime'],
  }, async ({ service }) => {
    const { refresh_token } = await publicTokens(service);
    service.clock.advance(30 * DAY - 1);
    expect((await refreshPublic(service, refresh_token)).status).toBe(201);
  });

  it('of a refresh token ends after 30 days', {
    tags: ['credentials.refresh-token-lifetime', 'oauth-error.invalid-grant-expired'],
  }, async ({ service }) => {
    const { refresh_token } = await publicTokens(service);
    service.clock.advance(30 * DAY);
    expect(await errorOf(await refreshPublic(service, refresh_token))).toEqual(invalidGrant);
  });

  it('restarts with each rotation, checked before and after 30 days', {
    tags: ['credentials.refresh-sliding-window'],
  }, async ({ service }) => {
    let { refresh_token } = await publicTokens(service);
    for (let window = 0; window < 3; window += 1) {
      service.clock.advance(30 * DAY - 1);
      const response = await refreshPublic(service, refresh_token);
      expect(response.status).toBe(201);
      ({ refresh_token } = (await response.json()) as TokenPairBody);
    }
    service.clock.advance(30 * DAY);
    expect(await errorOf(await refreshPublic(service, refresh_token))).toEqual(invalidGrant);
  });
});

describe('fifty concurrent refreshes of one token', () => {
  it('have one winner, whose pair is valid', { tags: ['credentials.refresh-rotates'] }, async ({
    service,
  }) => {
    const { refresh_token } = await publicTokens(service);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => refreshPublic(service, refresh_token)),
    );
    const winners = responses.filter(({ status }) => status === 201);
    expect(winners).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(49);
    const [pair] = (await Promise.all(winners.map((winner) => winner.json()))) as TokenPairBody[];
    expect((await callResource(service, pair?.access_token ?? '')).status).toBe(200);
  });
});

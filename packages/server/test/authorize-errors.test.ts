import { describe, expect } from 'vitest';
import {
  authorize,
  authorizePath,
  callbackOf,
  confidentialRequest,
  expectRejection,
  publicRequest,
} from './authorization-flow.js';
import { locationOf, redirectQuery } from './browser.js';
import { CODE_CHALLENGE, it } from './service-under-test.js';

describe('request rejected without a redirect', () => {
  it('has no client_id', { tags: ['authorize.client-id-required', 'oauth-error.invalid-request'] }, async ({
    service,
  }) => {
    for (const client_id of [undefined, '']) {
      const response = await authorize(service, publicRequest(service, { client_id }));
      expect(await expectRejection(response)).toContain('client_id');
    }
  });

  it('has an unknown client_id', { tags: ['authorize.unknown-client'] }, async ({ service }) => {
    await expectRejection(
      await authorize(service, publicRequest(service, { client_id: `oac_${'0'.repeat(24)}` })),
    );
  });

  it('has no redirect_uri', { tags: ['authorize.redirect-uri-required'] }, async ({ service }) => {
    const response = await authorize(service, publicRequest(service, { redirect_uri: undefined }));
    expect(await expectRejection(response)).toContain('redirect_uri');
  });

  it('has a redirect_uri that differs from every registered one', {
    tags: [
      'authorize.redirect-uri-exact',
      'authorize.unregistered-redirect-uri',
      'credentials.registered-redirect-uris',
    ],
  }, async ({ service }) => {
    const registered = callbackOf(service);
    for (const redirect_uri of [
      'https://evil.example/',
      `${registered}/`,
      `${registered}?next=https://evil.example`,
      `${registered}#fragment`,
      registered.toUpperCase(),
      registered.replace('/callback/', '/../widget/callback/'),
      registered.replace('http://127.0.0.1', 'http://localhost'),
    ]) {
      await expectRejection(await authorize(service, publicRequest(service, { redirect_uri })));
    }
  });

  it('comes from a public client without a challenge', {
    tags: ['authorize.challenge-required-public'],
  }, async ({ service }) => {
    for (const code_challenge of [undefined, '']) {
      const response = await authorize(service, publicRequest(service, { code_challenge }));
      expect(await expectRejection(response)).toContain('code_challenge');
    }
  });

  it('gets the error about the missing challenge before the one about the redirect URI', {
    tags: ['authorize.challenge-checked-before-redirect-uri'],
  }, async ({ service }) => {
    const query = publicRequest(service, {
      code_challenge: undefined,
      redirect_uri: 'https://evil.example/',
    });
    expect(await expectRejection(await authorize(service, query))).toContain('code_challenge');
  });

  it('has another challenge method than S256, with or without a challenge', {
    tags: ['authorize.method-s256-only'],
  }, async ({ service }) => {
    for (const code_challenge_method of ['plain', 's256', 'S512']) {
      await expectRejection(await authorize(service, publicRequest(service, { code_challenge_method })));
      await expectRejection(await authorize(service, confidentialRequest({ code_challenge_method })));
    }
  });

  it('has no scope', { tags: ['authorize.scope-required'] }, async ({ service }) => {
    for (const scope of [undefined, '', ' ', ', ,']) {
      expect(await expectRejection(await authorize(service, publicRequest(service, { scope })))).toContain(
        'scope',
      );
    }
  });

  it('repeats a parameter', async ({ service }) => {
    const query = new URLSearchParams(publicRequest(service));
    for (const name of [...query.keys()]) {
      const twice = new URLSearchParams(query);
      twice.append(name, query.get(name) ?? '');
      expect(await expectRejection(await authorize(service, `${twice}`))).toContain(name);
    }
  });
});

describe('order of the checks', () => {
  it('matches the table: fixing one error at a time reveals the next', async ({ service }) => {
    const errors = {
      client_id: 'unknown',
      code_challenge: undefined,
      redirect_uri: 'https://evil.example/',
      state: 's'.repeat(1025),
      code_challenge_method: 'plain',
      scope: '',
    };
    const mended: Record<string, string | undefined>[] = [
      {},
      { client_id: publicRequest(service).client_id },
      { code_challenge: 'too-short' },
      { redirect_uri: callbackOf(service) },
      { state: 'fine' },
      { code_challenge: CODE_CHALLENGE },
      { code_challenge_method: 'S256' },
    ];
    const named: string[] = [];
    let query: Record<string, string | undefined> = errors;
    for (const mend of mended) {
      query = { ...query, ...mend };
      named.push(
        (await expectRejection(await authorize(service, publicRequest(service, query)))).split(' ')[0] ?? '',
      );
    }
    expect(named).toEqual([
      'client_id',
      'code_challenge',
      'redirect_uri',
      'state',
      'code_challenge',
      'code_challenge_method',
      'scope',
    ]);
    const last = await authorize(service, publicRequest(service, { ...query, scope: 'admin' }));
    expect(redirectQuery(last).error).toBe('invalid_scope');
  });

  it('reports a repeated parameter after the redirect URI and before the state', async ({ service }) => {
    const refusedFor = async (errors: Record<string, string>) => {
      const query = new URLSearchParams(publicRequest(service, errors));
      query.append('scope', 'products.read');
      return (await expectRejection(await authorize(service, `${query}`))).split(' ')[0];
    };
    expect(await refusedFor({ redirect_uri: 'https://evil.example/' })).toBe('redirect_uri');
    expect(await refusedFor({ state: 's'.repeat(1025) })).toBe('scope');
  });
});

describe('unavailable scope', () => {
  it('is reported to the client by redirect, before any sign-in, with error and state only', {
    tags: [
      'authorize.unknown-scope',
      'authorize.error-redirect-parameters',
      'oauth-error.invalid-scope-redirect-only',
    ],
  }, async ({ service }) => {
    for (const scope of ['admin', 'memberships.read admin', 'MEMBERSHIPS.READ', 'openid']) {
      const response = await service.browser().get(authorizePath(publicRequest(service, { scope })));
      expect(response.status).toBe(302);
      expect(locationOf(response)).toMatch(new RegExp(`^${callbackOf(service)}\\?`));
      expect(redirectQuery(response)).toEqual({ error: 'invalid_scope', state: 'state-of-the-client' });
    }
  });

  it('may be known but not registered for the client', { tags: ['credentials.registered-scopes'] }, async ({
    service,
  }) => {
    const { operator } = service.server;
    await operator.change('clients', publicRequest(service).client_id ?? '', {
      scopes: ['memberships.read'],
    });
    const query = publicRequest(service, { scope: 'products.read', state: undefined });
    const response = await service.browser().get(authorizePath(query));
    expect(redirectQuery(response)).toEqual({ error: 'invalid_scope' });
  });
});

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readAuthorizationResponse } from '../src/index.js';

const read = (query: string, expectedState = 'expected') =>
  readAuthorizationResponse(new URLSearchParams(query), { expectedState });
const failure = (code: string, more: object = {}) => expect.objectContaining({ code, ...more });

describe('readAuthorizationResponse', () => {
  it('returns the code of a response with the expected state', {
    tags: ['authorize.success-redirect'],
  }, () => {
    expect(read('code=the-code&state=expected')).toBe('the-code');
  });

  it('reads the query of a URL and not its fragment', () => {
    const url = new URL('https://shop.example/auth/callback?code=the-code&state=expected');
    expect(readAuthorizationResponse(url, { expectedState: 'expected' })).toBe('the-code');
    const fragment = new URL('https://shop.example/auth/callback#code=the-code&state=expected');
    expect(() => readAuthorizationResponse(fragment, { expectedState: 'expected' })).toThrow(
      failure('state_mismatch'),
    );
  });

  it.each([
    ['another state', 'code=the-code&state=other'],
    ['no state', 'code=the-code'],
    ['an empty state', 'code=the-code&state='],
    ['the state twice', 'code=the-code&state=expected&state=expected'],
    ['another state with an error', 'error=access_denied&state=other'],
  ])(
    'rejects a response with %s, whatever its other parameters',
    { tags: ['authorize.state-verified'] },
    (_name, query) => {
      expect(() => read(query)).toThrow(failure('state_mismatch'));
    },
  );

  it('rejects every response when no state was kept, an empty state included', {
    tags: ['authorize.state-verified'],
  }, () => {
    expect(() => read('code=the-code&state=', '')).toThrow(failure('state_mismatch'));
    expect(() => read('code=the-code', '')).toThrow(failure('state_mismatch'));
    const withoutState = { expectedState: undefined as unknown as string };
    for (const query of ['code=the-code', 'code=the-code&state=', 'code=the-code&state=other']) {
      expect(() => readAuthorizationResponse(new URLSearchParams(query), withoutState)).toThrow(
        failure('state_mismatch'),
      );
    }
  });

  it('names common causes of a wrong state', () => {
    expect(() => read('code=the-code&state=other')).toThrow(/cookie/);
  });

  it('rejects with `access_denied` when the user declined', {
    tags: ['authorize.declined', 'authorize.error-redirect-parameters'],
  }, () => {
    expect(() => read('error=access_denied&state=expected')).toThrow(
      failure('access_denied', { error: 'access_denied' }),
    );
  });

  it('rejects with `invalid_scope` when a scope was rejected', { tags: ['authorize.unknown-scope'] }, () => {
    expect(() => read('error=invalid_scope&state=expected')).toThrow(
      failure('invalid_scope', { error: 'invalid_scope' }),
    );
  });

  it('rejects an unknown error with `authorization_failed`, also beside a code', () => {
    expect(() => read('error=server_error&code=the-code&state=expected')).toThrow(
      failure('authorization_failed', { error: 'server_error' }),
    );
  });

  it('reads the first of two errors', () => {
    expect(() => read('error=access_denied&error=server_error&state=expected')).toThrow(
      failure('access_denied', { error: 'access_denied' }),
    );
  });

  it.each([
    ['no code', 'state=expected'],
    ['an empty code', 'code=&state=expected'],
    ['two codes', 'code=one&code=two&state=expected'],
  ])('rejects a response with %s', (_name, query) => {
    expect(() => read(query)).toThrow(failure('authorization_failed'));
  });

  it.each(['iss=https://elsewhere.example', 'id_token=a.b.c', 'token=t', 'response=a.b.c', 'iss=a&iss=b'])(
    'ignores the unknown parameter %s',
    { tags: ['versioning.ignore-unknown-fields'] },
    (parameter) => {
      expect(read(`code=the-code&state=expected&${parameter}`)).toBe('the-code');
    },
  );

  it('keeps the code and the state out of every error', () => {
    for (const query of [
      'code=the-code&state=other-state',
      'code=the-code&state=expected&state=expected',
      'code=the-code&code=the-code&state=expected',
      'error=server_error&code=the-code&state=expected',
    ]) {
      let thrown: unknown;
      try {
        read(query);
      } catch (error) {
        thrown = error;
      }
      expect(inspect(thrown, { depth: 10, showHidden: true })).not.toMatch(/the-code|other-state/);
      expect(thrown).toMatchObject({ name: 'OAuthClientError' });
    }
  });
});

import { describe, expect, it } from 'vitest';
import { readAuthorizationResponse } from '../src/index.js';

const read = (query: string, expectedState = 'expected') =>
  readAuthorizationResponse(new URLSearchParams(query), { expectedState });
const failure = (code: string, more: object = {}) => expect.objectContaining({ code, ...more });

describe('readAuthorizationResponse', () => {
  it('gives the code of an answer with the expected state [authorize.success-redirect]', () => {
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
  ])('refuses an answer with %s, whatever else it says [authorize.state-verified]', (_what, query) => {
    expect(() => read(query)).toThrow(failure('state_mismatch'));
  });

  it('refuses every answer when no state was kept, an empty one included [authorize.state-verified]', () => {
    expect(() => read('code=the-code&state=', '')).toThrow(failure('state_mismatch'));
    expect(() => read('code=the-code', '')).toThrow(failure('state_mismatch'));
  });

  it('tells what usually lies behind a wrong state, and never the code', () => {
    expect(() => read('code=the-code&state=other')).toThrow(/cookie/);
    expect(() => read('code=the-code&state=other')).not.toThrow(/the-code/);
  });

  it('tells that the user declined [authorize.declined] [authorize.error-redirect-parameters]', () => {
    expect(() => read('error=access_denied&state=expected')).toThrow(
      failure('access_denied', { error: 'access_denied' }),
    );
  });

  it('tells that a scope was refused [authorize.unknown-scope]', () => {
    expect(() => read('error=invalid_scope&state=expected')).toThrow(
      failure('invalid_scope', { error: 'invalid_scope' }),
    );
  });

  it('takes an error it does not know as a failed sign-in, also beside a code', () => {
    expect(() => read('error=server_error&code=the-code&state=expected')).toThrow(
      failure('authorization_failed', { error: 'server_error' }),
    );
  });

  it.each([
    ['no code', 'state=expected'],
    ['an empty code', 'code=&state=expected'],
    ['two codes', 'code=one&code=two&state=expected'],
  ])('refuses an answer with %s', (_what, query) => {
    expect(() => read(query)).toThrow(failure('authorization_failed'));
  });
});

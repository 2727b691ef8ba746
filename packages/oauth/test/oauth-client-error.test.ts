import { describe, expect, it, vi } from 'vitest';
import { isOAuthClientError, OAuthClientError } from '../src/index.js';

describe('OAuthClientError', () => {
  it('has a code, a message and the given details, and no other properties', () => {
    const cause = new Error('why');
    const error = new OAuthClientError('invalid_grant', 'The code was used before.', { status: 400, cause });
    expect(error).toMatchObject({
      name: 'OAuthClientError',
      code: 'invalid_grant',
      message: 'The code was used before.',
      status: 400,
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect(Object.keys(error)).not.toContain('error');
    expect(Object.keys(error)).not.toContain('errorDescription');
    expect('cause' in new OAuthClientError('network', 'No.')).toBe(false);
  });
});

describe('isOAuthClientError', () => {
  it('accepts an error that another copy of this package threw', async () => {
    vi.resetModules();
    const copy = await import('../src/oauth-client-error.js');
    const theirs = new copy.OAuthClientError('timeout', 'Too late.');
    expect(theirs).not.toBeInstanceOf(OAuthClientError);
    expect(isOAuthClientError(theirs)).toBe(true);
  });

  it.each([
    undefined,
    null,
    'timeout',
    {},
    new Error('no'),
    new TypeError('no'),
    { name: 'OAuthClientError', code: 'x' },
  ])('returns false for %o', (value) => {
    expect(isOAuthClientError(value)).toBe(false);
  });
});

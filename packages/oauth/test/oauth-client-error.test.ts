import { describe, expect, it, vi } from 'vitest';
import { isOAuthClientError, OAuthClientError } from '../src/index.js';

describe('OAuthClientError', () => {
  it('carries code, message and what the service said, and nothing that is unknown', () => {
    const cause = new Error('why');
    const error = new OAuthClientError('invalid_grant', 'It is spent.', { status: 400, cause });
    expect(error).toMatchObject({
      name: 'OAuthClientError',
      code: 'invalid_grant',
      message: 'It is spent.',
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
  it('knows an error of another copy of this package', async () => {
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
  ])('does not take %o for one', (value) => {
    expect(isOAuthClientError(value)).toBe(false);
  });
});

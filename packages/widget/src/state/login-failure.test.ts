import { OAuthClientError, type OAuthClientErrorCode } from '@latchkey/oauth';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setScriptOrigin } from '../browser/addresses.js';
import {
  failureOf,
  isForOwner,
  isOwnChoice,
  LoginError,
  type LoginFailureCode,
  logForOwner,
} from './login-failure.js';
import './protocol-failure.js';

/** Every failure, with the person who can change something about it. */
const CODES: Record<LoginFailureCode, 'owner' | 'visitor' | 'anyone' | 'anyone, and the owner sees it'> = {
  popup_blocked: 'anyone',
  popup_closed: 'visitor',
  opener_severed: 'owner',
  origin_refused: 'owner',
  state_mismatch: 'anyone',
  access_denied: 'visitor',
  code_expired: 'anyone',
  network: 'anyone',
  script_missing: 'anyone, and the owner sees it',
  service_error: 'anyone',
  cookies_blocked: 'anyone, and the owner sees it',
  insecure_context: 'owner',
  misconfigured: 'owner',
};
const failure = (code: LoginFailureCode) => ({ code, during: 'sign-in' as const, message: 'The reason.' });

describe('the failure of an error', () => {
  it.each<[OAuthClientErrorCode, LoginFailureCode]>([
    ['access_denied', 'access_denied'],
    ['state_mismatch', 'state_mismatch'],
    ['invalid_grant', 'code_expired'],
    ['network', 'network'],
    ['timeout', 'network'],
    ['insecure_context', 'insecure_context'],
    ['invalid_configuration', 'misconfigured'],
    ['invalid_client', 'misconfigured'],
    ['invalid_request', 'misconfigured'],
    ['invalid_scope', 'misconfigured'],
    ['insufficient_scope', 'misconfigured'],
    ['invalid_token', 'service_error'],
    ['unreadable_response', 'service_error'],
  ])('of OAuth with the code %s is %s', (code, expected) => {
    const error = new OAuthClientError(code, 'The reason.');
    expect(failureOf(error, 'check')).toStrictEqual({
      code: expected,
      during: 'check',
      message: String(error),
    });
  });

  it('of the widget has its code and its message', () => {
    const error = new LoginError('popup_blocked', 'The reason.');
    expect(failureOf(error, 'sign-in')).toStrictEqual(failure('popup_blocked'));
  });

  it('of the widget is found as the cause of another error', () => {
    const cause = new LoginError('misconfigured', 'The reason.');
    const error = new OAuthClientError('network', 'No response.', { cause });
    expect(failureOf(error, 'sign-in')).toStrictEqual(failure('misconfigured'));
  });

  it('with another cause is its own', () => {
    const error = new OAuthClientError('network', 'No response.', { cause: new TypeError('fetch failed') });
    expect(failureOf(error, 'sign-out')).toMatchObject({ code: 'network', during: 'sign-out' });
  });

  it('of a client that is not public names the setting, never the text that asks for the secret', () => {
    const error = new OAuthClientError('invalid_client', 'Send client_secret.', { error: 'invalid_client' });
    const { code, message } = failureOf(error, 'sign-in');
    expect(code).toBe('misconfigured');
    expect(message).toBe('The client is not public. Set backend, or use a public client.');
  });

  it('keeps the text of another error of the service', () => {
    const error = new OAuthClientError('invalid_scope', 'Unknown scope.', { error: 'invalid_scope' });
    expect(failureOf(error, 'sign-in').message).toContain('Unknown scope.');
  });

  it.each([
    ['AbortSignal', { any: undefined }],
    ['URL', { canParse: undefined }],
  ])('in a browser with an old %s is the age of the browser, unless the widget knows better', (name, old) => {
    vi.stubGlobal(name, old);
    const found = failureOf(new TypeError('any is not a function'), 'check');
    expect(found).toMatchObject({ code: 'script_missing', message: expect.stringContaining('Old browser') });
    expect(failureOf(new LoginError('popup_blocked', 'The reason.'), 'sign-in').code).toBe('popup_blocked');
    vi.unstubAllGlobals();
  });

  it.each([[new TypeError('a bug')], ['a text'], [undefined], [null], [{ code: 'network' }]])(
    'that is not of OAuth is a service error: %s',
    (error) => {
      expect(failureOf(error, 'check')).toStrictEqual({
        code: 'service_error',
        during: 'check',
        message: String(error),
      });
    },
  );
});

describe('a failure', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it.each(Object.entries(CODES) as [LoginFailureCode, string][])('%s concerns: %s', (code, who) => {
    expect(isForOwner(failure(code))).toBe(who === 'owner');
    expect(isOwnChoice(failure(code))).toBe(who === 'visitor');
  });

  it.each(Object.entries(CODES) as [LoginFailureCode, string][])(
    '%s is logged only if it concerns the owner: %s',
    (code, who) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {});
      logForOwner(failure(code));
      const line = `Latchkey: The reason. latchkey explain ${code}`;
      expect(log.mock.calls).toStrictEqual(who.includes('owner') ? [[line]] : []);
    },
  );

  it('is explained by the sandbox that serves the script to another site', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const site = 'http://localhost:3000';
    vi.stubGlobal('location', { origin: site });
    const lines = ['http://127.0.0.1:4400', 'https://members.example', site].map((origin) => {
      setScriptOrigin(origin);
      logForOwner(failure('misconfigured'));
      return log.mock.lastCall?.[0];
    });
    expect(lines).toEqual([
      'Latchkey: The reason. http://127.0.0.1:4400/docs/troubleshooting#misconfigured',
      'Latchkey: The reason. latchkey explain misconfigured',
      'Latchkey: The reason. latchkey explain misconfigured',
    ]);
    setScriptOrigin('');
  });
});

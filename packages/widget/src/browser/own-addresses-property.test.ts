import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import { SITE, stubPage } from '../../test/support/stub-page.js';
import { kitAddress, SettingError, sitePath } from '../checkout/kit-requests.js';
import { ownRedirectUri } from '../sign-in/request.js';
import { backendUrl } from '../state/kit-address.js';
import type { LoginError } from '../state/login-failure.js';

beforeEach(() => stubPage());
afterEach(() => void vi.unstubAllGlobals());

/** Parts from which addresses are made that parsers read differently. */
const PARTS = ['/', '//', '\\', '.', '..', '@', ':', '?', '#', ' ', '\t', '\n', '%2f', 'a', 'auth', '8443'];
const HOSTS = [SITE, 'https:', 'http:', 'javascript:', 'site.example', 'other.example', '[::1]'];
const address = fc
  .array(fc.oneof(fc.constantFrom(...PARTS, ...HOSTS), fc.string({ maxLength: 3 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

/** The origin to which the browser sends a request for the address. */
const originOf = (text: string) => new URL(text, document.baseURI).origin;

/** Checks that each address is either one of this site or an error that names the setting. */
function staysOnSite(read: (text: string) => string, isSettingError: (error: unknown) => boolean) {
  let accepted = 0;
  fc.assert(
    fc.property(address, (text) => {
      let result: string;
      try {
        result = read(text);
      } catch (error) {
        expect(isSettingError(error)).toBe(true);
        return;
      }
      accepted += 1;
      expect(originOf(result)).toBe(SITE);
    }),
    fuzzRuns(2000),
  );
  expect(accepted).toBeGreaterThan(0);
}

const isInvalid = (error: unknown) => (error as { code?: string }).code === 'invalid_configuration';

describe('any text', () => {
  it('as the backend of a session is of this site, or a wrong setting', () => {
    staysOnSite(
      (text) => backendUrl(text, 'session'),
      (error) => (error as LoginError).code === 'misconfigured',
    );
  });

  it('as the backend of a checkout is of this site, or a wrong setting', () => {
    staysOnSite(
      (text) => kitAddress(text, 'plans'),
      (error) => error instanceof SettingError,
    );
  });

  it('as a redirect URI is of this site and has no fragment, or is a wrong setting', () => {
    staysOnSite((text) => {
      const uri = ownRedirectUri('return-url', text);
      expect(uri).not.toContain('#');
      return uri;
    }, isInvalid);
  });

  it('as the next page is a path of this site, or is ignored', () => {
    staysOnSite((text) => {
      const path = sitePath(text) ?? '/';
      expect(path).toMatch(/^\/(?!\/)/);
      return path;
    }, isInvalid);
  });
});

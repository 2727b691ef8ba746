import { LoginError } from '../state/login-failure.js';

/**
 * Wraps `fetch`, so that a request that the page's Content-Security-Policy forbids fails with the setting to change.
 * @param send replaces the browser's `fetch`.
 */
export function policyFetch(send: typeof fetch | undefined): typeof fetch {
  return async (input, init) => {
    const { origin } = new URL(`${input}`, document.baseURI);
    let isForbidden = false;
    const handle = ({ blockedURI, disposition }: SecurityPolicyViolationEvent) => {
      isForbidden ||= disposition === 'enforce' && blockedURI.startsWith(origin);
    };
    document.addEventListener('securitypolicyviolation', handle);
    try {
      return await (send ?? fetch)(input, init);
    } catch (error) {
      // The event follows in a later task.
      await new Promise((resolve) => setTimeout(resolve));
      throw isForbidden
        ? new LoginError('misconfigured', `Content-Security-Policy: add ${origin} to connect-src.`)
        : error;
    } finally {
      document.removeEventListener('securitypolicyviolation', handle);
    }
  };
}

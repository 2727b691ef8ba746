import { LoginError } from '../state/login-failure.js';

/**
 * Wraps `fetch`, so that a request that the page's Content-Security-Policy forbids fails with the setting to change.
 * @param send replaces the browser's `fetch`.
 * @param signal ends the wrapper's work.
 */
export function policyFetch(send: typeof fetch | undefined, signal: AbortSignal): typeof fetch {
  // A page's policy never changes, so a request that it forbade once stays forbidden.
  // Each entry ends with a slash, so that an origin is not the beginning of another one.
  const forbidden = new Set<string>();
  const handle = ({ blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (disposition === 'enforce' && effectiveDirective === 'connect-src') forbidden.add(`${blockedURI}/`);
  };
  document.addEventListener('securitypolicyviolation', handle, { signal });
  return async (input, init) => {
    try {
      return await (send ?? fetch)(input, init);
    } catch (error) {
      const { origin } = new URL(`${input}`, document.baseURI);
      // The event follows in a later task.
      await new Promise((resolve) => setTimeout(resolve));
      if (![...forbidden].some((uri) => uri.startsWith(`${origin}/`))) throw error;
      throw new LoginError('misconfigured', `Content-Security-Policy: add ${origin} to connect-src.`);
    }
  };
}

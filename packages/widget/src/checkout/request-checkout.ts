import type { CheckoutErrorCode, CheckoutFailure } from '../state/checkout-state.js';
import { kitAddress, sitePath, webAddress } from './kit-address.js';
import { type KitResponse, requestKit } from './kit-request.js';

export type CheckoutResult =
  | { kind: 'created'; checkoutUrl: string }
  /** `signInUrl`: page of this site that asks for a missing permission. */
  | { kind: 'sign-in-required'; signInUrl?: string | undefined }
  /** The kit's page asks for the e-mail address. */
  | { kind: 'email-required' }
  | { kind: 'failed'; failure: CheckoutFailure };

/** Errors of the kit that the visitor sees as they are. */
const CODES: readonly unknown[] = [
  'plan_unknown',
  'already_member',
  'already_paid',
  'checkout_refused',
  'service_unavailable',
] satisfies CheckoutErrorCode[];

/**
 * Asks the kit for the checkout of a plan, as the signed-in user.
 * @throws SettingError if the backend is not of this site.
 */
export async function requestCheckout(
  backend: string | undefined,
  { planId, returnTo }: { planId: string; returnTo: string },
): Promise<CheckoutResult> {
  const url = kitAddress(backend, 'checkout');
  return readResult(url, await requestKit(url, { plan: planId, returnTo }));
}

function readResult(url: string, { status, body }: KitResponse): CheckoutResult {
  const { checkoutUrl, error, message = '', continueUrl } = body;
  const address = webAddress(checkoutUrl);
  if (status === 200 && address) return { kind: 'created', checkoutUrl: address };
  if (error === 'sign_in_required') return { kind: 'sign-in-required' };
  if (error === 'insufficient_scope')
    return { kind: 'sign-in-required', signInUrl: sitePath(body.signInUrl) };
  if (error === 'email_required') return { kind: 'email-required' };
  const code = status === 0 ? 'network' : CODES.includes(error) ? error : codeOf(status);
  return {
    kind: 'failed',
    failure: {
      code: code as CheckoutErrorCode,
      during: 'checkout',
      message: `POST ${url} returned ${status || 'no response'}. ${message}`,
      continueUrl: sitePath(continueUrl),
    },
  };
}

/** A 2xx without an http address, and a 5xx, are errors of the service. Any other response is not the kit's. */
function codeOf(status: number): CheckoutErrorCode {
  return status < 300 || status >= 500 ? 'service_unavailable' : 'misconfigured';
}

import type { LoggedRequest } from '@latchkey/sandbox';

/** Facts of a logged call that choose its sentence. */
type Call = Pick<LoggedRequest, 'endpoint' | 'status' | 'location' | 'requestBody' | 'responseBody'>;

/** Sentences for calls that succeeded, by endpoint. */
const SUCCEEDED: Readonly<Record<string, (call: Call) => string>> = {
  authorize: ({ location }) => {
    if (location?.includes('error=')) return 'The visitor declined, so the service sent no code.';
    return location?.includes('code=')
      ? 'The service sent the browser back with a one-time code.'
      : 'The browser asked to sign in, and the service showed its own pages first.';
  },
  token: ({ requestBody }) =>
    requestBody?.text.includes('refresh_token')
      ? 'The session got new tokens in place of the old ones.'
      : 'The one-time code was redeemed for tokens.',
  userinfo: () => 'The shop asked who signed in.',
  memberships: () => 'The shop asked which memberships run now. Its gates decide by this list.',
  products: () => 'The shop asked which products this user sells.',
  revoke: () => 'The visitor signed out, so the shop revoked the tokens.',
  clientIdentity: () => 'The callback page checked that this shop may receive the code.',
  buyPlan: () => 'The shop opened a hosted checkout with its API key. The buyer pays at the service.',
  inviteLink: () => 'The shop got a chat invite for this buyer, valid for 24 hours.',
  checkMessenger: () => 'The shop asked whether a messenger account has a membership.',
  provisionExternal: () => 'The shop granted a membership for an order of its own.',
  dropSignup: ({ responseBody }) =>
    responseBody?.text.includes('"signedUp":false')
      ? 'The address has an account at the service, so no signup was needed.'
      : 'The address is signed up for the drop, and one slot is taken.',
};

/** Sentences for expected failures, by endpoint and status. */
const FAILED: Readonly<Record<string, string>> = {
  'inviteLink 404': 'No payment of this buyer was completed yet, so there is no chat invite.',
  'inviteLink 401': 'This buyer has paid before, but has no running membership now.',
  'dropSignup 404': 'The community has no running or upcoming drop.',
  'dropSignup 409': 'The address is already signed up, or no slot is left.',
  'token 400': 'The code or refresh token is no longer valid, so the visitor signs in again.',
  'memberships 401': 'The access token is no longer valid.',
  'userinfo 401': 'The access token is no longer valid.',
};

/** Explains a call to the service in one sentence. */
export function sentenceOfCall(call: Call): string {
  const { endpoint, status } = call;
  if (status === null) return 'The connection ended before the service had answered.';
  if (status < 400) return SUCCEEDED[endpoint ?? '']?.(call) ?? 'The service answered.';
  const expected = FAILED[`${endpoint} ${status}`];
  if (expected !== undefined) return expected;
  return status < 500
    ? 'The service rejected this call. The entry names the reason.'
    : 'The service failed. The shop keeps its gates closed and tries again.';
}

const EVENTS: Readonly<Record<string, string>> = {
  'membership.created': 'A membership began. The shop checked the signature and recorded the membership.',
  'membership.updated': 'A membership changed: it was renewed, cancelled or ended.',
  'payment.success': 'A payment is confirmed. Only this event proves it, not the buyer’s return.',
  'payment.failed': 'A payment failed, and no gate opens.',
  'digital.product.purchase': 'A product of this shop was bought.',
};

/** Explains the delivery of a webhook event in one sentence. */
export function sentenceOfDelivery(type: string, failure: string | null): string {
  if (failure !== null) return `The delivery failed, and the service will send it again. ${failure}`;
  return EVENTS[type] ?? 'The service reported an event that this shop does not use.';
}

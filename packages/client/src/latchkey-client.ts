import { callEndpoint } from './call/call.js';
import type { CallOptions } from './call/call-options.js';
import { buyPlanCall, type CheckoutRequest, type CheckoutSession } from './endpoints/buy-plan.js';
import {
  checkMessengerCall,
  type MessengerCheck,
  type MessengerCheckRequest,
} from './endpoints/check-messenger.js';
import { type DropSignup, type DropSignupRequest, dropSignupCall } from './endpoints/drop-signup.js';
import { type InviteLink, type InviteLinkRequest, inviteLinkCall } from './endpoints/invite-link.js';
import {
  type ProvisionedMembership,
  type ProvisionRequest,
  provisionExternalCall,
} from './endpoints/provision-external.js';
import { type ClientOptions, readOptions, type Settings } from './options/options.js';

/**
 * Calls the five endpoints that take an API key (spec, "API-key endpoints"). Make one and keep it; it holds no connection
 * and no state. There is one live environment: every call acts on it.
 *
 * Every call rejects with a {@link LatchkeyApiError} and nothing else. It is sent again after a 5xx, a broken connection
 * or a timeout, with growing pauses and at most `maxRetries` times; never after a 4xx (spec, "Retry rules"). All
 * attempts are the same request, byte for byte.
 */
export class LatchkeyClient {
  readonly #settings: Settings;

  /** @throws ClientOptionsError for options that cannot work, and in a browser. */
  constructor(options: ClientOptions) {
    this.#settings = readOptions(options);
  }

  /**
   * Grants or adjusts a membership for a sale made elsewhere (`POST /membership/provision-external`). Needs
   * `MEMBERSHIP_WRITE`, `MEMBERSHIP_PROVISION`, and the key's owner to be OWNER or ADMIN of the community.
   *
   * **Repeating.** The order id makes it safe: an order that the service has done already gives `idempotent_return`, also
   * to the automatic repetition of a call whose first answer was lost. Take it for the success it is. The service
   * remembers only the latest order of a buyer in a community, so send one buyer's orders one after another, and never
   * an older one after a newer: that would provision again. Whoever was not answered (`error.outcomeUnknown`) sends the
   * same order again, with the same id and the same buyer.
   *
   * @throws LatchkeyApiError `rejected` 400, 401, 403; `failed` 404 for an unknown community, 409 for `onOverlap: 'error'`
   * on an active membership (`already_exists`) and for one that a subscription manages (`conflict`).
   */
  async provisionExternal(request: ProvisionRequest, options?: CallOptions): Promise<ProvisionedMembership> {
    const call = () => provisionExternalCall(request, this.#settings.clock.now());
    return await callEndpoint(this.#settings, { endpoint: 'provisionExternal', request, call }, options);
  }

  /**
   * Tells whether a messenger account holds an active membership at this moment
   * (`GET /membership/check-messenger/{communityId}/{messengerUserId}`). Needs `MEMBERSHIP_READ`, and the key's owner to
   * be OWNER or ADMIN of the community.
   *
   * **Repeating** changes nothing.
   *
   * @throws LatchkeyApiError `rejected` 400, 401, 403; `failed` 404 for an unknown community.
   */
  async checkMessenger(request: MessengerCheckRequest, options?: CallOptions): Promise<MessengerCheck> {
    const call = () => checkMessengerCall(request);
    return await callEndpoint(this.#settings, { endpoint: 'checkMessenger', request, call }, options);
  }

  /**
   * Opens a hosted checkout (`POST /api/checkout/buy-plan`) and gives the address to send the buyer to. Needs
   * `CHECKOUT_WRITE`, and the key's owner to be OWNER or ADMIN of the community.
   *
   * **Repeating** charges nobody: money moves only when the buyer pays on the page, and of a repeated call they get one
   * address alone. The reservation is kept by `externalId`, and the buyer's account by e-mail, so neither is there
   * twice. What to avoid is a second call for the same purchase on purpose, after the buyer may have paid on the page of
   * the first: that is another checkout, which can be paid as well.
   *
   * @throws LatchkeyApiError `failed_in_success` when there is no checkout: the plan is unknown, or the e-mail missing;
   * `rejected` 400, 401, 403; `failed` 404 for an unknown community.
   */
  async buyPlan(request: CheckoutRequest, options?: CallOptions): Promise<CheckoutSession> {
    return await callEndpoint(
      this.#settings,
      { endpoint: 'buyPlan', request, call: () => buyPlanCall(request) },
      options,
    );
  }

  /**
   * Signs an address up for the community's next drop (`POST /api/drop-notification/signup`). Needs
   * `DROP_NOTIFICATION_WRITE`, and the key's owner to be OWNER or ADMIN of the community.
   *
   * **Repeating** signs nobody up twice: the service answers a second signup for the same drop with 409
   * `already_exists`. That is also what comes back when the first answer was lost and the repetition found the signup
   * done; `error.outcomeUnknown` is then true, and the address is on the list either way. Should one drop end between
   * two attempts, the second is for the next.
   *
   * @returns also when nobody was signed up, because the address has an account: look at `signedUp`.
   * @throws LatchkeyApiError `failed` 409: on the list already (`already_exists`), or no place left (`conflict`); 404: no
   * drop is planned, or the community unknown; `rejected` 400, 401, 403.
   */
  async dropSignup(request: DropSignupRequest, options?: CallOptions): Promise<DropSignup> {
    const call = () => dropSignupCall(request);
    return await callEndpoint(this.#settings, { endpoint: 'dropSignup', request, call }, options);
  }

  /**
   * Mints an invite link for the buyer of a checkout that is paid
   * (`GET /membership/join-messenger-community-external/{externalId}`). Needs `MEMBERSHIP_WRITE`.
   *
   * **Repeating** mints another link, good for the same buyer alone; those before it stay good for their 24 hours.
   *
   * @throws LatchkeyApiError `failed` 404: not paid yet (ask again after `payment.success`), or an unknown `externalId`;
   * `failed` 401 with `errorCode` `unauthorized`: the buyer is not a member any more (a refused key is `rejected` 401);
   * `failed_in_success`: the community has no messenger bot; `rejected` 400, 401, 403.
   */
  async inviteLink(request: InviteLinkRequest, options?: CallOptions): Promise<InviteLink> {
    const call = () => inviteLinkCall(request);
    return await callEndpoint(this.#settings, { endpoint: 'inviteLink', request, call }, options);
  }

  /** What JSON and logs show of a client: where it calls. */
  toJSON(): { serviceUrl: string } {
    return { serviceUrl: this.#settings.serviceUrl };
  }

  /** What `console.log` and `util.inspect` show in Node. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `LatchkeyClient { serviceUrl: '${this.#settings.serviceUrl}' }`;
  }
}

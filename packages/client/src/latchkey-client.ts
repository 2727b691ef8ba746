import { callEndpoint } from './call/call.js';
import type { CallOptions } from './call/call-options.js';
import {
  buyPlanCall,
  type CheckoutRequest,
  type CheckoutSession,
  checkMessengerCall,
  type DropSignup,
  type DropSignupRequest,
  dropSignupCall,
  type InviteLink,
  type InviteLinkRequest,
  inviteLinkCall,
  type MessengerCheck,
  type MessengerCheckRequest,
  type ProvisionedMembership,
  type ProvisionRequest,
  provisionExternalCall,
} from './endpoints.js';
import { type ClientOptions, readOptions, type Settings } from './options/options.js';

/**
 * Calls the five endpoints that require an API key (spec, "API-key endpoints"). One instance is enough: it holds no
 * connection and no state. The service has no test environment, so every call acts on live data.
 *
 * Every failed call rejects with a {@link LatchkeyApiError}. After a 5xx, a network error or a timeout, the client retries
 * the identical request with exponential backoff, at most `maxRetries` times. It never retries a 4xx (spec, "Retry rules").
 */
export class LatchkeyClient {
  readonly #settings: Settings;

  /** @throws ClientOptionsError for invalid options, and in a browser. */
  constructor(options: ClientOptions) {
    this.#settings = readOptions(options);
  }

  /**
   * Grants or changes a membership for an external sale (`POST /membership/provision-external`). Requires
   * `MEMBERSHIP_WRITE` and `MEMBERSHIP_PROVISION`. The key's owner must be OWNER or ADMIN of the community.
   *
   * **Retries** are safe because of the order id. A repeated order returns `idempotent_return`, which is a success. The
   * service remembers only a buyer's latest order in a community. Send a buyer's orders one after another, and never an
   * older one after a newer one: it would be provisioned again. After an error with `outcomeUnknown`, repeat the order
   * with the same id and the same buyer.
   *
   * @throws LatchkeyApiError `rejected` 400, 401, 403; `failed` 404 for an unknown community, 409 if the membership is
   * active and `onOverlap` is `error` (`already_exists`), or if a subscription manages it (`conflict`).
   */
  async provisionExternal(request: ProvisionRequest, options?: CallOptions): Promise<ProvisionedMembership> {
    return await callEndpoint(this.#settings, provisionExternalCall, request, options);
  }

  /**
   * Checks whether a messenger account has an active membership right now
   * (`GET /membership/check-messenger/{communityId}/{messengerUserId}`). Requires `MEMBERSHIP_READ`. The key's owner
   * must be OWNER or ADMIN of the community.
   *
   * **Retries** are safe: the call changes nothing.
   *
   * @throws LatchkeyApiError `rejected` 400, 401, 403; `failed` 404 for an unknown community.
   */
  async checkMessenger(request: MessengerCheckRequest, options?: CallOptions): Promise<MessengerCheck> {
    return await callEndpoint(this.#settings, checkMessengerCall, request, options);
  }

  /**
   * Opens a hosted checkout (`POST /api/checkout/buy-plan`) and returns its URL. Requires `CHECKOUT_WRITE`. The key's owner
   * must be OWNER or ADMIN of the community.
   *
   * **Retries** are safe: the call charges no money, and the buyer receives one URL. `externalId` identifies the
   * reservation and the email the user, so neither is duplicated. Don't call it again for a purchase that the buyer may
   * have paid: the second checkout can be paid too.
   *
   * @throws LatchkeyApiError `failed_in_success` without a checkout: the plan is unknown, or the email is missing;
   * `rejected` 400, 401, 403; `failed` 404 for an unknown community.
   */
  async buyPlan(request: CheckoutRequest, options?: CallOptions): Promise<CheckoutSession> {
    return await callEndpoint(this.#settings, buyPlanCall, request, options);
  }

  /**
   * Signs up an email address for the community's next drop (`POST /api/drop-notification/signup`). Requires
   * `DROP_NOTIFICATION_WRITE`. The key's owner must be OWNER or ADMIN of the community.
   *
   * **Retries** are safe: a second signup for the same drop fails with 409 `already_exists`. A retry also fails this
   * way if the first attempt's response was lost; `error.outcomeUnknown` is then true, and the address is signed up. If
   * a drop ends between two attempts, the retry signs up for the next one.
   *
   * @returns a result even if the address already has an account; `signedUp` is then false.
   * @throws LatchkeyApiError `failed` 409: already signed up (`already_exists`), or no slot left (`conflict`); `failed` 404:
   * no drop is planned, or the community is unknown; `rejected` 400, 401, 403.
   */
  async dropSignup(request: DropSignupRequest, options?: CallOptions): Promise<DropSignup> {
    return await callEndpoint(this.#settings, dropSignupCall, request, options);
  }

  /**
   * Creates an invite link for the buyer of a paid checkout
   * (`GET /membership/join-messenger-community-external/{externalId}`). Requires `MEMBERSHIP_WRITE`.
   *
   * **Retries** are safe: each attempt creates another link for the same buyer. Earlier links stay valid for 24 hours.
   *
   * @throws LatchkeyApiError `failed` 404: not paid yet (retry after `payment.success`), or an unknown `externalId`;
   * `failed` 401 with `errorCode` `unauthorized`: the buyer is no longer a member (an invalid key is `rejected` 401);
   * `failed_in_success`: the community has no messenger bot; `rejected` 400, 401, 403.
   */
  async inviteLink(request: InviteLinkRequest, options?: CallOptions): Promise<InviteLink> {
    return await callEndpoint(this.#settings, inviteLinkCall, request, options);
  }

  /** Returns the JSON form of a client, without the API key. */
  toJSON(): { serviceUrl: string } {
    return { serviceUrl: this.#settings.serviceUrl };
  }

  /** Returns what `console.log` and `util.inspect` print in Node.js, without the API key. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `LatchkeyClient { serviceUrl: '${this.#settings.serviceUrl}' }`;
  }
}

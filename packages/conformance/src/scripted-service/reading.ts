import type { EndpointName, WebhookEventType } from '@latchkey/contract/constants';
import type { FakeClient, NewToken } from './grants.js';
import type { FakeRequest, RecordedRequest } from './request.js';
import type { AuthorizeCheck, TokenCheck } from './request-checks.js';
import type {
  FakeMembership,
  FakeProduct,
  FakeUser,
  MembershipRecord,
  NewId,
  Period,
  Reservation,
  World,
} from './world.js';

/** The choices for ids and tokens. */
export interface IdentityReading {
  /** Returns the `sub` of a user for one client. */
  subject(user: FakeUser, clientId: string): string;
  /** Returns the id of a user in provisioning results and events. */
  userId(user: FakeUser): string;
  newId: NewId;
  newToken: NewToken;
}

/**
 * The choices that the specification leaves to the service. The endpoints take every such choice from this table:
 * another permitted reading of the specification is another table.
 */
export interface Reading extends IdentityReading {
  // The OAuth endpoints.
  /** The checks of an authorization request, in order. The first error is the response. */
  authorizeChecks: readonly AuthorizeCheck[];
  /** The checks of a token request, in order. The first error is the response. */
  tokenChecks: readonly TokenCheck[];
  /** Returns the parameters of the redirect after an authorization request, in order. */
  authorizeResult(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Returns a token pair as it appears in a response, given the fields of the specification. */
  tokenPair(fields: {
    access_token: string;
    refresh_token: string;
    token_type: 'Bearer';
    expires_in: number;
    scope: string;
  }): object;
  /** True if a client's list contains a membership. The record is undefined if a test has put it into the list. */
  lists(
    record: MembershipRecord | undefined,
    context: { client: FakeClient | undefined; world: World; now: number },
  ): boolean;
  /** Returns a membership as it appears in a response. */
  membership(membership: FakeMembership, record: MembershipRecord | undefined): FakeMembership;
  /** Returns a product as it appears in a response. */
  product(product: FakeProduct): object;
  /** Returns the public identity of a client, before `widgetOriginAllowed`. */
  client(client: FakeClient): object;
  /** True if using a refresh token again revokes the pair that replaced it. */
  revokesSuccessors: boolean;

  // The API-key endpoints and the checkout.
  /** Fixed successes, for a service without communities. */
  apiKeyData: Readonly<Record<ApiKeyEndpointName, ApiKeyData>>;
  /** Status for a community that does not exist. */
  unknownCommunityStatus: 403 | 404;
  /** Returns the times of a membership, given its times by the clock. */
  period(period: Period): Period;
  /** True if an extension keeps the id of the membership. */
  keepsMembershipId: boolean;
  /** Host of checkout pages. Undefined means the service's host. */
  checkoutHostname: string | undefined;
  /** Returns the URL where a buyer returns after the payment. */
  returnUrl(successUrl: string, reservation: Reservation): string;

  // The format of responses.
  messages: Messages;
  /** Returns the description of an OAuth error. */
  description(error: string, description: string): string;
  /** Returns the `data` envelope of a success. */
  success(data: object): object;
  json(body: object, status: number): Response;
  /** Returns the CORS headers of a response. */
  cors(request: RecordedRequest): Readonly<Record<string, string>>;
  preflightStatus: 200 | 204;
  /** How long the service waits before it processes a request, in milliseconds. */
  latencyMs: number;

  // Events.
  method: 'POST' | 'PUT';
  /** Returns the value of the signature header. */
  signature(hmac: Uint8Array): string;
  /** Returns the raw body of an event, which can be empty. */
  webhookBody(event: FakeEvent, identity: IdentityReading): string;
  /** Returns the events of one change in the order of their delivery. */
  order(events: readonly FakeEvent[]): readonly FakeEvent[];
  /** Milliseconds before the first attempt, and then before each further one. */
  deliveryPausesMs: readonly number[];
  /** Attempts after a success. Receivers deduplicate on the event id. */
  deliversTwice: boolean;
  /** Whether a webhook receives all communities' events, or only its own. */
  sharesSecrets: boolean;
}

/** Messages of failures at the API-key endpoints. */
export interface Messages {
  keyRejected: string;
  missingRole: string;
  missingPermission: string;
  unknownCommunity: string;
  invalidField(name: string): string;
  overlap: string;
  subscription: string;
  notProcessed: string;
  notAMember: string;
  noBot: string;
  missingEmail: string;
  noDrop: string;
  signedUpBefore: string;
  noSuchClient: string;
}

export type ApiKeyEndpointName = Extract<
  EndpointName,
  'provisionExternal' | 'inviteLink' | 'checkMessenger' | 'buyPlan' | 'dropSignup'
>;

/** Returns the `data` of a success, or another response. `now` is the service's time. */
export type ApiKeyData = (request: FakeRequest, now: number) => object | Response;

/** An event, before a reading turns it into a delivery. */
export interface FakeEvent {
  id: string;
  type: WebhookEventType;
  /** Milliseconds since the epoch. */
  at: number;
  communityId: string;
  /** Undefined for a payment that failed. */
  record: MembershipRecord | undefined;
  /** Set for payments. */
  reservation: Reservation | undefined;
}

/** An integrator's endpoint that receives a community's events. */
export interface FakeWebhook {
  url: string;
  /** 64 hex characters. */
  secret: string;
  communityId: string;
}

/** One attempt to deliver an event. */
export interface FakeDelivery {
  eventId: string;
  type: WebhookEventType;
  /** Community of the event. */
  communityId: string;
  url: string;
  /** 1 for the first attempt. */
  attempt: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Status of the response. Undefined until the receiver has responded, or if it never does. */
  status: number | undefined;
}

import { INVITE_LINK_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { FakeRequest } from '../fake-request.js';
import type { EndpointContext } from './endpoint-context.js';
import { rejection } from './rejection.js';

// The API-key endpoints keep no state. Each one returns the same success, and tests script every other response.

/** `POST /membership/provision-external` */
export function provisionExternal(request: FakeRequest, context: EndpointContext): Response {
  return withApiKey(request, context, 200, (now) => ({
    membershipId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0102',
    userId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0101',
    validFrom: new Date(now).toISOString(),
    validUntil: request.form.get('validUntil'),
    status: 'created',
  }));
}

/** `GET /membership/join-messenger-community-external/{externalId}` */
export function inviteLink(request: FakeRequest, context: EndpointContext): Response {
  return withApiKey(request, context, 200, (now) => ({
    link: 'https://messenger.example/+invite',
    expiresAt: new Date(now + INVITE_LINK_LIFETIME_SECONDS * 1000).toISOString(),
  }));
}

/** `GET /membership/check-messenger/{communityId}/{messengerUserId}` */
export function checkMessenger(request: FakeRequest, context: EndpointContext): Response {
  return withApiKey(request, context, 200, () => ({ isActive: false, membershipId: null }));
}

/** `POST /api/checkout/buy-plan` */
export function buyPlan(request: FakeRequest, context: EndpointContext): Response {
  return withApiKey(request, context, 201, () => ({ checkoutUrl: 'https://pay.example/session/1' }));
}

/** `POST /api/drop-notification/signup` */
export function dropSignup(request: FakeRequest, context: EndpointContext): Response {
  return withApiKey(request, context, 201, (now) => ({
    signedUp: true,
    hasExistingAccount: false,
    dropSlotInfo: {
      id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0103',
      slots: 100,
      slotsUsed: 1,
      availableSlots: 99,
      startsAt: new Date(now).toISOString(),
      endsAt: null,
      isCurrentlyActive: true,
      dropNotification: null,
    },
  }));
}

/** Accepts every well-formed key: the rules for keys and roles are the reference server's to test. */
function withApiKey(
  { headers, path }: FakeRequest,
  { clock }: EndpointContext,
  status: number,
  data: (now: number) => object,
): Response {
  if (!/^Bearer svc_./.test(headers.authorization ?? '')) {
    return rejection(401, 'The API key is missing or malformed.', { path, clock });
  }
  return Response.json({ success: true, data: data(clock.now()) }, { status });
}

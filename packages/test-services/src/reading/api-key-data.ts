import { type EndpointName, INVITE_LINK_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { FakeRequest } from '../messages/fake-request.js';

/** The endpoints that accept an API key. */
export type ApiKeyEndpointName = Extract<
  EndpointName,
  'provisionExternal' | 'inviteLink' | 'checkMessenger' | 'buyPlan' | 'dropSignup'
>;

/** Returns the `data` of a success. `now` is the service's time. */
export type ApiKeyData = (request: FakeRequest, now: number) => object;

/** Fixed successes: the API-key endpoints keep no state, and tests script every other response. */
export const API_KEY_DATA: Readonly<Record<ApiKeyEndpointName, ApiKeyData>> = {
  provisionExternal: ({ form }, now) => ({
    membershipId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0102',
    userId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0101',
    validFrom: new Date(now).toISOString(),
    validUntil: form.get('validUntil'),
    status: 'created',
  }),
  inviteLink: (_request, now) => ({
    link: 'https://messenger.example/+invite',
    expiresAt: new Date(now + INVITE_LINK_LIFETIME_SECONDS * 1000).toISOString(),
  }),
  checkMessenger: () => ({ isActive: false, membershipId: null }),
  buyPlan: () => ({ checkoutUrl: 'https://pay.example/session/1' }),
  dropSignup: (_request, now) => ({
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
  }),
};

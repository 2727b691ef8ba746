import { derivedId } from '../state/ids.js';
import { API_KEY_DATA } from './api-key-data.js';
import type { ApiKeyReading } from './reading.js';

export const SECOND_API_KEY: ApiKeyReading = {
  apiKeyData: {
    ...API_KEY_DATA,
    /** `dropNotification` is null or an object, and `userHasNotification` is "sometimes present" ("Drop signup result"). */
    dropSignup: (request, now) => ({
      signedUp: true,
      hasExistingAccount: false,
      dropSlotInfo: {
        id: 'drop-7',
        slots: null,
        slotsUsed: 0,
        availableSlots: null,
        startsAt: new Date(now + 3_600_000).toISOString(),
        endsAt: new Date(now + 7_200_000).toISOString(),
        isCurrentlyActive: false,
        dropNotification: { id: derivedId(request.body) },
        userHasNotification: true,
      },
    }),
    /** UUIDs in upper case ("Resources and their fields": "a UUID string"). */
    provisionExternal: (request, now) => ({
      membershipId: derivedId(request.body).toUpperCase(),
      userId: derivedId('user').toUpperCase(),
      validFrom: new Date(now).toISOString(),
      validUntil: request.form.get('validUntil'),
      status: 'created',
    }),
  },
  /** 404: "Addressed resource absent (community, …)" ("Status codes"). */
  unknownCommunityStatus: 404,
  period: (period) => period,
  keepsMembershipId: true,
  /** "Its host depends on the plan's payment provider" ("Checkout session result"). */
  checkoutHostname: 'localhost',
  /** "Where to send the buyer after completed payment" ("POST /api/checkout/buy-plan"), with parameters of the provider. */
  returnUrl(successUrl, { id }) {
    const url = new URL(successUrl);
    url.searchParams.append('session_id', id);
    url.searchParams.append('redirect_status', 'succeeded');
    return url.href;
  },
};

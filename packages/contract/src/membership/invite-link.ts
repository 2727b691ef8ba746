import * as z from 'zod';
import { envelopeViews, traceFields } from '../envelope.js';
import { externalIdField } from '../request-fields.js';
import { type Emitted, objectViews, timestampViews } from '../response-views.js';

/** Path of the invite-link endpoint: the `externalId` sent to buy-plan. */
export const inviteLinkPath = z.object({ externalId: externalIdField });

/** A fresh invite link (spec, "Invite link result"); it expires 24 hours after the call. */
export const inviteLinkViews = objectViews({
  link: { exact: z.url(), tolerant: z.string().min(1) },
  expiresAt: timestampViews,
});

/** The 200 that is a failure: the community has no messenger bot, so there is no link (`data` is null). */
const noMessengerBot = z.strictObject({
  success: z.literal(false),
  data: z.null(),
  message: z.string().min(1),
  ...traceFields,
});

const linkEnvelope = envelopeViews(inviteLinkViews);

/** Answer of the invite-link endpoint with status 200: a link, or `success` false for want of a bot. */
export const inviteLinkResponseViews = {
  exact: z.union([linkEnvelope.exact, noMessengerBot]),
  tolerant: linkEnvelope.tolerant,
};

/** An invite link as the service emits it. */
export type InviteLink = Emitted<typeof inviteLinkViews>;

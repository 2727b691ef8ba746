import { eventIdIn, isSameId, membershipIdsIn, verifyDelivery } from './captured-delivery.js';
import { type Check, CheckEnd, differs, notChecked, ok } from './check.js';
import type { ServiceTarget } from './service-target.js';

/** Default of `maxBodyBytes` of webhooks() in @latchkey/express. */
const BODY_MAX_BYTES = 262_144;
const NO_DELIVERY = notChecked('--webhook-body and --webhook-signature.');

/** Checks of a captured delivery. They send nothing. */
export const WEBHOOK_CHECKS: readonly Check[] = [
  {
    id: 'webhook-signature',
    assumption: 'webhook-signature-encoding',
    run: ({ input: { webhookBody: body, webhookSignature: signature, webhookSecret } }) => {
      if (body === undefined || signature === undefined || webhookSecret === undefined)
        return notChecked('--webhook-body, --webhook-signature and LATCHKEY_WEBHOOK_SECRET.');
      const verified = verifyDelivery({ body, signature }, webhookSecret);
      if (verified.kind === 'valid') {
        const prefix = verified.hasPrefix ? ' with the prefix sha256=' : '';
        return ok(`The signature is valid: ${verified.encoding}${prefix}.`);
      }
      if (verified.kind === 'unknown_encoding') {
        return differs(
          `The signature has ${signature.length} characters, and is neither hex nor base64 of 32 bytes.`,
          'webhooks() rejects it. Convert the header in a middleware above webhooks(), or verify the body yourself.',
        );
      }
      return differs(
        `The signature (${verified.encoding}) does not match the body and the secret.`,
        'Check that the file contains the exact bytes of the body, without a line break at the end, and that the secret is the one of this webhook. If both are right, the service signs other bytes: webhooks() cannot verify them.',
      );
    },
  },
  {
    id: 'webhook-event-id',
    assumption: 'webhook-event-id-in-body',
    run(target) {
      const found = eventIdIn(bodyOf(target));
      if (found === undefined) {
        return ok(
          'The body names no event id, so only the header does. An event that is replayed under a new id is handled again: handlers must be idempotent. If the body has an id elsewhere, set eventIdOf.',
        );
      }
      const { webhookEventId } = target.input;
      if (webhookEventId === undefined)
        return notChecked(
          `--webhook-event-id, the header of the delivery. The body has an id at ${found.path}.`,
        );
      if (isSameId(found.value, webhookEventId))
        return ok(`The body names the event id of the header at ${found.path}.`);
      return differs(
        `The body has another id at ${found.path} than the header. The kit takes it for the event id and rejects the delivery.`,
        'Set eventIdOf of webhooks() to a function that returns the event id of the body, or undefined if it has none.',
      );
    },
  },
  {
    id: 'webhook-membership',
    assumption: 'webhook-membership-place',
    run(target) {
      const found = membershipIdsIn(bodyOf(target));
      const ids = new Set(found.map(({ value }) => value.toLowerCase()));
      const paths = found.map(({ path }) => path).join(', ');
      if (ids.size === 1) return ok(`The body names one membership, at ${paths}.`);
      return differs(
        ids.size === 0
          ? 'The body names no membership where the kit looks for it.'
          : `The body names ${ids.size} memberships: ${paths}.`,
        'Set readMembership of webhooks() to a function that returns the membershipId of the body. If the body has none, import the members and call checkMessenger() with recordingClient().',
      );
    },
  },
  {
    id: 'webhook-body-size',
    assumption: 'body-size',
    run: ({ input: { webhookBody } }) => {
      if (webhookBody === undefined) return NO_DELIVERY;
      const { byteLength } = webhookBody;
      if (byteLength <= BODY_MAX_BYTES) return ok(`The body has ${byteLength} of ${BODY_MAX_BYTES} bytes.`);
      return differs(
        `The body has ${byteLength} bytes. webhooks() accepts ${BODY_MAX_BYTES}.`,
        'Set maxBodyBytes of webhooks() to more than that.',
      );
    },
  },
];

/** @throws CheckEnd without a body of JSON. */
function bodyOf({ input: { webhookBody } }: ServiceTarget): unknown {
  if (webhookBody === undefined) throw new CheckEnd(NO_DELIVERY);
  try {
    return JSON.parse(webhookBody.toString('utf8'));
  } catch {
    throw new CheckEnd(notChecked('a body of JSON. Handlers receive other bodies in event.raw.'));
  }
}

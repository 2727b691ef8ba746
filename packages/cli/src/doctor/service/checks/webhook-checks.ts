import { type Check, type CheckResult, differs, notChecked, ok } from '../report/check.js';
import { eventIdIn, isSameId, membershipIdsIn } from '../webhook/body-places.js';
import { type CapturedDelivery, verifyDelivery } from '../webhook/captured-delivery.js';
import type { ServiceTarget } from './service-target.js';

/** Default of `maxBodyBytes` of webhooks() in @latchkey/express. */
const BODY_MAX_BYTES = 262_144;

const signature: Check<ServiceTarget> = {
  id: 'webhook-signature',
  assumption: 'webhook-signature-encoding',
  run: ({ input: { delivery, webhookSecret } }) => {
    if (delivery === undefined || webhookSecret === undefined)
      return notChecked('--webhook-body, --webhook-signature and LATCHKEY_WEBHOOK_SECRET.');
    const verified = verifyDelivery(delivery, webhookSecret);
    if (verified.kind === 'valid') {
      const prefix = verified.hasPrefix ? ' with the prefix sha256=' : '';
      return ok(`The signature is valid: ${verified.encoding}${prefix}.`);
    }
    if (verified.kind === 'unknown_encoding') {
      return differs(
        `The signature has ${delivery.signature.length} characters, and is neither hex nor base64 of 32 bytes.`,
        'webhooks() rejects it. Convert the header in a middleware above webhooks(), or verify the body yourself.',
      );
    }
    return differs(
      `The signature (${verified.encoding}) does not match the body and the secret.`,
      'Check that the file contains the exact bytes of the body, without a line break at the end, and that the secret is the one of this webhook. If both are right, the service signs other bytes: webhooks() cannot verify them.',
    );
  },
};

const eventId: Check<ServiceTarget> = {
  id: 'webhook-event-id',
  assumption: 'webhook-event-id-in-body',
  run: (target) =>
    withBody(target, (body, delivery) => {
      const found = eventIdIn(body);
      if (found === undefined) {
        return ok(
          'The body names no event id, so only the header does. An event that is replayed under a new id is handled again: handlers must be idempotent. If the body has an id elsewhere, set eventIdOf.',
        );
      }
      if (delivery.eventId === undefined)
        return notChecked(
          `--webhook-event-id, the header of the delivery. The body has an id at ${found.path}.`,
        );
      if (isSameId(found.value, delivery.eventId))
        return ok(`The body names the event id of the header at ${found.path}.`);
      return differs(
        `The body has another id at ${found.path} than the header. The kit takes it for the event id and rejects the delivery.`,
        'Set eventIdOf of webhooks() to a function that returns the event id of the body, or undefined if it has none.',
      );
    }),
};

const membership: Check<ServiceTarget> = {
  id: 'webhook-membership',
  assumption: 'webhook-membership-place',
  run: (target) =>
    withBody(target, (body) => {
      const found = membershipIdsIn(body);
      const ids = new Set(found.map(({ value }) => value.toLowerCase()));
      if (ids.size === 1)
        return ok(`The body names one membership, at ${found.map(({ path }) => path).join(', ')}.`);
      const action =
        'Set readMembership of webhooks() to a function that returns the membershipId of the body. If the body has none, import the members and call checkMessenger() with recordingClient().';
      return ids.size === 0
        ? differs('The body names no membership where the kit looks for it.', action)
        : differs(
            `The body names ${ids.size} memberships: ${found.map(({ path }) => path).join(', ')}.`,
            action,
          );
    }),
};

const bodySize: Check<ServiceTarget> = {
  id: 'webhook-body-size',
  assumption: 'body-size',
  run: ({ input: { delivery } }) => {
    if (delivery === undefined) return notChecked('--webhook-body and --webhook-signature.');
    const { byteLength } = delivery.body;
    if (byteLength <= BODY_MAX_BYTES) return ok(`The body has ${byteLength} of ${BODY_MAX_BYTES} bytes.`);
    return differs(
      `The body has ${byteLength} bytes. webhooks() accepts ${BODY_MAX_BYTES}.`,
      'Set maxBodyBytes of webhooks() to more than that.',
    );
  },
};

function withBody(
  { input: { delivery } }: ServiceTarget,
  read: (body: unknown, delivery: CapturedDelivery) => CheckResult,
): CheckResult {
  if (delivery === undefined) return notChecked('--webhook-body and --webhook-signature.');
  try {
    return read(JSON.parse(delivery.body.toString('utf8')), delivery);
  } catch {
    return notChecked('a body of JSON. Handlers receive other bodies in event.raw.');
  }
}

/** Checks of a captured delivery. They send nothing. */
export const WEBHOOK_CHECKS: readonly Check<ServiceTarget>[] = [signature, eventId, membership, bodySize];

import { WEBHOOK_EVENT_TYPES, WEBHOOK_RESPONSE_TIMEOUT_SECONDS } from '@latchkey/contract/constants';
import {
  type Delivery,
  isAccepted,
  type Recording,
  UNKNOWN_EVENT_TYPE,
  type WebhookRecord,
} from '../record/recording.js';
import { failed, type Judge, type Judgement, joined, notObserved, passed, verdict } from './judgement.js';

export const webhookChecks: Readonly<Record<string, Judge>> = {
  'webhook.signature-header': receiving((webhooks) =>
    rejects(webhooks, 'no signature', 'The receiver accepted a delivery without a signature.'),
  ),
  'webhook.signature-raw-body': judgeRawBody,
  'webhook.secret-literal': judgeSecret,
  'webhook.verify-before-parse': receiving(judgeOrder),
  'webhook.event-type-header': receiving(judgeTypes),
  'webhook.event-id-header': receiving(judgeIds),
  'webhook.deduplicate': receiving(judgeRepetitions),
  'webhook.filter-yourself': receiving(judgeFilter),
  'webhook.answer-in-time': receiving(judgeTime),
};

/** Creates a check of the receiver, which runs if the receiver accepts valid deliveries. */
function receiving(check: (webhooks: WebhookRecord) => Judgement): Judge {
  return ({ webhooks }) => {
    if (webhooks === undefined) return notObserved('needs the URL of the webhook receiver');
    return webhooks.isDeaf ? notObserved('the receiver accepted no valid delivery') : check(webhooks);
  };
}

function labelled({ deliveries }: WebhookRecord, label: string): readonly Delivery[] {
  return deliveries.filter((delivery) => delivery.label === label);
}

function evidence(deliveries: readonly Delivery[]) {
  return deliveries.map(({ shown }) => shown);
}

function rejects(webhooks: WebhookRecord, label: string, message: string): Judgement {
  const deliveries = labelled(webhooks, label);
  if (deliveries.length === 0) return notObserved('the delivery was not sent');
  return verdict(!deliveries.some(isAccepted), message, evidence(deliveries));
}

function judgeRawBody(recording: Recording): Judgement {
  const { webhooks } = recording;
  if (webhooks === undefined) return notObserved('needs the URL of the webhook receiver');
  for (const label of ['sha1', 'sha512', 'other secret']) {
    const wrong = rejects(
      webhooks,
      label,
      `The receiver accepted a signature with another key or hash: ${label}.`,
    );
    if (wrong.outcome.kind === 'failed') return wrong;
  }
  if (webhooks.isDeaf) return judgeDeafReceiver(webhooks);
  const reformatted = labelled(webhooks, 'reformatted');
  return joined(
    rejects(webhooks, 'tampered', 'The receiver accepted a body that was changed after it was signed.'),
    rejects(
      webhooks,
      'tampered spaces',
      'The receiver accepted a body with other white space than the signed one.',
    ),
    verdict(
      reformatted.every(isAccepted),
      'The receiver rejected a valid signature of a body that changes when it is parsed and written again.',
      evidence(reformatted),
    ),
  );
}

/** Judges a receiver that accepts no valid delivery. The reason decides which rule it breaks. */
function judgeDeafReceiver(webhooks: WebhookRecord): Judgement {
  const valid = labelled(webhooks, 'valid');
  if (labelled(webhooks, 'decoded secret').some(isAccepted)) {
    return notObserved('the receiver reads the secret otherwise, see webhook.secret-literal');
  }
  const isAbsent = valid.every(({ status }) => status === undefined || status === 404 || status === 405);
  return isAbsent
    ? notObserved('the receiver does not respond at its URL')
    : failed(
        'The receiver rejected valid signatures as hex and base64, with and without "sha256=".',
        evidence(valid),
      );
}

function judgeSecret({ webhooks }: Recording): Judgement {
  if (webhooks === undefined) return notObserved('needs the URL of the webhook receiver');
  const wrong = ['decoded secret', 'hashed secret'].map((label) =>
    rejects(
      webhooks,
      label,
      `The receiver accepted a signature by the ${label}. The key is its 64 characters.`,
    ),
  );
  const judgement = joined(...wrong);
  return webhooks.isDeaf && judgement.outcome.kind === 'passed'
    ? notObserved('the receiver accepted no valid delivery')
    : judgement;
}

function judgeOrder(webhooks: WebhookRecord): Judgement {
  const [unreadable] = labelled(webhooks, 'not JSON, other secret');
  const [forged] = labelled(webhooks, 'other secret');
  if (unreadable?.status === undefined || forged?.status === undefined || isAccepted(forged)) {
    return notObserved('the receiver accepts deliveries that are signed by another secret');
  }
  const message = `A forged delivery with JSON was answered by ${forged.status}, and one without by ${unreadable.status}: the receiver parses before it verifies.`;
  return verdict(unreadable.status === forged.status, message, evidence([forged, unreadable]));
}

const NEEDS_LIST = 'needs the action handledEvents';

function linesWith({ handled = [] }: WebhookRecord, text: string): number {
  return handled.filter((line) => line.includes(text)).length;
}

function typedDeliveries(webhooks: WebhookRecord): readonly Delivery[] {
  return WEBHOOK_EVENT_TYPES.flatMap((type) => labelled(webhooks, `type ${type}`));
}

function judgeTypes(webhooks: WebhookRecord): Judgement {
  if (webhooks.handled === undefined) return notObserved(NEEDS_LIST);
  const deliveries = typedDeliveries(webhooks);
  const named = WEBHOOK_EVENT_TYPES.some((type) => linesWith(webhooks, type) > 0);
  if (!named) {
    const text = 'The app handled no event by the type of its header. The bodies contain no type.';
    return failed(text, evidence(deliveries));
  }
  const wrong = deliveries.find(({ eventId, type }) =>
    (webhooks.handled ?? []).some((line) => line.includes(eventId) && !line.includes(type)),
  );
  return wrong === undefined
    ? passed(evidence(deliveries))
    : failed(`The app handled an event of the type ${wrong.type} as another one.`, evidence([wrong]));
}

function judgeIds(webhooks: WebhookRecord): Judgement {
  if (webhooks.handled === undefined) return notObserved(NEEDS_LIST);
  const equal = labelled(webhooks, 'equal bodies');
  if (!equal.every(isAccepted)) return notObserved('the receiver rejected the deliveries');
  if (webhooks.handled.length === 0) return notObserved('the app handled no event');
  const missing = equal.filter(({ eventId }) => linesWith(webhooks, eventId) === 0);
  const message =
    'Two events with equal bodies had two ids in the header. The app did not handle both by these ids.';
  return verdict(missing.length === 0, message, evidence(equal));
}

function judgeRepetitions(webhooks: WebhookRecord): Judgement {
  if (webhooks.handled === undefined) return notObserved(NEEDS_LIST);
  const [first, second] = labelled(webhooks, 'repeated');
  if (first === undefined || second === undefined || !isAccepted(first)) {
    return notObserved('the receiver rejected the delivery');
  }
  const repeated = evidence([first, second]);
  if (second.status !== undefined && !isAccepted(second)) {
    const text = `The receiver answered ${second.status} to a repeated delivery, so that it comes again.`;
    return failed(text, repeated);
  }
  const twin = labelled(webhooks, 'at once')[0];
  const counts = [first, ...(twin === undefined ? [] : [twin])].map(({ eventId }) =>
    linesWith(webhooks, eventId),
  );
  if (counts.some((count) => count > 1)) {
    return failed(`An event that was delivered twice was handled ${Math.max(...counts)} times.`, repeated);
  }
  return counts[0] === 0 ? notObserved('the app does not list the event id') : passed(repeated);
}

function judgeFilter(webhooks: WebhookRecord): Judgement {
  const deliveries = [...typedDeliveries(webhooks), ...labelled(webhooks, `type ${UNKNOWN_EVENT_TYPE}`)];
  const wrong = deliveries.find((delivery) => delivery.status !== undefined && !isAccepted(delivery));
  return wrong === undefined
    ? passed(evidence(deliveries))
    : failed(
        `The receiver answered ${wrong.status} to an event of the type ${wrong.type}. All types arrive, and types that an app does not use need a 2xx.`,
        evidence([wrong]),
      );
}

function judgeTime(webhooks: WebhookRecord): Judgement {
  const valid = [
    ...['valid', 'out of order', 'equal bodies'].flatMap((label) => labelled(webhooks, label)),
    ...typedDeliveries(webhooks),
  ];
  const late = valid.find(({ status }) => status === undefined);
  if (late !== undefined) {
    const text = `The receiver did not answer an event of the type ${late.type} within ${WEBHOOK_RESPONSE_TIMEOUT_SECONDS} s.`;
    return failed(text, evidence([late]));
  }
  const wrong = labelled(webhooks, 'out of order').find((delivery) => !isAccepted(delivery));
  return wrong === undefined
    ? passed(evidence(labelled(webhooks, 'out of order')))
    : failed(
        `The receiver answered ${wrong.status} to valid events that arrived in another order.`,
        evidence([wrong]),
      );
}

import { createHash, createHmac, randomUUID } from 'node:crypto';
import { jsonOf, WEBHOOK_EVENT_TYPES, type WebhookHeaders } from '@latchkey/contract/constants';
import { appOf, resolved, roundTripOf } from '../drive/action-request.js';
import type { Driver } from '../drive/driver.js';
import { type Delivery, isAccepted, UNKNOWN_EVENT_TYPE, type WebhookRecord } from '../record/recording.js';
import { SCRIPTED_IDS } from '../service/script.js';

const CREATED = 'membership.created';

/** Delivers events that the app must handle, and others that it must reject. */
export async function playWebhooks(driver: Driver, timeoutMs: number): Promise<WebhookRecord | undefined> {
  const { webhook } = driver.profile;
  if (webhook === undefined) return undefined;
  const url = webhook.startsWith('/') ? resolved(webhook, appOf(driver.profile)) : webhook;
  const deliverer = new Deliverer({ url, headerNames: driver.service.webhookHeaders, timeoutMs });
  const { deliveries } = deliverer;
  if (!(await findEncoding(deliverer))) {
    await deliverWithWrongKeys(deliverer);
    return { deliveries, handled: undefined, isDeaf: true };
  }
  await deliverWithWrongKeys(deliverer);
  await deliverForged(deliverer);
  await deliverRepeated(deliverer);
  for (const type of [...WEBHOOK_EVENT_TYPES, UNKNOWN_EVENT_TYPE]) {
    // A membership belongs to one community or product, so only events about memberships contain one.
    const body = type.startsWith('membership.') ? eventBody() : JSON.stringify({ reference: randomUUID() });
    await deliverer.send({ label: `type ${type}`, type, body });
  }
  await deliverOutOfOrder(deliverer);
  return { deliveries, handled: await handledLines(driver, deliverer), isDeaf: false };
}

/** Tries every encoding of a signature: the specification doesn't say which. */
async function findEncoding(deliverer: Deliverer): Promise<boolean> {
  for (const encoding of SIGNATURE_ENCODINGS) {
    deliverer.encoding = encoding;
    const delivery = await deliverer.send({ label: 'valid', type: CREATED });
    if (isAccepted(delivery)) return true;
    // Another encoding doesn't help if the receiver isn't there.
    if (delivery.status === undefined || delivery.status === 404) return false;
  }
  deliverer.encoding = 'hex';
  return false;
}

/** Sends signatures that are right if the secret or the algorithm is misread. */
async function deliverWithWrongKeys(deliverer: Deliverer): Promise<void> {
  const { webhookSecret } = SCRIPTED_IDS;
  const signings = {
    'decoded secret': { key: Buffer.from(webhookSecret, 'hex') },
    'other secret': { key: 'ab'.repeat(32) },
    sha1: { algorithm: 'sha1' as const },
    sha512: { algorithm: 'sha512' as const },
    // For a receiver that hashes the secret first.
    'hashed secret': { key: createHash('sha256').update(webhookSecret).digest() },
  };
  for (const [label, signing] of Object.entries(signings)) {
    await deliverer.send({ label, type: CREATED, signing });
  }
}

async function deliverForged(deliverer: Deliverer): Promise<void> {
  await deliverer.send({ label: 'no signature', type: CREATED, signing: null });
  const body = eventBody({ amount: 100 });
  await deliverer.send({
    label: 'tampered',
    type: CREATED,
    body: body.replace('100', '900'),
    signedText: body,
  });
  // Equals the signed body once both are parsed and reformatted.
  await deliverer.send({
    label: 'tampered spaces',
    type: CREATED,
    body: body.replace(':', ': '),
    signedText: body,
  });
  await deliverer.send({ label: 'reformatted', type: CREATED, body: UNUSUAL_BODY });
  await deliverer.send({ label: 'not JSON, other secret', type: CREATED, body: '{"', signing: OTHER_SECRET });
}

const OTHER_SECRET = { key: 'ab'.repeat(32) };

/** Valid JSON that changes when it's parsed and reformatted. */
const UNUSUAL_BODY = ` {\n\t"amount" : 1.50e1,  "name":"Zo\\u00eb \\/ caf\u00e9",\r\n "2":0, "1":0, "membershipId":"${SCRIPTED_IDS.membershipId}" } \n`;

async function deliverRepeated(deliverer: Deliverer): Promise<void> {
  const repeated = { type: CREATED, eventId: randomUUID(), body: eventBody() };
  await deliverer.send({ label: 'repeated', ...repeated });
  await deliverer.send({ label: 'repeated', ...repeated });
  const twins = { label: 'at once', type: CREATED, eventId: randomUUID(), body: eventBody() };
  await Promise.all([deliverer.send(twins), deliverer.send(twins)]);
  const body = eventBody();
  await deliverer.send({ label: 'equal bodies', type: CREATED, body });
  await deliverer.send({ label: 'equal bodies', type: CREATED, body });
}

async function deliverOutOfOrder(deliverer: Deliverer): Promise<void> {
  const membershipId = randomUUID();
  await deliverer.send({
    label: 'out of order',
    type: 'membership.updated',
    body: eventBody({ membershipId }),
  });
  await deliverer.send({ label: 'out of order', type: CREATED, body: eventBody({ membershipId }) });
}

/** Reads the app's list of handled events, once it contains the last accepted one or the retry time is over. */
async function handledLines(driver: Driver, { deliveries }: Deliverer): Promise<string[] | undefined> {
  const last = deliveries.filter((delivery) => delivery.type === CREATED && isAccepted(delivery)).at(-1);
  let lines: string[] | undefined;
  await driver.waitFor(async () => {
    const run = await driver.act('handledEvents');
    if (run === undefined || run.outcome.kind === 'failure') return true;
    lines = linesOf(run.outcome.text);
    return last !== undefined && lines.some((line) => line.includes(last.eventId));
  });
  return lines;
}

/** Returns one line per event. The elements of a JSON array count as lines. */
function linesOf(text: string): string[] {
  const value = jsonOf(text);
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(item));
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** How a signature can be encoded, in the order in which it's tried. The specification doesn't say. */
const SIGNATURE_ENCODINGS = ['hex', 'sha256=hex', 'base64', 'sha256=base64', 'base64url'] as const;

type SignatureEncoding = (typeof SIGNATURE_ENCODINGS)[number];

interface Signing {
  readonly encoding: SignatureEncoding;
  /** Key of the HMAC. @default the characters of the webhook secret */
  readonly key?: string | Buffer;
  /** @default 'sha256' */
  readonly algorithm?: 'sha256' | 'sha1' | 'sha512';
}

interface DeliveryPlan {
  readonly label: string;
  readonly type: string;
  /** @default a new id */
  readonly eventId?: string;
  /** @default {@link eventBody} */
  readonly body?: string;
  /** What is signed. @default the body */
  readonly signedText?: string;
  /** Null leaves the signature out. @default a valid signature */
  readonly signing?: Partial<Signing> | null;
}

/** Returns the body of an event. It contains neither type nor id, which are in the headers (spec, "Events", 3 and 6). */
function eventBody(fields: object = {}): string {
  return JSON.stringify({
    membershipId: SCRIPTED_IDS.membershipId,
    communityId: SCRIPTED_IDS.communityId,
    userId: randomUUID(),
    ...fields,
  });
}

function signatureOf(
  text: string,
  { encoding, key = SCRIPTED_IDS.webhookSecret, algorithm = 'sha256' }: Signing,
): string {
  const form = encoding.replace('sha256=', '') as 'hex' | 'base64' | 'base64url';
  const prefix = encoding === form ? '' : 'sha256=';
  return prefix + createHmac(algorithm, key).update(text).digest(form);
}

class Deliverer {
  readonly deliveries: Delivery[] = [];
  readonly #target: { url: string; headerNames: WebhookHeaders; timeoutMs: number };
  encoding: SignatureEncoding = 'hex';

  constructor(target: { url: string; headerNames: WebhookHeaders; timeoutMs: number }) {
    this.#target = target;
  }

  async send(plan: DeliveryPlan): Promise<Delivery> {
    const { label, type, eventId = randomUUID(), body = eventBody(), signing = {} } = plan;
    const { headerNames: names } = this.#target;
    const sign = () => signatureOf(plan.signedText ?? body, { encoding: this.encoding, ...signing });
    const headers = {
      'content-type': 'application/json',
      ...(signing !== null && { [names.signature.toLowerCase()]: sign() }),
      [names.eventType.toLowerCase()]: type,
      [names.eventId.toLowerCase()]: eventId,
    };
    const startedAt = performance.now();
    const { url, timeoutMs } = this.#target;
    const shown = await roundTripOf({ method: 'POST', url, headers, body }, timeoutMs);
    const durationMs = performance.now() - startedAt;
    const delivery = { label, eventId, type, status: shown.response?.status, durationMs, shown };
    this.deliveries.push(delivery);
    return delivery;
  }
}

import { createHmac, randomUUID } from 'node:crypto';
import type { WebhookHeaders } from '@latchkey/contract/constants';
import { isError } from '@latchkey/contract/constants';
import type { RoundTrip } from '../../report/report.js';
import type { Delivery } from '../record/recording.js';
import { SCRIPTED_IDS } from '../service/script.js';

/** How a signature can be encoded, in the order in which it's tried. The specification doesn't say. */
export const SIGNATURE_ENCODINGS = ['hex', 'sha256=hex', 'base64', 'sha256=base64', 'base64url'] as const;

type SignatureEncoding = (typeof SIGNATURE_ENCODINGS)[number];

/** An event type that the specification doesn't have. */
export const UNKNOWN_EVENT_TYPE = 'wallet.topped-up';

/** Key, hash and encoding of a signature. */
export interface Signing {
  readonly encoding: SignatureEncoding;
  /** Key of the HMAC. @default the characters of the webhook secret */
  readonly key?: string | Buffer;
  /** @default 'sha256' */
  readonly algorithm?: 'sha256' | 'sha1' | 'sha512';
}

export interface DeliveryPlan {
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
export function eventBody(fields: object = {}): string {
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

/** Sends deliveries to a receiver and records its responses. */
export class Deliverer {
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
    const shown = await this.#post(headers, body);
    const durationMs = performance.now() - startedAt;
    const delivery = { label, eventId, type, status: shown.response?.status, durationMs, shown };
    this.deliveries.push(delivery);
    return delivery;
  }

  async #post(headers: Record<string, string>, body: string): Promise<RoundTrip> {
    const { url, timeoutMs } = this.#target;
    const request = { method: 'POST', url, headers, body };
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { ...request, redirect: 'manual', signal });
      const text = await response.text();
      return {
        request,
        response: { status: response.status, headers: Object.fromEntries(response.headers), body: text },
      };
    } catch (error) {
      const { cause, message } = error as Error;
      return { request, failure: isError(cause) ? cause.message : message };
    }
  }
}

/** True for a 2xx status. */
export function isAccepted({ status }: Pick<Delivery, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

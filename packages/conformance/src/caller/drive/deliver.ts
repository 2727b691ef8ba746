import { createHmac, randomUUID } from 'node:crypto';
import type { WebhookHeaders } from '@latchkey/contract/constants';
import { isError } from '@latchkey/contract/constants';
import type { RoundTrip } from '../../report/report.js';
import type { Delivery } from '../record/recording.js';
import { SCRIPTED_IDS } from '../service/credentials.js';

/** How a signature is encoded. The specification doesn't say. */
export type SignatureEncoding = 'hex' | 'sha256=hex' | 'base64' | 'sha256=base64' | 'base64url';

/** Encodings, in the order in which they're tried. */
export const SIGNATURE_ENCODINGS: readonly SignatureEncoding[] = [
  'hex',
  'sha256=hex',
  'base64',
  'sha256=base64',
  'base64url',
];

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
  const [prefix, form] = encoding.startsWith('sha256=')
    ? ['sha256=', encoding.slice('sha256='.length)]
    : ['', encoding];
  return (
    prefix +
    createHmac(algorithm, key)
      .update(text)
      .digest(form as 'hex' | 'base64' | 'base64url')
  );
}

/** Sends deliveries to a receiver and records its responses. */
export class Deliverer {
  readonly deliveries: Delivery[] = [];
  readonly #url: string;
  readonly #headerNames: WebhookHeaders;
  readonly #timeoutMs: number;
  encoding: SignatureEncoding = 'hex';

  constructor(options: { url: string; headerNames: WebhookHeaders; timeoutMs: number }) {
    this.#url = options.url;
    this.#headerNames = options.headerNames;
    this.#timeoutMs = options.timeoutMs;
  }

  async send(plan: DeliveryPlan): Promise<Delivery> {
    const { label, type, eventId = randomUUID(), body = eventBody(), signing = {} } = plan;
    const names = this.#headerNames;
    const signature =
      signing === null
        ? {}
        : {
            [names.signature.toLowerCase()]: signatureOf(plan.signedText ?? body, {
              encoding: this.encoding,
              ...signing,
            }),
          };
    const headers = {
      'content-type': 'application/json',
      ...signature,
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
    const request = { method: 'POST', url: this.#url, headers, body };
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
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

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './faults.js';
import type { Reply } from './small-reply.js';

/** The receiver of webhooks of the small app. */
export class SmallReceiver {
  /** One line for each handled event. */
  readonly handled: string[] = [];
  readonly #secret: string;
  readonly #faults: ReadonlySet<Fault>;
  readonly #events = new Set<string>();
  readonly #created = new Set<string | undefined>();

  constructor(secret: string, faults: ReadonlySet<Fault>) {
    this.#secret = secret;
    this.#faults = faults;
  }

  async receive({ headers }: IncomingMessage, raw: Buffer): Promise<Reply> {
    const type = String(headers['x-svc-event-type']);
    const id = String(headers['x-svc-event-id']);
    if (this.#faults.has('parses-first') && !isJson(raw)) return [400, 'Not JSON'];
    if (!this.#isSigned(headers['x-svc-signature'], raw)) return [401, 'Wrong signature'];
    const body = JSON.parse(raw.toString()) as { type?: string; membershipId?: string };
    if (this.#faults.has('rejects-other-types') && !type.startsWith('membership.'))
      return [422, 'Unknown type'];
    if (this.#faults.has('answers-late') && type === 'payment.success') await pause(5_000);
    const shownType = this.#faults.has('type-from-body') ? body.type : type;
    if (this.#faults.has('requires-order') && this.#isTooEarly(type, body)) return [409, 'Out of order'];
    const key = this.#faults.has('event-id-from-body') ? raw.toString() : id;
    if (this.#events.has(key) && !this.#faults.has('handles-twice')) {
      return this.#faults.has('conflict-on-repeated') ? [409, 'Known'] : [200, 'Known'];
    }
    this.#events.add(key);
    if (shownType?.startsWith('membership.')) this.handled.push(`${id} ${shownType}`);
    return [200, 'OK'];
  }

  #isTooEarly(type: string, { membershipId }: { membershipId?: string }): boolean {
    if (type === 'membership.created') this.#created.add(membershipId);
    return type === 'membership.updated' && !this.#created.has(membershipId);
  }

  #isSigned(header: string | string[] | undefined, raw: Buffer): boolean {
    if (header === undefined) return this.#faults.has('accepts-unsigned');
    const key = this.#faults.has('decodes-secret') ? Buffer.from(this.#secret, 'hex') : this.#secret;
    let signed: Buffer | string = raw;
    if (this.#faults.has('signs-rewritten') && isJson(raw))
      signed = JSON.stringify(JSON.parse(raw.toString()));
    const expected = createHmac('sha256', key).update(signed).digest();
    const given = Buffer.from(String(header), 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

function isJson(raw: Buffer): boolean {
  try {
    JSON.parse(raw.toString());
    return true;
  } catch {
    return false;
  }
}

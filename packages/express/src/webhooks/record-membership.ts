import { isError } from '@latchkey/contract/constants';
import type { Clock } from '../platform/clock.js';
import { isUnusedPromise } from '../platform/errors.js';
import type { ThrottledLog } from '../platform/log.js';
import type { MembershipDirectory } from '../stores/kit-store.js';
import { type Deadline, LATE } from './deadline.js';
import {
  namesSource,
  readMembership,
  type WebhookDelivery,
  type WebhookMembership,
} from './read-membership.js';
import { WebhookVerificationError } from './signature.js';
import { sourceName, type WebhookSource } from './webhook-secrets.js';
import type { WebhookSettings } from './webhook-settings.js';

interface RecordOptions {
  settings: Pick<WebhookSettings, 'directory' | 'readMembership' | 'logger'>;
  deadline: Deadline;
  otherSources: OtherSources;
  logs: (kind: 'membership_ambiguous' | 'membership_missing' | 'source_ignored') => ThrottledLog;
}

type RecordResult =
  | 'recorded'
  /** The delivery is about no membership, or there is no directory. */
  | 'nothing'
  /** The delivery is about another community or product, and needn't be repeated. */
  | 'other_source'
  /** The directory failed, so the service has to deliver the event again. */
  | 'directory_unavailable';

/** Events that are always about a membership. If there is none, the default reader doesn't know the body's format. */
const NAMES_MEMBERSHIP: ReadonlySet<string> = new Set([
  'membership.created',
  'membership.updated',
  'payment.success',
  'digital.product.purchase',
]);

/**
 * Records the membership of a verified delivery in the directory. The secret decides the community or product; the body
 * never does. Repeated and late deliveries do no harm, so this runs for every delivery.
 * @throws WebhookVerificationError `source_mismatch`, `membership_unreadable`.
 */
export async function recordMembership(
  delivery: WebhookDelivery,
  { settings, deadline, otherSources, logs }: RecordOptions,
): Promise<RecordResult> {
  const membership = membershipOf(delivery, { reader: settings.readMembership, logs, otherSources });
  if (membership === 'other_source') return membership;
  const { directory } = settings;
  if (directory === undefined || membership?.membershipId === undefined) return 'nothing';
  const { membershipId, pricingPlanId, observedAt } = membership;
  const failure = await failureOf(directory, deadline, {
    membershipId,
    ...delivery.source,
    ...(pricingPlanId === undefined ? {} : { pricingPlanId }),
    ...(observedAt === undefined ? {} : { observedAt }),
  });
  if (failure === undefined) return 'recorded';
  settings.logger.error(
    'directory_failed',
    'The membership of a webhook event could not be recorded in the directory. The response is 503, and the service delivers the event again. Until then no gate opens for this membership.',
    { source: sourceName(delivery.source), membershipId, error: failure },
  );
  return 'directory_unavailable';
}

/** Reads the membership, with the app's reader if there is one. */
function membershipOf(
  delivery: WebhookDelivery,
  {
    reader,
    logs,
    otherSources,
  }: Pick<RecordOptions, 'logs' | 'otherSources'> & {
    reader: WebhookSettings['readMembership'];
  },
): WebhookMembership | 'other_source' | undefined {
  if (reader !== undefined) return readBy(reader, delivery);
  const source = sourceName(delivery.source);
  const read = readMembership(delivery);
  if (read.kind !== 'other_source' && namesSource(delivery)) otherSources.confirm(delivery.source);
  switch (read.kind) {
    case 'named':
      return read;
    case 'none':
      if (NAMES_MEMBERSHIP.has(delivery.type)) {
        logs('membership_missing').warn(
          'membership_missing',
          'A webhook event names no membership where this package looks for it, so none was recorded. Set the option readMembership, which reads the id from the body.',
          { eventType: delivery.type, source },
        );
      }
      return undefined;
    case 'ambiguous':
      logs('membership_ambiguous').error(
        'membership_ambiguous',
        'A webhook event names several memberships, so none was recorded. Set the option readMembership, which returns the right one.',
        { source, membershipIds: read.membershipIds },
      );
      return undefined;
    case 'other_source':
      if (otherSources.decide(delivery.source) === 'drop') {
        logs('source_ignored').warn(
          'source_ignored',
          `The secret of ${source} signed a webhook event that names ${read.named}. It was neither recorded nor handled, and the response is 200.`,
          { eventType: delivery.type, source, named: read.named },
        );
        return 'other_source';
      }
      throw new WebhookVerificationError(
        'source_mismatch',
        `The secret of ${source} signed it, but the body names ${read.named}. Nothing was recorded. If the secrets are interchanged, correct communities and products; the service delivers the event again. After an hour such events are dropped.`,
      );
  }
}

function readBy(reader: NonNullable<WebhookSettings['readMembership']>, delivery: WebhookDelivery) {
  const unreadable = (problem: string, cause?: unknown) =>
    new WebhookVerificationError('membership_unreadable', `The option readMembership ${problem}.`, { cause });
  let membership: WebhookMembership | undefined;
  try {
    membership = reader(delivery);
  } catch (error) {
    throw unreadable(`failed: ${isError(error) ? (error.stack ?? error.message) : String(error)}`, error);
  }
  if (membership === undefined) return undefined;
  if (isMembership(membership)) return membership;
  throw unreadable('must return { membershipId, pricingPlanId, observedAt } or undefined, and not a promise');
}

function isMembership(value: unknown): boolean {
  if (isUnusedPromise(value)) return false;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return ['string', 'undefined'].includes(typeof Reflect.get(value, 'membershipId'));
}

/** Records and returns the failure, or undefined if the record is stored. */
async function failureOf(
  directory: MembershipDirectory,
  deadline: Deadline,
  record: Parameters<MembershipDirectory['record']>[0],
): Promise<string | undefined> {
  try {
    const result = await deadline.race(directory.record(record));
    return result === LATE ? 'The directory did not respond in time.' : undefined;
  } catch (error) {
    return isError(error) ? (error.stack ?? error.message) : String(error);
  }
}

/** How long events with a doubtful secret are rejected, and so delivered again, in milliseconds. */
const DOUBT_MS = 3_600_000;

/**
 * Decides on correctly signed events that are about a different community or product than their secret. Every webhook
 * receives every event type (spec, "Events", 2), so such an event can be fine. It can also mean that two secrets are
 * swapped.
 *
 * Once a secret has signed an event of its own source, it's right, and other sources' events are dropped. Until then
 * the secret is in doubt: its events are rejected for an hour, and the service delivers them again, perhaps after the
 * options were corrected. After the hour they're dropped, since a service may pause a webhook that always fails.
 */
export class OtherSources {
  readonly #clock: Clock;
  readonly #confirmed = new Set<string>();
  /** Time of the first event of another source, by the secret's source. */
  readonly #doubtedSince = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records that a source's secret signed an event about this source. */
  confirm(source: WebhookSource): void {
    this.#confirmed.add(sourceName(source));
  }

  /** Decides on another source's event that the secret of `source` signed. */
  decide(source: WebhookSource): 'drop' | 'reject' {
    const name = sourceName(source);
    if (this.#confirmed.has(name)) return 'drop';
    const now = this.#clock.now();
    const since = this.#doubtedSince.get(name) ?? now;
    this.#doubtedSince.set(name, since);
    return Math.abs(now - since) < DOUBT_MS ? 'reject' : 'drop';
  }
}

import type { Clock } from '../platform/clock.js';
import { sourceName, type WebhookSource } from './webhook-source.js';

/** Milliseconds during which the events of a doubtful secret are rejected, so that they come again. */
const DOUBT_MS = 3_600_000;

/**
 * Decides on correctly signed events that name another community or product than that of their secret. Every webhook receives
 * every event type (spec, "Events", 2), so such an event can be in order. It can also show that two secrets are interchanged.
 *
 * A secret that has signed an event of its own source is right, so the event is dropped. Without such an event, the secret is in
 * doubt. Its events are rejected for an hour, and the service delivers them again, perhaps after a correction of the options.
 * After the hour they are dropped, because a webhook that always fails can be paused by its service.
 */
export class OtherSources {
  readonly #clock: Clock;
  readonly #confirmed = new Set<string>();
  /** Time of the first event of another source, by the source of the secret. */
  readonly #doubtedSince = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records that the secret of a source signed an event that names this source. */
  confirm(source: WebhookSource): void {
    this.#confirmed.add(sourceName(source));
  }

  /** Decides on an event of another source that the secret of `source` signed. */
  decide(source: WebhookSource): 'drop' | 'reject' {
    const name = sourceName(source);
    if (this.#confirmed.has(name)) return 'drop';
    const now = this.#clock.now();
    const since = this.#doubtedSince.get(name) ?? now;
    this.#doubtedSince.set(name, since);
    return Math.abs(now - since) < DOUBT_MS ? 'reject' : 'drop';
  }
}

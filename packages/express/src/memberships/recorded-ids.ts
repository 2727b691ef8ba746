import { BoundedMap } from '../platform/bounded-map.js';
import type { Clock } from '../platform/clock.js';

const MAX_IDS = 10_000;
const KEEP_MS = 24 * 3600_000;

/**
 * Compares the ids that this process records in the directory with those in the lists of visitors. The kit assumes that
 * both name a membership by the same id (assumption `membership-id-shared` in docs/live-service.md). If that is wrong, no
 * gate opens. Imports are not counted, because they can come from another source.
 */
export class RecordedIds {
  readonly #clock: Clock;
  readonly #recordedAt = new BoundedMap<string, number>(MAX_IDS);
  /** True once a visitor's list has contained a recorded id. No further comparison is necessary. */
  #isShared = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds ids that webhooks, provisioning or the app have recorded. */
  add(membershipIds: readonly string[]): void {
    if (this.#isShared) return;
    for (const id of membershipIds) this.#recordedAt.set(id.toLowerCase(), this.#clock.now());
  }

  /** Compares the ids of a visitor's list. */
  compare(membershipIds: readonly string[]): void {
    this.#isShared ||= membershipIds.some((id) => this.#recordedAt.has(id.toLowerCase()));
  }

  /** Number of ids that were recorded in the last day, if no visitor's list has contained any. Otherwise 0. */
  countWithoutVisitor(): number {
    if (this.#isShared) return 0;
    const now = this.#clock.now();
    return [...this.#recordedAt].filter(([, at]) => now - at < KEEP_MS).length;
  }
}

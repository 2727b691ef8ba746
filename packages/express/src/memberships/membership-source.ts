import { DAY_MS } from '@latchkey/contract/constants';
import { fetchMemberships, type OAuthService } from '@latchkey/oauth';
import QuickLRU from 'quick-lru';
import type { Clock } from '../platform/clock.js';
import type { DirectoryEntry, MembershipDirectory } from '../stores/kit-store.js';
import { type MembershipNames, type SiteMembership, siteMembership } from './site-membership.js';

/** Milliseconds to wait for the directory, which is a database of the app. */
const DIRECTORY_TIMEOUT_MS = 2_000;

/** The directory failed or did not respond, so it is unknown which memberships belong to this site. */
export class DirectoryUnavailableError extends Error {
  override readonly name = 'DirectoryUnavailableError';
}

/**
 * Fetches memberships of the service, and adds the content of the directory. It finds them by the `id` of the list
 * (assumption `membership-id-shared` in docs/live-service.md).
 */
export class MembershipSource {
  readonly #service: OAuthService;
  readonly #directory: MembershipDirectory | undefined;
  readonly #recordedIds: RecordedIds;
  readonly #names: MembershipNames | undefined;

  constructor(
    service: OAuthService,
    {
      directory,
      recordedIds,
      names,
    }: {
      directory: MembershipDirectory | undefined;
      recordedIds: RecordedIds;
      names?: MembershipNames | undefined;
    },
  ) {
    this.#service = service;
    this.#directory = directory;
    this.#recordedIds = recordedIds;
    this.#names = names;
  }

  /** @throws OAuthClientError of the service. DirectoryUnavailableError */
  async fetch(accessToken: string): Promise<SiteMembership[]> {
    const memberships = await fetchMemberships(this.#service, { accessToken });
    const ids = memberships.map(({ id }) => id);
    this.#recordedIds.compare(ids);
    const entries = await this.#find(ids);
    return memberships.map((membership) =>
      siteMembership(membership, entries.get(membership.id.toLowerCase()), this.#names),
    );
  }

  async #find(membershipIds: readonly string[]): Promise<ReadonlyMap<string, DirectoryEntry>> {
    const directory = this.#directory;
    if (directory === undefined || membershipIds.length === 0) return new Map();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(
          new DirectoryUnavailableError(
            `The membership directory did not respond within ${DIRECTORY_TIMEOUT_MS} ms. Check that its database is reachable.`,
          ),
        );
      }, DIRECTORY_TIMEOUT_MS);
    });
    try {
      return await Promise.race([directory.find(membershipIds), timeout]);
    } catch (error) {
      if (error instanceof DirectoryUnavailableError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new DirectoryUnavailableError(`The membership directory failed: ${reason}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

const MAX_IDS = 5_000;

/**
 * Compares the ids that this process records in the directory with those in the lists of visitors. The kit assumes that
 * both name a membership by the same id (assumption `membership-id-shared` in docs/live-service.md). If that is wrong, no
 * gate opens. Imports are not counted, because they can come from another source.
 */
export class RecordedIds {
  readonly #clock: Clock;
  readonly #recordedAt = new QuickLRU<string, number>({ maxSize: MAX_IDS });
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
    return [...this.#recordedAt].filter(([, at]) => now - at < DAY_MS).length;
  }
}

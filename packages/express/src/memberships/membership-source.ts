import { fetchMemberships, type OAuthService } from '@latchkey/oauth';
import type { DirectoryEntry, MembershipDirectory } from './directory/membership-directory.js';
import type { RecordedIds } from './recorded-ids.js';
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

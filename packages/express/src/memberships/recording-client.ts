import type {
  CallOptions,
  LatchkeyClient,
  MessengerCheck,
  MessengerCheckRequest,
  ProvisionedMembership,
  ProvisionRequest,
} from '@latchkey/client';
import { docsUrl, isError } from '@latchkey/contract/constants';
import { type Clock, systemClock } from '../platform/clock.js';
import type { DirectoryRecord, MembershipDirectory } from '../stores/kit-store.js';

/** Calls of a `LatchkeyClient` that return memberships. */
export type MembershipCalls = Pick<LatchkeyClient, 'provisionExternal' | 'checkMessenger'>;

/**
 * Thrown if the service responded but the directory couldn't record the membership. Repeat the call with the same
 * request: at the service a repeated order is a no-op, and this time the membership is recorded.
 */
export class MembershipNotRecordedError extends Error {
  override readonly name = 'MembershipNotRecordedError';
  /** Id of the membership at the service. */
  readonly membershipId: string;
  /** URL of the entry in the documentation. Node.js prints it with an uncaught error. */
  readonly docs = docsUrl('troubleshooting', 'membership_not_recorded');

  constructor(membershipId: string, cause: unknown) {
    const reason = isError(cause) ? cause.message : String(cause);
    super(
      `The service answered with membership ${membershipId}, but the directory did not record it: ${reason} Send the same request again, with the same order id.`,
      { cause },
    );
    this.membershipId = membershipId;
  }
}

/**
 * Wraps a client: `provisionExternal` and `checkMessenger` record the membership in the directory, with the request's
 * community, before they resolve. All other calls stay as they are.
 * @param directory `auth.directory`, or any other directory.
 * @param options.clock the app's clock.
 * @default options.clock the system clock
 * @throws MembershipNotRecordedError from these two calls, if the directory fails.
 * @example const service = recordingClient(new LatchkeyClient({ serviceUrl, apiKey }), auth.directory);
 */
export function recordingClient<Client extends MembershipCalls>(
  client: Client,
  directory: Pick<MembershipDirectory, 'record'>,
  { clock = systemClock }: { clock?: Clock | undefined } = {},
): Client {
  const record = async (statement: DirectoryRecord) => {
    try {
      await directory.record(statement);
    } catch (error) {
      throw new MembershipNotRecordedError(statement.membershipId, error);
    }
  };
  const calls: MembershipCalls = {
    async provisionExternal(
      request: ProvisionRequest,
      options?: CallOptions,
    ): Promise<ProvisionedMembership> {
      // The service's event about this call is later than the call's start, so the event wins.
      const startedAt = clock.now();
      const membership = await client.provisionExternal(request, options);
      const { membershipId, status } = membership;
      await record({ membershipId, communityId: request.communityId, ...planOf(request, status, startedAt) });
      return membership;
    },
    async checkMessenger(request: MessengerCheckRequest, options?: CallOptions): Promise<MessengerCheck> {
      const check = await client.checkMessenger(request, options);
      if (check.membershipId !== null) {
        await record({ membershipId: check.membershipId, communityId: request.communityId });
      }
      return check;
    },
  };
  // The other methods use the client's private fields, so they must run on the client itself.
  return new Proxy(client, {
    get(target, name) {
      if (name === 'provisionExternal' || name === 'checkMessenger') return calls[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Start of the year 2000: every other statement is newer. */
const OLDEST_MS = 946_684_800_000;

/** Returns the plan after a provisioning, if its result states it. */
function planOf(
  { pricingPlanId, onOverlap }: ProvisionRequest,
  status: ProvisionedMembership['status'],
  startedAt: number,
): Pick<DirectoryRecord, 'pricingPlanId' | 'observedAt'> {
  // Repeating an order is a no-op, and by now the plan may differ. If the response has no status, assume it was a
  // repeat.
  if (status === undefined || status === 'idempotent_return') return { pricingPlanId, observedAt: OLDEST_MS };
  const isReplaced = status === 'replaced' || (status === 'extended' && onOverlap === 'replace');
  return { pricingPlanId: pricingPlanId ?? (isReplaced ? null : undefined), observedAt: startedAt };
}

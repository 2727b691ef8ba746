import { type Permission, type ServiceNames, UUID } from '@latchkey/contract/constants';
import type { FindClient, Grants } from './grants.js';
import type { FakeEvent, Reading } from './reading.js';
import type { FakeRequest } from './request.js';
import type { OAuthError } from './request-checks.js';
import { type Clock, DEFAULT_OWNER, type FakeUser, type World } from './world.js';

export interface ServiceState {
  clock: Clock;
  names: ServiceNames;
  reading: Reading;
  findClient: FindClient;
  grants: Grants;
  world: World;
  respond: ReturnType<typeof createResponses>;
  /** True if the service checks no client, code or token, and responds for its visitor. */
  isUnchecked: boolean;
  baseUrl(): string;
  /** Sends the events of one change to the registered endpoints, without waiting for them. */
  emit(...events: readonly NewEvent[]): void;
  /** Returns the user at the browser, who consents at once, or undefined if the user declines. */
  visitor(): FakeUser | undefined;
  /** Returns the scopes that the user grants, out of the requested ones. */
  granted(requested: readonly string[]): readonly string[];
}

export type NewEvent = Omit<FakeEvent, 'id' | 'at'>;

/** Creates the service's responses with a body. */
export function createResponses({ reading, clock }: Pick<ServiceState, 'reading' | 'clock'>) {
  return {
    success: (status: 200 | 201, data: object) => reading.json(reading.success(data), status),
    failure: (status: number, errorCode: string, message: string) =>
      reading.json({ success: false, errorCode, message }, status),
    /** To a request that is rejected before its endpoint runs (specification, "Pre-endpoint rejection body"). */
    rejection({ path }: Pick<FakeRequest, 'path'>, status: number, message: string) {
      const timestamp = new Date(clock.now()).toISOString();
      return reading.json({ success: false, message, statusCode: status, timestamp, path }, status);
    },
    oauthError({ status, error, error_description: text }: OAuthError) {
      const described = text === undefined ? {} : { error_description: reading.description(error, text) };
      return reading.json({ error, ...described }, status);
    },
  };
}

/** Returns the rejection of a request without a valid key or a permission (specification, "API keys"). */
export function rejectKey(
  request: FakeRequest,
  context: ServiceState,
  permissions: readonly Permission[],
): Response | undefined {
  const { names, reading, world } = context;
  const key = keyOf(request);
  const known = world.apiKeys.find((each) => each.key === key);
  if (!key.startsWith(names.apiKeyPrefix) || (known === undefined && world.apiKeys.length > 0)) {
    return context.respond.rejection(request, 401, reading.messages.keyRejected);
  }
  const isAllowed = known === undefined || permissions.every((each) => known.permissions.includes(each));
  return isAllowed ? undefined : context.respond.rejection(request, 403, reading.messages.missingPermission);
}

/** Returns the failure of a request for a community where the key's owner has no role. */
export function rejectRole(
  request: FakeRequest,
  context: ServiceState,
  communityId: string,
): Response | undefined {
  const { reading, world } = context;
  const ownerId = world.apiKeys.find(({ key }) => key === keyOf(request))?.ownerId ?? DEFAULT_OWNER;
  const community = world.findCommunity(communityId);
  if (community === undefined && reading.unknownCommunityStatus === 404) {
    return context.respond.failure(404, 'community_not_found', reading.messages.unknownCommunity);
  }
  if (community?.ownerId === ownerId || community?.adminIds.includes(ownerId)) return undefined;
  return context.respond.rejection(request, 403, reading.messages.missingRole);
}

function keyOf({ headers }: FakeRequest): string {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

const EMAIL = /^[^@\s]+@[^@\s]+$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

export type FieldCheck = (value: unknown) => boolean;

export const isUuid: FieldCheck = (value) => typeof value === 'string' && UUID.test(value);
export const isEmail: FieldCheck = (value) => typeof value === 'string' && EMAIL.test(value.trim());
export const isText: FieldCheck = (value) => typeof value === 'string' && value !== '';
export const isTimestamp: FieldCheck = (value) => typeof value === 'string' && TIMESTAMP.test(value);
export const isUrl: FieldCheck = (value) => typeof value === 'string' && URL.canParse(value);
export const isMessengerUserId: FieldCheck = (value) => Number.isInteger(value) && Number(value) >= 1;
export const optional =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    value === undefined || check(value);

export function rejectFields(
  request: FakeRequest,
  context: ServiceState,
  checks: Readonly<Record<string, FieldCheck>>,
): Response | undefined {
  const name = Object.keys(checks).find((each) => checks[each]?.(request.fields[each]) === false);
  if (name === undefined) return undefined;
  return context.respond.rejection(request, 400, context.reading.messages.invalidField(name));
}

/** Returns an email address as the service compares it: trimmed and in lower case. */
export function normalizedEmail(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim().toLowerCase() : undefined;
}

import type { ServiceNames } from '@latchkey/contract/constants';
import type { FindClient, Grants } from './grants.js';
import type { FakeEvent, Reading } from './reading.js';
import type { FakeRequest } from './request.js';
import type { OAuthError } from './request-checks.js';
import type { Clock, FakeUser, World } from './world.js';

/** What the fake service's endpoints use. */
export interface ServiceState {
  clock: Clock;
  names: ServiceNames;
  reading: Reading;
  findClient: FindClient;
  grants: Grants;
  world: World;
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

/** An event without its id and its time. */
export type NewEvent = Omit<FakeEvent, 'id' | 'at'>;

type Context = Pick<ServiceState, 'reading' | 'clock'>;

export function respondOAuthError(
  { reading }: Pick<Context, 'reading'>,
  { status, error, error_description: description }: OAuthError,
): Response {
  const described =
    description === undefined ? {} : { error_description: reading.description(error, description) };
  return reading.json({ error, ...described }, status);
}

/** Returns the response to a request that is rejected before its endpoint runs (specification, "Pre-endpoint rejection body"). */
export function respondRejection(
  { reading, clock }: Context,
  { path }: Pick<FakeRequest, 'path'>,
  { status, message }: { status: number; message: string },
): Response {
  const timestamp = new Date(clock.now()).toISOString();
  return reading.json({ success: false, message, statusCode: status, timestamp, path }, status);
}

export function respondFailure(
  { reading }: Pick<Context, 'reading'>,
  { status, errorCode, message }: { status: number; errorCode: string; message: string },
): Response {
  return reading.json({ success: false, errorCode, message }, status);
}

export function respondSuccess(
  { reading }: Pick<Context, 'reading'>,
  { status, data }: { status: 200 | 201; data: object },
): Response {
  return reading.json(reading.success(data), status);
}

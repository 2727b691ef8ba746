import type { RequestSummary } from '@latchkey/sandbox';
import type { ControlQuery } from '../../api/control-api.js';
import type { Place } from '../../shell/place.js';

/** Filters of the log, as the page's address has them. An empty one filters nothing. */
export interface RequestFilters {
  readonly text: string;
  /** Status or class, such as `404` or `4xx`. */
  readonly status: string;
  /** Client id, key name, or owner of a key. */
  readonly client: string;
  /** Name of the endpoint; `page` for forms of pages. */
  readonly endpoint: string;
  readonly failed: boolean;
}

/** Filters that show every request. */
export const NO_FILTERS: RequestFilters = { text: '', status: '', client: '', endpoint: '', failed: false };

/** Endpoints of the service by the names that the log uses. */
export const ENDPOINT_NAMES: readonly string[] = [
  ...['authorize', 'token', 'revoke', 'userinfo', 'memberships', 'products', 'clientIdentity'],
  ...['provisionExternal', 'inviteLink', 'checkMessenger', 'buyPlan', 'dropSignup', 'page'],
];

const STATUS = /^[1-5](?:\d\d|xx)$/;

/** Reads the filters of the page's address. */
export function filtersOf(place: Place): RequestFilters {
  const status = place.get('status');
  return {
    text: place.get('text'),
    status: STATUS.test(status) ? status : '',
    client: place.get('client'),
    endpoint: place.get('endpoint'),
    failed: place.get('failed') === 'true',
  };
}

/** Returns the filters as parameters of the address, or of a call. */
export function parametersOf({ failed, ...texts }: RequestFilters): Record<string, string | null> {
  const given = Object.entries(texts).map(([name, value]) => [name, value === '' ? null : value]);
  return { ...Object.fromEntries(given), failed: failed ? 'true' : null };
}

/** Returns the filters as query of the control API. */
export function queryOf(filters: RequestFilters): ControlQuery {
  return parametersOf(filters);
}

/** True if any filter is set. */
export function hasFilters(filters: RequestFilters): boolean {
  return Object.values(parametersOf(filters)).some((value) => value !== null);
}

/** Returns the name of the client or key that sent a request; empty if it is unknown. */
export function callerName({ caller }: Pick<RequestSummary, 'caller'>): string {
  if (caller === null) return '';
  return caller.kind === 'client' ? caller.clientId : caller.keyName;
}

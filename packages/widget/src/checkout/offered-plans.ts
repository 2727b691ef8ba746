import type { CheckoutFailure, Plan } from '../state/checkout-state.js';
import { kitAddress } from './kit-address.js';
import { requestKit } from './kit-request.js';

export type OfferedPlans =
  | { kind: 'loaded'; plans: readonly Plan[] }
  | { kind: 'failed'; failure: CheckoutFailure };

/** Running and successful requests, by address. Several elements of a page send one request. */
const requests = new Map<string, Promise<OfferedPlans>>();

/**
 * Returns the plans that a backend offers.
 * @param isReload true to request them again.
 * @throws SettingError if the backend is not of this site.
 */
export function offeredPlans(backend: string | undefined, isReload = false): Promise<OfferedPlans> {
  const url = kitAddress(backend, 'plans');
  const request = (!isReload && requests.get(url)) || requestPlans(url);
  requests.set(url, request);
  return request;
}

async function requestPlans(url: string): Promise<OfferedPlans> {
  const { status, body } = await requestKit(url);
  if (status === 200 && Array.isArray(body.plans)) {
    return { kind: 'loaded', plans: body.plans.flatMap(readPlan) };
  }
  requests.delete(url);
  const isMissing = status === 404;
  const message = isMissing
    ? `GET ${url} returned 404. Mount auth.checkout({ client, plans }) of @latchkey/express there, or correct "backend".`
    : `GET ${url} returned ${status || 'no response'}.`;
  const code = isMissing ? 'misconfigured' : 'plans_unavailable';
  return { kind: 'failed', failure: { code, during: 'load', message } };
}

/** Returns a plan, or nothing if a required field is missing. */
function readPlan(value: unknown): Plan[] {
  const { id, communityId, name, price, term, description } = Object(value) as Partial<Plan>;
  if (typeof id !== 'string' || typeof name !== 'string') return [];
  return [
    {
      id,
      communityId: textOf(communityId),
      name,
      price: textOf(price) ?? '',
      term: textOf(term) ?? '',
      description: textOf(description),
    },
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

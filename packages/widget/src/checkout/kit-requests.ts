import { baseHint } from '../browser/addresses.js';
import type { CheckoutErrorCode, CheckoutFailure, Plan } from '../state/checkout-state.js';

type OfferedPlans = { kind: 'loaded'; plans: readonly Plan[] } | { kind: 'failed'; failure: CheckoutFailure };

/** Running and successful requests, by address. The elements of a page share them. */
const requests = new Map<string, Promise<OfferedPlans>>();

/**
 * Returns the plans that a backend offers.
 * @param isReload true to request them again. Default false.
 * @throws SettingError if the backend is missing or on another origin.
 */
export function offeredPlans(backend: string | undefined, isReload = false): Promise<OfferedPlans> {
  const url = kitAddress(backend, 'plans');
  const request = (!isReload && requests.get(url)) || requestPlans(url);
  requests.set(url, request);
  return request;
}

async function requestPlans(url: string): Promise<OfferedPlans> {
  const { status, form, body } = await requestKit(url);
  if (status === 200 && Array.isArray(body.plans)) {
    return { kind: 'loaded', plans: body.plans.flatMap(readPlan) };
  }
  requests.delete(url);
  const isMissing = status === 404;
  const message = isMissing
    ? `GET ${url} returned 404. Mount auth.checkout({ client, plans }) of @latchkey/express there, or correct "backend".`
    : `GET ${url} returned ${form}.`;
  const code = isMissing ? 'misconfigured' : 'plans_unavailable';
  return { kind: 'failed', failure: { code, during: 'load', message } };
}

/** Returns a list with the plan. The list is empty if the id or the name is missing. */
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

type CheckoutResult =
  | { kind: 'created'; checkoutUrl: string }
  /** `signInUrl`: page of this site that asks for the missing permission. */
  | { kind: 'sign-in-required'; signInUrl?: string | undefined }
  /** The account has no email address. The kit's page asks for one. */
  | { kind: 'email-required' }
  | { kind: 'failed'; failure: CheckoutFailure };

/** The kit's error codes that become the failure's code unchanged. */
const CODES: readonly unknown[] = [
  'plan_unknown',
  'already_member',
  'already_paid',
  'checkout_refused',
  'service_unavailable',
] satisfies CheckoutErrorCode[];

/**
 * Requests a checkout for a plan from the kit, as the signed-in user.
 * @throws SettingError if the backend is missing or on another origin.
 */
export async function requestCheckout(
  backend: string | undefined,
  { planId, returnTo }: { planId: string; returnTo: string },
): Promise<CheckoutResult> {
  const url = kitAddress(backend, 'checkout');
  return readResult(url, await requestKit(url, { plan: planId, returnTo }));
}

function readResult(url: string, { status, form, body }: KitResponse): CheckoutResult {
  const { checkoutUrl, error, message = '', continueUrl } = body;
  const address = webAddress(checkoutUrl);
  if (status === 200 && address) return { kind: 'created', checkoutUrl: address };
  if (error === 'sign_in_required') return { kind: 'sign-in-required' };
  if (error === 'insufficient_scope')
    return { kind: 'sign-in-required', signInUrl: sitePath(body.signInUrl) };
  if (error === 'email_required') return { kind: 'email-required' };
  const code = status === 0 ? 'network' : CODES.includes(error) ? error : codeOf(status);
  return {
    kind: 'failed',
    failure: {
      code: code as CheckoutErrorCode,
      during: 'checkout',
      message: `POST ${url} returned ${form}. ${message}`,
      continueUrl: sitePath(continueUrl),
    },
  };
}

/** A 2xx without a checkout address, and a 5xx, are failures of the service. Any other response isn't the kit's. */
function codeOf(status: number): CheckoutErrorCode {
  return status < 300 || status >= 500 ? 'service_unavailable' : 'misconfigured';
}

const TIMEOUT_MS = 30_000;

/** The kit's response. `status` is 0 if none arrived. */
interface KitResponse {
  status: number;
  /** What arrived, for error messages: the status, `a redirect` or the reason why nothing did. */
  form: string;
  body: Record<string, unknown>;
}

/** Requests JSON from the kit, with this site's cookies. Sends a POST if there is a body, else a GET. Never throws. */
async function requestKit(url: string, body?: object): Promise<KitResponse> {
  try {
    const response = await fetch(new URL(url, document.baseURI), {
      method: body ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      credentials: 'same-origin',
      // A response from another site isn't the kit's.
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // A redirect that is not followed has status 0.
    const { status } = response;
    if (!status) return { status: 302, form: 'a redirect', body: {} };
    const json: unknown = await response.json().catch(() => undefined);
    const form = json === undefined ? `${status}, no JSON` : `${status}`;
    return { status, form, body: Object(json) };
  } catch (error) {
    return { status: 0, form: `no response: ${error}`, body: {} };
  }
}

/** Thrown if a setting of the site is wrong. */
export class SettingError extends Error {}

/**
 * Returns an address of the kit: `path` below the backend.
 * @throws SettingError if the backend is missing or on another origin.
 */
export function kitAddress(backend: string | undefined, path: string): string {
  const base = (backend ?? '').replace(/\/+$/, '');
  const isOwn = base !== '' && originOf(`${base}/`) === location.origin;
  if (isOwn) return `${base}/${path}`;
  throw new SettingError(
    `backend: must be the path of ${location.origin} where the kit is mounted, such as "/auth"; got "${backend ?? ''}".${baseHint(backend)}`,
  );
}

/** Returns the path, query and fragment of a page of this site, or `undefined` for any other address. */
export function sitePath(address: unknown): string | undefined {
  if (typeof address !== 'string' || originOf(address) !== location.origin) return undefined;
  const { pathname, search, hash } = new URL(address, document.baseURI);
  // On its own, a path that begins with two slashes would lead to another host.
  return pathname.startsWith('//') ? undefined : pathname + search + hash;
}

/** Returns the address if it is an absolute http or https URL, else `undefined`. */
export function webAddress(address: unknown): string | undefined {
  return typeof address === 'string' && /^https?:\/\//i.test(address) && URL.canParse(address)
    ? address
    : undefined;
}

function originOf(address: string): string | undefined {
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).origin : undefined;
}

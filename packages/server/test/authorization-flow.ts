import { oauthErrorSchemas } from '@latchkey/contract';
import { expect } from 'vitest';
import { type Browser, redirectQuery } from './browser.js';
import { formOf, parsePage } from './pages/page-document.js';
import {
  BACKEND_SHOP,
  CODE_CHALLENGE,
  CODE_VERIFIER,
  CONFIDENTIAL,
  PUBLIC,
  type ReachableService,
  SECRET,
  type ServiceUnderTest,
} from './service-under-test.js';

const invalidRequest = oauthErrorSchemas(['invalid_request']).strict;

type Parameters = Record<string, string | undefined>;

const CONFIDENTIAL_REDIRECT_URI = `${BACKEND_SHOP}/auth/callback`;

/** Redirect URI of the seeded public client. */
export function callbackOf({ baseUrl }: ReachableService): string {
  return `${baseUrl}/widget/callback/${PUBLIC}`;
}

/** Valid authorization request of the public client, with changes. `undefined` omits a parameter. */
export function publicRequest(service: ReachableService, changes: Parameters = {}): Record<string, string> {
  return withoutUndefined({
    client_id: PUBLIC,
    redirect_uri: callbackOf(service),
    scope: 'memberships.read',
    state: 'state-of-the-client',
    code_challenge: CODE_CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  });
}

/** Valid authorization request of the confidential client, without PKCE, with changes. */
export function confidentialRequest(changes: Parameters = {}): Record<string, string> {
  return withoutUndefined({
    client_id: CONFIDENTIAL,
    redirect_uri: CONFIDENTIAL_REDIRECT_URI,
    scope: 'memberships.read',
    state: 'state-of-the-client',
    ...changes,
  });
}

export function authorizePath(parameters: Record<string, string>): string {
  return `/oauth/authorize?${new URLSearchParams(parameters)}`;
}

export function consentPath(parameters: Record<string, string>): string {
  return `/oauth/consent?${new URLSearchParams(parameters)}`;
}

/** Returns the hidden fields of the consent page's form for a request, in a signed-in browser. */
export async function consentFields(
  browser: Browser,
  parameters: Record<string, string>,
): Promise<Record<string, string>> {
  const page = await browser.get(consentPath(parameters));
  return Object.fromEntries(formOf(parsePage(await page.text()), '/oauth/consent').hidden);
}

/** Returns a browser in which a seeded user is signed in. */
export async function signedIn(service: ReachableService, email = 'ada@example.com'): Promise<Browser> {
  const browser = service.browser();
  await browser.post('/sandbox/sign-in', { email });
  return browser;
}

/** Approves a request in a signed-in browser and returns the code. */
export async function allow(browser: Browser, parameters: Record<string, string>): Promise<string> {
  const fields = await consentFields(browser, parameters);
  const response = await browser.post('/oauth/consent', { ...fields, decision: 'allow' });
  return redirectQuery(response).code ?? '';
}

/** Returns a new code of the public client for Ada. */
export async function publicCode(service: ReachableService, changes: Parameters = {}): Promise<string> {
  return await allow(await signedIn(service), publicRequest(service, changes));
}

/** Returns a new code of the confidential client for Ada. */
export async function confidentialCode(service: ReachableService, changes: Parameters = {}): Promise<string> {
  return await allow(await signedIn(service), confidentialRequest(changes));
}

/** Valid redemption of a code of the public client, with changes. */
export function publicRedemption(service: ReachableService, code: string, changes: Parameters = {}) {
  return withoutUndefined({
    grant_type: 'authorization_code',
    client_id: PUBLIC,
    code,
    redirect_uri: callbackOf(service),
    code_verifier: CODE_VERIFIER,
    ...changes,
  });
}

/** Valid redemption of a code of the confidential client, with changes. */
export function confidentialRedemption(code: string, changes: Parameters = {}) {
  return withoutUndefined({
    grant_type: 'authorization_code',
    client_id: CONFIDENTIAL,
    client_secret: SECRET,
    code,
    redirect_uri: CONFIDENTIAL_REDIRECT_URI,
    ...changes,
  });
}

/** Posts a form to the token endpoint. */
export async function postToken(service: ReachableService, form: Record<string, string>): Promise<Response> {
  return await service.request('/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
}

/** Posts JSON to the token endpoint. A string is sent unchanged. */
export async function postTokenJson(
  service: ReachableService,
  body: unknown,
  headers: Record<string, string> = {},
) {
  return await service.request('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Fields of a token pair that the tests read. A separate test checks the exact shape. */
export interface TokenPairBody {
  access_token: string;
  refresh_token: string;
}

/** Returns a token pair of the public client for a user. */
export async function publicTokens(
  service: ReachableService,
  { email = 'ada@example.com', scope = 'memberships.read' } = {},
): Promise<TokenPairBody> {
  const code = await allow(await signedIn(service, email), publicRequest(service, { scope }));
  return (await (await postToken(service, publicRedemption(service, code))).json()) as TokenPairBody;
}

/** Returns a token pair of the confidential client for Ada. */
export async function confidentialTokens(service: ReachableService): Promise<TokenPairBody> {
  const code = await confidentialCode(service);
  return (await (await postToken(service, confidentialRedemption(code))).json()) as TokenPairBody;
}

/** Refreshes a token pair of the public client. */
export async function refreshPublic(service: ReachableService, refreshToken: string): Promise<Response> {
  return await postToken(service, {
    grant_type: 'refresh_token',
    client_id: PUBLIC,
    refresh_token: refreshToken,
  });
}

/** Revokes a token. The form has the credentials of its client. */
export async function revoke(service: ReachableService, form: Record<string, string>): Promise<Response> {
  return await service.request('/oauth/revoke', { method: 'POST', body: new URLSearchParams(form) });
}

/** Calls a resource with a bearer token. */
export async function callResource(
  service: ReachableService,
  accessToken: string,
  path = '/oauth/userinfo',
): Promise<Response> {
  return await service.request(path, { headers: { authorization: `Bearer ${accessToken}` } });
}

/** Returns the status and the `error` of a response of the OAuth surface. */
export async function errorOf(response: Response): Promise<{ status: number; error: unknown }> {
  const { error } = (await response.json()) as { error?: unknown };
  return { status: response.status, error };
}

function withoutUndefined(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Sends a request as a user with an earlier consent to the client, so every valid request gets a code. */
export async function authorize(
  service: ServiceUnderTest,
  query: Record<string, string> | string,
): Promise<Response> {
  const browser = await signedIn(service);
  await allow(browser, publicRequest(service, { scope: 'memberships.read products.read' }));
  await allow(browser, confidentialRequest({ scope: 'memberships.read products.read' }));
  const path = typeof query === 'string' ? `/oauth/authorize?${query}` : authorizePath(query);
  // The sandbox shows browsers a page about a wrong request.
  return await browser.get(path, { accept: '*/*' });
}

/** Asserts that authorize rejects a request without a redirect, and returns the error description. */
export async function expectRejection(response: Response): Promise<string> {
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  return invalidRequest.parse(await response.json()).error_description;
}

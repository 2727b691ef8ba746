import type { FakeRequest } from './fake-request.js';

const ALLOWED = { 'access-control-allow-origin': '*' };

/** Returns the response to a preflight request, or undefined for any other request. */
export function preflightResponse({ method }: FakeRequest): Response | undefined {
  if (method !== 'OPTIONS') return undefined;
  const headers = { ...ALLOWED, 'access-control-allow-headers': 'authorization, content-type' };
  return new Response(null, { status: 204, headers });
}

/** Lets pages of every origin read a response, as the widget needs. */
export function allowEveryOrigin({ headers }: Response): void {
  for (const [name, value] of Object.entries(ALLOWED)) headers.set(name, value);
}

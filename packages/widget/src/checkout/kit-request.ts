/** Timeout of one request, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** The kit's response. `status` is 0 if none arrived. */
export interface KitResponse {
  status: number;
  body: Record<string, unknown>;
}

/** Requests JSON from the kit, with the cookie of this site. Sends a POST request if there is a body. */
export async function requestKit(url: string, body?: object): Promise<KitResponse> {
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      credentials: 'same-origin',
      // Another site's answer is no answer of the kit.
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, body: Object(await response.json().catch(() => undefined)) };
  } catch {
    return { status: 0, body: {} };
  }
}

import { endlessResponses } from '@latchkey/conformance/scripted-service';
import { describe, expect, it } from 'vitest';
import {
  fetchMemberships,
  fetchProducts,
  isOAuthClientError,
  limitAnswers,
  type Membership,
  type OAuthService,
} from '../src/index.js';
import { ANSWER_MAX_BYTES, MEMBERSHIPS_MAX_BYTES } from '../src/limited-answers.js';

const serviceWith = (respond: () => Response): OAuthService => ({
  serviceUrl: 'https://service.example',
  clientId: 'oac_a1b2c3d4e5f60718293a4b5c',
  fetch: limitAnswers(async () => respond()),
});
const request = (service: OAuthService) => fetchProducts(service, { accessToken: 'at' });
const listOf = (service: OAuthService) => fetchMemberships(service, { accessToken: 'at' });
const failureOf = (service: OAuthService, call: typeof request | typeof listOf = request) =>
  call(service).then(
    () => 'no failure',
    (error: unknown) => (isOAuthClientError(error) ? { ...error, code: error.code } : error),
  );

describe('limitAnswers', () => {
  it.each([200, 400, 500])(
    'cancels an endless body with status %i early and returns `answer_too_large`',
    async (status) => {
      const endless = endlessResponses(status);
      expect(await failureOf(serviceWith(endless.script))).toMatchObject({
        code: 'service_error',
        error: 'answer_too_large',
        errorDescription: `the response with status ${status} exceeds 1000000 bytes`,
      });
      expect(endless.cancelled).toBe(1);
      expect(endless.bytesRead).toBeLessThan(2 * ANSWER_MAX_BYTES);
    },
  );

  it('reads nothing of a body whose content-length is too large', async () => {
    const endless = endlessResponses(200, { 'content-length': '100000000' });
    expect(await failureOf(serviceWith(endless.script))).toMatchObject({ error: 'answer_too_large' });
    expect(endless.cancelled).toBe(1);
    expect(endless.bytesRead).toBeLessThan(200_000);
  });

  it('accepts a body of exactly the maximum size and rejects one byte more', async () => {
    const text = JSON.stringify({ products: [], padding: 'ü'.repeat(10) });
    const full = text + ' '.repeat(ANSWER_MAX_BYTES - new TextEncoder().encode(text).length);
    expect(await request(serviceWith(() => new Response(full)))).toEqual([]);
    expect(await failureOf(serviceWith(() => new Response(`${full} `)))).toMatchObject({
      error: 'answer_too_large',
    });
  });

  it('reads a list of 20,000 memberships, which is complete', async () => {
    const memberships: Membership[] = Array.from({ length: 20_000 }, (_, index) => ({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      productType: 'community',
      isActive: true,
      validFrom: '2026-06-12T14:05:00.000Z',
      validUntil: null,
    }));
    const text = JSON.stringify({ memberships });
    expect(text.length).toBeGreaterThan(2 * ANSWER_MAX_BYTES);
    const listed = await listOf(serviceWith(() => new Response(text)));
    expect(listed).toHaveLength(20_000);
    expect(listed.at(-1)).toEqual(memberships.at(-1));
  });

  it('cancels an endless list of memberships at its own limit, and an error at the limit of other responses', async () => {
    for (const [status, limit] of [
      [200, MEMBERSHIPS_MAX_BYTES],
      [401, ANSWER_MAX_BYTES],
    ] as const) {
      const endless = endlessResponses(status);
      expect(await failureOf(serviceWith(endless.script), listOf)).toMatchObject({
        error: 'answer_too_large',
        errorDescription: `the response with status ${status} exceeds ${limit} bytes`,
      });
      expect(endless.cancelled).toBe(1);
      expect(endless.bytesRead).toBeLessThan(limit + ANSWER_MAX_BYTES);
    }
  });

  it('returns empty responses and error responses unchanged', async () => {
    const send = limitAnswers(async () => new Response(null, { status: 204, headers: { 'x-a': 'b' } }));
    const empty = await send('https://service.example');
    expect([empty.status, empty.headers.get('x-a'), await empty.text()]).toEqual([204, 'b', '']);
    const rejection = () => Response.json({ error: 'invalid_token' }, { status: 401 });
    expect(await failureOf(serviceWith(rejection))).toMatchObject({ code: 'invalid_token', status: 401 });
  });

  it('stops reading when the caller aborts', async () => {
    const caller = new AbortController();
    const service: OAuthService = {
      ...serviceWith(() => Response.json({})),
      fetch: limitAnswers(async (_input, init) => {
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(new Uint8Array(10));
            init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
          },
        });
        queueMicrotask(() => caller.abort());
        return new Response(body);
      }),
    };
    const reading = fetchMemberships(service, { accessToken: 'at', signal: caller.signal });
    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  });
});

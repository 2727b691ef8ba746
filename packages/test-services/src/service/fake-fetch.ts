import { fakeRequest } from '../messages/fake-request.js';
import type { FakeService } from './fake-service.js';
import type { Outcome } from './outcome.js';

/** Returns a `fetch` that answers from a fake service, without a network. */
export function fakeFetch(service: Pick<FakeService, 'handle'>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url, headers } = request;
    const body = await request.text();
    const handled = service.handle(fakeRequest({ method, url, headers: Object.fromEntries(headers), body }));
    const signal = init?.signal;
    signal?.throwIfAborted();
    return new Promise<Response>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      handled.then((outcome) => deliver(outcome, resolve, reject), reject);
    });
  };
}

function deliver(
  outcome: Outcome,
  resolve: (response: Response) => void,
  reject: (error: Error) => void,
): void {
  if (outcome.kind === 'response') resolve(outcome.response);
  if (outcome.kind === 'reset') reject(outcome.error);
  if (outcome.kind === 'truncated') resolve(truncatedResponse(outcome.response));
}

/** A response with the same head, and a body that fails at once. */
function truncatedResponse({ status, headers }: Response): Response {
  const body = new ReadableStream({
    start: (controller) => controller.error(new TypeError('terminated')),
  });
  return new Response(body, { status, headers });
}

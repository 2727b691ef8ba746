import type { RequestSummary } from '../src/index.js';
import type { SandboxUnderTest } from './sandbox-under-test.js';

/**
 * Waits until the log has the requests. An entry is written after its response, when the caller already goes on.
 *
 * @param count number of requests that match.
 */
export async function waitForRequests(
  { server }: Pick<SandboxUnderTest, 'server'>,
  matches: (request: RequestSummary) => boolean,
  count = 1,
): Promise<void> {
  const { events } = server.control;
  const isDone = () => {
    const seen = events
      .since(0)
      .filter(({ type, data }) => type === 'request' && matches(data as RequestSummary));
    return seen.length >= count;
  };
  let unsubscribe: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    unsubscribe = events.subscribe(() => isDone() && resolve());
    if (isDone()) resolve();
  });
  unsubscribe?.();
}

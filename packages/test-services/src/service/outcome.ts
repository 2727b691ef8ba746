import type { Reply } from './script.js';

/** The result of one request, before a socket or a `fetch` delivers it. */
export type Outcome =
  | { kind: 'response'; response: Response }
  | { kind: 'truncated'; response: Response }
  | { kind: 'reset'; error: Error }
  | { kind: 'hang' };

/** Applies a scripted reply. `respond` processes the request and resolves to its regular response. */
export async function outcomeOf(
  reply: Reply | undefined,
  respond: () => Promise<Response>,
  released: () => Promise<void>,
): Promise<Outcome> {
  if (reply instanceof Error) return { kind: 'reset', error: reply };
  const fault = reply instanceof Response ? undefined : reply;
  if (fault?.kind === 'hang') return { kind: 'hang' };
  if (fault?.kind === 'reset') return connectionReset();
  const response = reply instanceof Response ? reply : await respond();
  await released();
  if (fault !== undefined && 'delayMs' in fault) await pause(fault.delayMs);
  if (fault?.kind === 'response-lost') return connectionReset();
  return { kind: fault?.kind === 'truncated' ? 'truncated' : 'response', response };
}

function connectionReset(): Outcome {
  return { kind: 'reset', error: new TypeError('fetch failed: the connection was reset') };
}

export function pause(milliseconds: number | undefined): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

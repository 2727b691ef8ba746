import { expect } from 'vitest';
import { isLatchkeyApiError, type LatchkeyApiError } from '../src/index.js';

/** Returns the error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<LatchkeyApiError> {
  const settled = await call.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if ('error' in settled && isLatchkeyApiError(settled.error)) return settled.error;
  return expect.unreachable(`The call must reject with a LatchkeyApiError; got ${JSON.stringify(settled)}`);
}

import { expect } from 'vitest';
import { isLatchkeyApiError, type LatchkeyApiError } from '../src/index.js';

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<LatchkeyApiError> {
  const outcome = await call.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && isLatchkeyApiError(outcome.error)) return outcome.error;
  return expect.unreachable(
    `It should have failed with a LatchkeyApiError, but gave ${JSON.stringify(outcome)}`,
  );
}

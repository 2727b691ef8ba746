import { OperatorError } from '@latchkey/server';

/** Ignores the error that a user of the scenario is gone. Visitors of a sandbox can delete the account. */
export async function unlessDeleted(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'not_found')) throw error;
  }
}

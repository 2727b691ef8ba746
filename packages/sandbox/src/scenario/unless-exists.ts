import { OperatorError } from '@latchkey/server';

/** Ignores the error that the record already exists. */
export async function unlessExists(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'already_exists')) throw error;
  }
}

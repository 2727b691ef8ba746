import fc from 'fast-check';
import { Violation } from '../outcome/outcome-errors.js';
import type { Session } from '../session/session.js';

/**
 * Runs a property with the seed of the session. It stops at the first failure, whose request is the last one of the
 * check, so that the report ends with its curl command.
 */
export async function expectAlways<Input>(
  session: Session,
  input: fc.Arbitrary<Input>,
  holds: (input: Input) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(input, holds);
  const { seed, generatedRuns: numRuns } = session;
  const result = await fc.check(property, { seed, numRuns, endOnFailure: true });
  if (!result.failed) return;
  const { errorInstance } = result;
  if (!(errorInstance instanceof Violation)) throw errorInstance;
  throw new Violation(`${errorInstance.message} (generated, --seed ${seed})`);
}

import type { ServiceNames } from '@latchkey/contract/constants';
import type { OpenedOperator } from '@latchkey/server';
import type { Output } from '../command-line/command.js';
import { CommandFailure, failureJson, messageInFlags } from '../command-line/command-failure.js';
import { databaseText } from '../command-line/database-text.js';
import { printable } from '../command-line/printable.js';
import type { AdminOperation } from './operations/admin-operation.js';
import { resultText } from './result-text.js';

/** Base URL of operations that do not depend on it. */
const UNUSED_BASE_URL = 'https://unused.invalid';

/** Values that every operation is called with, beside its own. */
export interface AdminCall {
  readonly database: string;
  readonly baseUrl?: string;
  readonly serviceNames?: ServiceNames;
  readonly json: boolean;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Runs an operation on a database and prints its result.
 *
 * @returns the exit code.
 * @throws CommandFailure if the operation fails.
 */
export async function runAdminOperation(
  operation: AdminOperation,
  { database, baseUrl = UNUSED_BASE_URL, serviceNames, json, values }: AdminCall,
  output: Output,
): Promise<number> {
  // Errors in JSON are the only output on standard error.
  if (!json) output.warn(printable(`Database ${databaseText(database)}`));
  // Loaded only here, so that the help and usage errors appear without delay.
  const { openOperator, OperatorError } = await import('@latchkey/server');
  let opened: OpenedOperator | undefined;
  try {
    opened = await openOperator({ database, baseUrl, ...(serviceNames && { serviceNames }) });
    const result = await operation.run(opened.operator, values);
    output.print(json ? JSON.stringify(result.facts ?? {}) : resultText(result));
    return 0;
  } catch (error) {
    const message = messageInFlags(error);
    const code = error instanceof OperatorError ? error.code : 'failed';
    throw new CommandFailure(json ? failureJson(code, message) : message, {
      code,
      isJson: json,
      cause: error,
    });
  } finally {
    await opened?.close();
  }
}

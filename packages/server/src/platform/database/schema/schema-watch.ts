import type { Logger } from '../../logging/logger.js';
import type { Kysely } from '../kysely/kysely.js';
import { MIGRATIONS } from './migrations.js';
import type { Schema } from './schema.js';
import { checkCompatible, checkComplete, schemaStatus } from './schema-status.js';

/** Milliseconds for which a result is used. Load balancers call `/readyz` about every second. */
const RESULT_MS = 5_000;

/** Compares the schema of the database with this version while the process runs. */
export interface SchemaWatch {
  /**
   * True if this version works on the schema. The result is at most five seconds old. If the schema cannot be read, the last
   * result stays. Never rejects.
   */
  fits(): Promise<boolean>;
}

/**
 * Creates the watch of a process that has started, so its schema fits at first. After `latchkey migrate --contract` of the next
 * version, this version may not work, and a restored backup can lack what it uses. Each change of the result is logged.
 */
export function createSchemaWatch({ db, logger }: { db: Kysely<Schema>; logger: Logger }): SchemaWatch {
  let result = true;
  let readAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<boolean> | undefined;

  async function read(): Promise<boolean> {
    const problem = await readProblem(db);
    readAt = performance.now();
    const fits = problem === undefined;
    if (fits !== result) note(logger, problem);
    result = fits;
    return fits;
  }

  return {
    async fits() {
      if (performance.now() - readAt < RESULT_MS) return result;
      pending ??= read()
        .catch(() => result)
        .finally(() => {
          pending = undefined;
        });
      return await pending;
    },
  };
}

interface SchemaProblem {
  /** Migrations after which this version does not work, and missing ones. */
  readonly migrations: readonly string[];
  readonly message: string;
}

async function readProblem(db: Kysely<Schema>): Promise<SchemaProblem | undefined> {
  const status = await schemaStatus(db);
  try {
    checkCompatible(status);
    checkComplete(status);
    return undefined;
  } catch (error) {
    const { incompatible, pending } = status;
    return {
      migrations: [...incompatible, ...pending],
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

function note(logger: Logger, problem: SchemaProblem | undefined): void {
  const newestOfThisVersion = Object.keys(MIGRATIONS).at(-1);
  if (problem === undefined) {
    logger.info({ newestOfThisVersion }, 'This version works on the schema of the database again');
    return;
  }
  const { migrations, message } = problem;
  logger.error(
    { migrations, newestOfThisVersion },
    `This process no longer works on the schema, and is not ready. ${message}`,
  );
}

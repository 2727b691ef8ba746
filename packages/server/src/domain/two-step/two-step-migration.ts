import type { Database } from '../../platform/database/open-database.js';
import { hasMigration } from '../../platform/database/schema/has-migration.js';

/** Migration that creates the tables of two-step sign-in. */
export const TWO_STEP_MIGRATION = '0019-two-step-sign-in';

/** True if the database has the tables of two-step sign-in. No user has it on before. */
export async function isTwoStepAvailable(db: Database): Promise<boolean> {
  return await hasMigration(db, TWO_STEP_MIGRATION);
}

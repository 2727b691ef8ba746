import type { Kysely } from '../../kysely/kysely.js';

/** Change of the schema. Processes of the previous and of the next version run on the database while it is applied. */
export type Migration = ExpandMigration | ContractMigration;

/**
 * Adds to the schema, so that the previous version continues to work: tables, columns that may be null or have a default,
 * indexes, constraints that all existing writers keep.
 */
export interface ExpandMigration extends Step {
  readonly kind: 'expand';
}

/**
 * Removes what this version does not use, or lets it write what earlier versions cannot read. It runs on request only, when no
 * process of those versions is left. An expand migration must not depend on one, because it can run before it.
 */
export interface ContractMigration extends Step {
  readonly kind: 'contract';
  /**
   * Name of the oldest migration that a version must contain to work after this one.
   *
   * @default the name of this migration
   */
  readonly worksFrom?: string;
}

interface Step {
  /**
   * `none` for statements that cannot run in a transaction, such as `create index concurrently`, and for changes of rows in
   * batches. The migration must then be repeatable, because a crash can interrupt it anywhere.
   *
   * @default "one": the migration is applied completely or not at all
   */
  readonly transaction?: 'one' | 'none';
  up(db: Kysely<unknown>): Promise<void>;
}

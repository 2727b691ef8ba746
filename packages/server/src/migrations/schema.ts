import type { Selectable } from 'kysely';
import type { TABLES } from './0001-initial.js';
import type { TableTypes } from './migration.js';

/** The newest schema, as types for Kysely: the first migration, and here what later ones change. */
export interface Schema extends TableTypes<typeof TABLES> {}

/** Row that a query reads. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;

import type { Selectable } from 'kysely';
import { TABLES } from './0001-initial.js';
import type { TableTypes } from './migration.js';

/** The newest schema, as types for Kysely: the first migration, and here what later ones change. */
export interface Schema extends TableTypes<typeof TABLES> {}

/** All tables, referenced tables first. */
export const TABLE_NAMES = Object.keys(TABLES) as readonly (keyof Schema)[];

/** Row that a query reads. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;

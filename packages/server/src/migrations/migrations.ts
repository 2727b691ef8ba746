import { initial } from './0001-initial.js';
import type { Migration } from './migration.js';

/** Migrations by name. A name starts with a number of four digits, which gives the order. */
export type Migrations = Readonly<Record<string, Migration>>;

/** Migrations of this version. A released migration never changes. A change of the schema is a new one. */
export const MIGRATIONS: Migrations = { '0001-initial': initial };

import { initial } from './0001-initial.js';
import type { Migration } from './migration.js';

/** Migrations by name. Names start with a four-digit number, which gives the order. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The migrations of this version. A released migration never changes: every change of the schema is a new one. */
export const MIGRATIONS: Migrations = { '0001-initial': initial };

// Kysely for the modules outside of this folder. Migrations import the folder below, which imports nothing of ours.
export * from './kysely/kysely.js';

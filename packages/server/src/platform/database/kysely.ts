// Exports Kysely to other folders. Migrations import the folder below, because it depends on nothing of this project.
export * from './kysely/kysely.js';

// The only import of Kysely. The build bundles it into this file: loading its 257 modules takes a third of the start time.
export * from 'kysely';

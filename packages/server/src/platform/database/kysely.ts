// The only import of Kysely outside this folder and `schema/`.
export * from 'kysely';

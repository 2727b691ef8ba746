// The only import of Kysely outside of this folder and `schema/`.
export * from 'kysely';

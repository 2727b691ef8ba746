import { inject } from 'vitest';

// Runs before each test file of a project that needs PostgreSQL.
const failure = inject('postgres')?.failure;
if (failure !== undefined) throw new Error(failure);

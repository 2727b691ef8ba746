import { it } from 'vitest';
import { expectSignIn, MINUTE } from './initiated-site.js';

it('Next.js has a page with a button, and signs in at the sandbox', { timeout: 10 * MINUTE }, () =>
  expectSignIn('nextjs', 'typescript', ['sandbox', 'server', 'dev']),
);

import type { Request } from 'express';
import { LatchkeyOptionsError } from '../platform/options-error.js';

/**
 * Rejects Express 4, which does not await asynchronous handlers: an error in a gate would leave the request hanging.
 * @throws LatchkeyOptionsError on Express 4.
 */
export function requireExpress5({ app }: Request): void {
  // Express 5 removed this method.
  if (app === undefined || !('lazyrouter' in app)) return;
  throw new LatchkeyOptionsError([
    {
      option: 'express',
      message:
        'this app runs on Express 4, which leaves requests hanging when an asynchronous handler fails. @latchkey/express requires Express 5: npm install express@5.',
    },
  ]);
}

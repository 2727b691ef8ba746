import type { Request } from 'express';
import { LatchkeyOptionsError } from './options-error.js';

/**
 * Express 4 does not wait for asynchronous handlers: what a gate or one of the kit's routes throws would go nowhere, and
 * the visitor would wait for ever.
 * @throws LatchkeyOptionsError on Express 4.
 */
export function refuseExpress4({ app }: Request): void {
  // Gone in Express 5.
  if (app === undefined || !('lazyrouter' in app)) return;
  throw new LatchkeyOptionsError([
    {
      option: 'express',
      message:
        'this app runs on Express 4, which leaves requests hanging when an asynchronous handler fails. @latchkey/express needs Express 5: npm install express@5.',
    },
  ]);
}

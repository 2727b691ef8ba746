import { Missing } from '../outcome/outcome-errors.js';
import type { Driver, DriverAction } from './driver.js';
import { driverAnswer } from './driver-answer.js';

/** Milliseconds until a driver must answer. A person may have to sign in. */
const TIMEOUT_MS = 300_000;

/** Driver that is a web server. It receives `{"action": …, "input": …}` by POST and answers with JSON. */
export function urlDriver(url: string, actions: readonly DriverAction[]): Driver {
  return {
    actions,
    async run(action, input) {
      let answer: unknown;
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ action, input }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        answer = await response.json();
      } catch (error) {
        throw new Missing(`the driver at ${url} failed: ${error instanceof Error ? error.message : error}`);
      }
      return driverAnswer(action, answer);
    },
    async close() {},
  };
}

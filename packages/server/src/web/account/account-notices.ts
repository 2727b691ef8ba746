import type { Request } from 'express';
import { requestQuery } from '../../platform/http/request-query.js';

/** What a page says that was done, by the word in its address. Nothing else from an address is ever shown. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['revoked', 'Access was taken away. The app is signed out at once, and has to ask you again.'],
  ['cancelled', 'The subscription is cancelled. What you have paid for stays until its end.'],
  ['renamed', 'Your name is saved.'],
  ['others', 'You are signed out of every other browser.'],
  ['others-and-apps', 'You are signed out of every other browser, and of every app.'],
]);

/** What the page at this address says was done. */
export function accountNotice(request: Request): string | undefined {
  return NOTICES.get(requestQuery(request).get('done') ?? '');
}

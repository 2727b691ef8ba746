import type { Request } from 'express';
import { requestQuery } from '../../platform/http/request-query.js';

/** Confirmations by the value of the query parameter `done`. The value itself is never shown. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['revoked', 'Access removed. The app is signed out and must ask you again.'],
  ['cancelled', 'Subscription cancelled. You keep access until the end of the period you paid for.'],
  ['accepted', 'Invitation accepted.'],
  ['declined', "Invitation declined. This community can't invite you again for 90 days."],
  ['left', 'You left. Your access has ended.'],
  ['resigned', 'You gave up the role. You and your API keys no longer have access to the community.'],
  ['renamed', 'Your name was saved.'],
  ['two-step-off', 'Two-step sign-in is off. Signing in needs the e-mailed code only.'],
  ['setup-expired', 'The set-up has expired or was finished in another tab. Nothing was changed.'],
  ['session', 'You are signed out of that browser.'],
  ['others', 'You are signed out of all other browsers.'],
  ['others-and-apps', 'You are signed out of all other browsers and all apps.'],
]);

/** Returns the confirmation for the request's query. */
export function accountNotice(request: Request): string | undefined {
  return NOTICES.get(requestQuery(request).get('done') ?? '');
}

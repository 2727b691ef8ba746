import type { Request, Response } from 'express';
import { redirect } from '../../../platform/http/redirect.js';
import { requestQuery } from '../../../platform/http/request-query.js';

/** Confirmations by the value of the query parameter `done`. The value itself is never shown. */
const NOTICES = {
  'community-created': 'Community created. You are its owner.',
  renamed: 'Name saved.',
  'brand-saved': 'Brand saved. Your public page, checkout and mails show it from now on.',
  'bot-saved': 'Bot saved.',
  'bot-removed': 'Bot removed. The community has no invite links now.',
  'role-changed': 'Role changed. The change also applies to API keys.',
  'role-removed': 'Role removed. The API keys of this user lost their access too.',
  'plan-created': 'Plan created.',
  'plan-saved': 'Plan saved.',
  'plan-archived': 'Plan archived. It is no longer for sale.',
  'plan-unarchived': 'Plan restored. It is for sale again.',
  'drop-created': 'Drop created.',
  'drop-saved': 'Drop saved.',
  'drop-ended': 'Drop ended. It accepts no more signups.',
  granted: 'Membership granted.',
  invited: 'Invitation saved. We e-mail the address once, unless its holder or our limits prevent it.',
  'invitation-withdrawn': 'Invitation withdrawn.',
  'end-saved': 'End date saved.',
  'membership-ended': 'Membership ended.',
  'subscription-cancelled':
    'Subscription cancelled. The membership stays active until the end of the paid period.',
  'product-created': 'Product created.',
  'product-saved': 'Product saved.',
  'product-deleted': 'Product deleted.',
} as const;

/** Value of the query parameter `done`. */
export type Done = keyof typeof NOTICES;

/** Returns the path of a page with a confirmation. The redirect to it keeps a reload from repeating the action. */
export function doneAt(path: string, done: Done): string {
  return `${path}?done=${done}`;
}

export function redirectDone(response: Response, path: string, done: Done): void {
  redirect(response, 303, doneAt(path, done));
}

/** Returns the confirmation for the request's query. */
export function noticeOf(request: Pick<Request, 'originalUrl'>): string | undefined {
  const done = requestQuery(request).get('done') ?? '';
  return Object.hasOwn(NOTICES, done) ? NOTICES[done as Done] : undefined;
}

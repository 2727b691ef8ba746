import type { Request, Response } from 'express';
import { redirect } from '../../../platform/http/redirect.js';
import { requestQuery } from '../../../platform/http/request-query.js';

/** What a page says that was done, by the word in its address. Nothing else from an address is ever shown. */
const NOTICES = {
  'community-created': 'The community was created. You are its owner.',
  renamed: 'The new name was saved.',
  'bot-saved': 'The bot was saved.',
  'bot-removed': 'The bot was taken away. No invite links are made any more.',
  'role-added': 'The role was given.',
  'role-changed': 'The role was changed, for API keys too.',
  'role-removed': 'The role was taken away, from API keys too.',
  'plan-created': 'The plan was created.',
  'plan-saved': 'The plan was saved.',
  'plan-archived': 'The plan was archived. It is sold no more.',
  'plan-unarchived': 'The plan is on sale again.',
  'drop-created': 'The drop was created.',
  'drop-saved': 'The drop was saved.',
  'drop-ended': 'The drop is over. Nobody can sign up any more.',
  granted: 'The membership was granted.',
  'end-saved': 'The new end was saved.',
  'membership-ended': 'The membership has ended.',
  'subscription-cancelled': 'The subscription was cancelled. The time that is paid stays.',
  'product-created': 'The product was created.',
  'product-saved': 'The product was saved.',
  'product-deleted': 'The product was deleted.',
} as const;

/** Something that was done. */
export type Done = keyof typeof NOTICES;

/** Leads to a page that says what was done; loading it again does nothing again. */
export function redirectDone(response: Response, path: string, done: Done): void {
  redirect(response, 303, `${path}?done=${done}`);
}

/** What the page at this address says was done. */
export function noticeOf(request: Pick<Request, 'originalUrl'>): string | undefined {
  const done = requestQuery(request).get('done') ?? '';
  return Object.hasOwn(NOTICES, done) ? NOTICES[done as Done] : undefined;
}

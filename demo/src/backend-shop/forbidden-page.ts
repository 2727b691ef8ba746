import type { ForbiddenDetails } from '@latchkey/express';
import { html } from '../html.js';
import { joinForm } from './join-plan.js';
import { noticePage } from './notice-page.js';
import type { PageFrame } from './shop-layout.js';

/**
 * The page for a signed-in visitor without an active membership: the reason and the next step. Sent with
 * status 403.
 */
export function forbiddenPage(
  frame: PageFrame,
  { user: { email }, switchUrl }: Pick<ForbiddenDetails, 'user' | 'switchUrl'>,
): string {
  return noticePage(frame, {
    title: 'This account has no seat yet',
    message: html`${email === null ? 'You are signed in' : html`You are signed in as <bdi>${email}</bdi>`}, but this account has no active membership of the Roaster’s Table. If yours has ended, renewing it opens the table again.`,
    actions: html`${joinForm()}
              <a href="${switchUrl}">Use another account</a>`,
    hint: 'Joined with another address? Use that account.',
  });
}

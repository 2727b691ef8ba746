import { uuidField } from '@latchkey/contract';
import { Router } from 'express';
import { acceptInvitation, declineInvitation } from '../../domain/invitations/answer-invitation.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { notFound } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { areaForm } from '../sign-in/area-route.js';
import { messagePage } from '../ui/frame/message-page.js';
import { sendPage } from '../ui/frame/send-page.js';

interface InvitationRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

const HOME = '/account';

/** Routes that answer an invitation to the user's address. */
export function invitationRoutes(needs: InvitationRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/account/invitations/accept').post(accept(needs)).all(methodNotAllowed('POST'));
  router.route('/account/invitations/decline').post(decline(needs)).all(methodNotAllowed('POST'));
  return router;
}

function accept(needs: InvitationRoutesNeeds) {
  const { db, clock } = needs;
  return areaForm(needs, HOME, async ({ user, form, response }) => {
    const result = await acceptInvitation(db, { id: invitationIdOf(form), userId: user.id }, clock.now());
    switch (result.kind) {
      case 'accepted':
        return redirect(response, 303, `${HOME}?done=accepted`);
      case 'unknown':
        throw noSuchInvitation();
      case 'renewing': {
        const html = messagePage({
          title: 'Cancel your subscription first',
          text: 'A subscription renews your membership of this community. Cancel it on your account page, then accept the invitation.',
          action: { href: HOME, label: 'Your account' },
        });
        return sendPage(response, html, { status: 409 });
      }
      case 'too-many-roles': {
        const html = messagePage({
          title: 'You have too many roles',
          text: `You have ${result.max} roles, which is the maximum. Leave a role on your account page, then accept the invitation.`,
          action: { href: HOME, label: 'Your account' },
        });
        return sendPage(response, html, { status: 409 });
      }
    }
  });
}

function decline(needs: InvitationRoutesNeeds) {
  const { db, clock } = needs;
  return areaForm(needs, HOME, async ({ user, form, response }) => {
    const key = { id: invitationIdOf(form), userId: user.id };
    if (!(await declineInvitation(db, key, clock.now()))) throw noSuchInvitation();
    redirect(response, 303, `${HOME}?done=declined`);
  });
}

/** Failure for an invitation that is not open, or is for another address. */
function noSuchInvitation() {
  return notFound('This account has no such invitation. The seller may have withdrawn it.');
}

/** Returns the id in lower case, or an empty string, which matches no invitation, if it is malformed. */
function invitationIdOf(form: URLSearchParams): string {
  return uuidField.safeParse(form.get('invitation')).data ?? '';
}

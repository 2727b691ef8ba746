import { HOUR_MS } from '@latchkey/contract/constants';
import type { Needs } from '../../app/services.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { notFound } from '../../platform/http/http-failure.js';
import { phrase, t } from '../../platform/language/language.js';
import type { AreaAnswer, AreaRequest } from '../../web/kit/areas/area-routes.js';
import { findCurrentSession } from '../../web/kit/areas/user-session.js';
import { type AreaFrame, renderAreaPage } from '../../web/kit/frame/area-page.js';
import { messagePage } from '../../web/kit/frame/message-page.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { findAdmins, findAppointment, type OperatorRole } from '../operator-roles/operator-roles.js';
import { SignInAgain } from '../sign-in/proof.pages.js';
import { type EnteredFactor, enterSecondFactor, readTwoStepState } from '../two-step/second-factor.js';
import { conflict, OperatorError } from './operator-checks.js';

export const OPERATOR_PATH = '/operator';

/** Age of a sign-in after which the area asks for a new one, in milliseconds. */
const SIGN_IN_LIFETIME_MS = 12 * HOUR_MS;

/**
 * Lets operators with a role through to a handler; an ADMIN is also a VIEWER. For everyone else the path doesn't exist.
 * An operator must have two-step sign-in on, and have signed in with it in the last twelve hours. An appointment counts
 * only if two-step sign-in was on by then; otherwise anyone who can read the user's email could turn it on.
 */
export function onlyFor<Area extends AreaRequest>(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  role: OperatorRole,
  handle: (area: Area) => AreaAnswer | Promise<AreaAnswer>,
): (area: Area) => Promise<AreaAnswer> {
  return async (area) => {
    const { user, frame, request, response } = area;
    if (user.operatorRole === null || (role === 'ADMIN' && user.operatorRole !== role)) throw notFound();
    const { onSince } = await readTwoStepState(needs.db, user.id);
    const appointedAt = await findAppointment(needs.db, user.id);
    // Removed since the request began.
    if (appointedAt === undefined) throw notFound();
    if (onSince === null || onSince > appointedAt)
      return sendPage(response, twoStepFirstPage(onSince !== null), { status: 403 });
    const session = await findCurrentSession(needs, request, user.id);
    const signedInAt = session?.signedInAt ?? 0;
    const isProven = signedInAt >= onSince && needs.clock.now() - signedInAt < SIGN_IN_LIFETIME_MS;
    if (!isProven) return sendPage(response, operatorSignInPage(frame), { status: 403 });
    try {
      return await handle(area);
    } catch (error) {
      // The record doesn't exist, or no list has this page.
      throw error instanceof OperatorError ? notFound() : error;
    }
  };
}

function twoStepFirstPage(isOn: boolean): Page {
  if (isOn) {
    return messagePage({
      title: t('Ask for your appointment again'),
      text: t(
        'You turned on two-step sign-in after you were appointed. An appointment counts only if it was on by then. Ask an ADMIN, or whoever runs the service, to appoint you again.',
      ),
    });
  }
  return messagePage({
    title: t('Turn on two-step sign-in first'),
    text: t(
      'Operators see personal data of everyone. So the operator area needs a sign-in with an authenticator app. Then ask to be appointed again.',
    ),
    action: { href: '/account/two-step', label: t('Set up two-step sign-in') },
    isHarmless: true,
  });
}

export function operatorSignInPage(frame: AreaFrame): Page {
  return renderAreaPage({
    frame,
    area: 'operator',
    sections: [{ href: OPERATOR_PATH, label: t('Overview') }],
    section: OPERATOR_PATH,
    title: t('Sign in again to open the operator area'),
    children: (
      <Panel>
        <div class="stack">
          <SignInAgain
            continueTo={OPERATOR_PATH}
            reason={t('The operator area needs a two-step sign-in of the last twelve hours.')}
          />
        </div>
      </Panel>
    ),
  });
}

/**
 * Makes a change in one transaction, with the operator's current second factor, and only while the operator is an
 * ADMIN; `off` if they aren't. It can't remove the last ADMIN; only the command line can.
 */
export async function asAdmin(
  { db, clock }: Needs<'clock' | 'db'>,
  entered: EnteredFactor,
  change: (transaction: Database) => Promise<unknown>,
) {
  return await inTransaction(db, async (transaction) => {
    if (!(await findAdmins(transaction, { lock: true })).includes(entered.userId))
      return { kind: 'off' } as const;
    const proof = await enterSecondFactor(transaction, entered, clock.now());
    if (proof.kind !== 'correct') return proof;
    await change(transaction);
    if ((await findAdmins(transaction)).length > 0) return { kind: 'changed' } as const;
    throw conflict(
      phrase(
        'This is the only ADMIN. Appoint another one first. Only the command line can remove the last one.',
      ),
    );
  });
}

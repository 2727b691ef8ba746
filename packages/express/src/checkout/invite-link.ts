import { catchLatchkeyError, missingMembershipsScope, signedOut } from '../gates/checks.js';
import type { GateResult } from '../gates/gate-result.js';
import { type AppUrl, startPath } from '../http/app-url.js';
import { type ErrorBody, prefersHtml, sendError } from '../http/json-error.js';
import { sendPlainPage } from '../http/plain-page.js';
import type { Visitor } from '../session/request/visitor.js';
import type { VisitorExchange } from '../sign-in/endpoint.js';
import type { FreshMemberships } from './begin-checkout.js';
import { findInviteLink, type InviteSearch, type InviteSearchContext } from './find-invite-link.js';
import { INVITE_TEXTS } from './invite-link-texts.js';

export interface InviteLinkContext extends InviteSearchContext {
  app: AppUrl;
  /** Reads the visitor's memberships. */
  readMemberships(visitor: Visitor): Promise<FreshMemberships>;
}

/**
 * Responds with the chat link of the signed-in visitor (spec, "GET
 * /membership/join-messenger-community-external/{externalId}"): a redirect for navigations, JSON for scripts. Nothing
 * stores the link, which is valid for 24 hours only.
 * @returns A rejection, which the gate sends, or `closed` after the response.
 */
export function respondWithInviteLink(
  context: InviteLinkContext,
  exchange: VisitorExchange,
): Promise<GateResult> {
  const { visitor, response } = exchange;
  return catchLatchkeyError(visitor.session, async () => {
    const current = await visitor.session.current();
    if (current === undefined) return signedOut(visitor.session);
    const rejection = missingMembershipsScope(current);
    if (rejection !== undefined) return rejection;
    const { user } = current;
    const { memberships } = await context.readMemberships(visitor);
    const result = await findInviteLink(context, { ...user, memberships });
    if (result.kind === 'not_a_member') {
      const isOther = memberships.some(({ isKnown }) => isKnown);
      const reason = isOther ? 'other_membership' : 'no_membership';
      return { kind: 'not_a_member', reason, user, memberships };
    }
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (result.kind === 'link') sendLink(exchange, result);
    else sendFailure(context, exchange, result.kind);
    return { kind: 'closed' };
  });
}

function sendLink(
  { request, response }: VisitorExchange,
  { link, expiresAt }: { link: string; expiresAt: string | undefined },
): void {
  if (prefersHtml(request)) response.redirect(302, link);
  else response.status(200).json({ link, expiresAt });
}

type InviteFailure = Exclude<InviteSearch['kind'], 'link' | 'not_a_member'>;

const ERRORS: Readonly<Record<InviteFailure, { status: number; error: ErrorBody['error'] }>> = {
  pending: { status: 503, error: 'membership_pending' },
  not_bought_here: { status: 404, error: 'not_bought_here' },
  no_chat: { status: 404, error: 'chat_unavailable' },
  refused: { status: 502, error: 'service_refused' },
  unavailable: { status: 503, error: 'service_unavailable' },
};

function sendFailure(
  { app }: InviteLinkContext,
  { request, response, visitor }: VisitorExchange,
  kind: InviteFailure,
): void {
  const { status, error } = ERRORS[kind];
  const { title, message, hint, canRetry } = INVITE_TEXTS[kind];
  if (!prefersHtml(request)) {
    sendError(response, status, { error, message });
    return;
  }
  if (status === 503) response.setHeader('Retry-After', '5');
  const start = { href: startPath(app), label: 'Go to the start page' };
  sendPlainPage(response.status(status), {
    title,
    paragraphs: [message, hint],
    ...(canRetry
      ? { link: { href: visitor.publicPath, label: 'Try again' }, otherLink: start }
      : { link: start }),
  });
}

import type { NextFunction } from 'express';
import { publicMountPath, startPath } from '../http/app-url.js';
import { forbidCaching, sendError } from '../http/json-error.js';
import { english, type Translate } from '../http/language.js';
import { type PlainPage, sendPlainPage } from '../http/plain-page.js';
import { prefersHtml, takesHtml } from '../http/request-kind.js';
import type { Visit } from '../session/visitor.js';
import { isNavigation, loginPathFor, safeAddress } from '../sign-in/return-to.js';
import { sendPaymentPage } from './await-membership.js';
import { catchLatchkeyError, type GateDefinition, type GateResult, type Rejection } from './checks.js';
import { type ForbiddenDetails, type RejectedVisitor, upgradeUrlFor } from './gate-options.js';
import * as texts from './rejection-texts.js';

/** Runs a gate: passes allowed requests on and responds to all others. */
export function runGate(gate: GateDefinition, visit: Visit, next: NextFunction): unknown {
  forbidCaching(visit.response);
  const result = gate.check(visit);
  if (result instanceof Promise) return result.then((settled) => apply(gate, visit, { settled, next }));
  return apply(gate, visit, { settled: result, next });
}

function apply(
  gate: GateDefinition,
  visit: Visit,
  { settled, next }: { settled: GateResult; next: NextFunction },
): unknown {
  switch (settled.kind) {
    case 'allowed':
      return next();
    case 'closed':
      return undefined;
    default:
      return reject(gate, visit, settled);
  }
}

/** Sends a rejection. A custom page or teaser can use the session, so its errors are handled like a check's. */
async function reject(gate: GateDefinition, visit: Visit, rejection: Rejection): Promise<void> {
  const result = await catchLatchkeyError(visit.visitor.session, async () => {
    await sendRejection(gate, visit, rejection);
    return { kind: 'closed' };
  });
  if (result.kind !== 'closed' && result.kind !== 'allowed') await sendRejection(gate, visit, result);
}

/** Sends the response to a rejected request: a redirect, a page or JSON. */
async function sendRejection(gate: GateDefinition, visit: Visit, rejection: Rejection): Promise<void> {
  const { request, response, visitor } = visit;
  const page = safeAddress(visitor.publicPath, gate.kit.app);
  // htmx shows no rejection of a link that it loads by script. It now opens the link as a page, which this gate answers.
  if (request.headers['hx-boosted'] !== undefined && isNavigation(visit) && page !== undefined)
    response.setHeader('HX-Redirect', page);
  switch (rejection.kind) {
    case 'signed_out':
      return sendSignedOut(gate, visit, rejection);
    case 'not_a_member':
    case 'unknown_membership':
      return sendNotMember(gate, visit, rejection);
    case 'missing_scope':
      return sendMissingScope(gate, visit, rejection);
    case 'unavailable':
      return sendUnavailable(gate, visit);
    case 'payment_pending':
    case 'payment_unconfirmed':
      return sendPaymentPage(gate.kit, visit, { rejection, wantsHtml: wantsHtml(gate, visit) });
  }
}

type RejectionOf<Kind extends Rejection['kind']> = Extract<Rejection, { kind: Kind }>;

/** Sends the teaser, or redirects to sign-in, which leads back to the page. Scripts receive 401. */
async function sendSignedOut(
  gate: GateDefinition,
  visit: Visit,
  { hasExpired }: RejectionOf<'signed_out'>,
): Promise<void> {
  const { response } = visit;
  const visitor = rejectedVisitor(gate, visit, { reason: 'signed_out', user: undefined, memberships: [] });
  if (await sendTeaser(gate, visit, visitor)) return;
  if (!wantsHtml(gate, visit)) {
    const message = texts.signedOutMessage(hasExpired);
    return sendError(response, 401, { error: 'sign_in_required', message });
  }
  const href = loginPathFor(gate.kit.app, visit);
  if (!isNavigation(visit)) {
    const { title, message, hint, label } = texts.FORM_WHILE_SIGNED_OUT;
    const t = visit.visitor.textsFor(undefined);
    return sendPlainPage(response.status(401), t, {
      title: t(title),
      paragraphs: [t(message), t(hint)],
      link: { href, label: t(label) },
    });
  }
  response.redirect(302, `${gate.kit.app.appOrigin}${href}`);
}

/** Offers the upgrade. Mentions unknown memberships, for a buyer to try again or quote them. */
async function sendNotMember(
  gate: GateDefinition,
  visit: Visit,
  rejection: RejectionOf<'not_a_member' | 'unknown_membership'>,
): Promise<void> {
  const { user, memberships } = rejection;
  const isUnknown = rejection.kind === 'unknown_membership';
  const reason = isUnknown ? rejection.kind : rejection.reason;
  const ids = isUnknown ? { membershipIds: rejection.ids } : {};
  const t = textsOf(gate, visit, gate.kit.pages.forbidden);
  const { title, message, paragraphs } = isUnknown
    ? texts.unknownMembershipTexts(t, rejection.ids, user)
    : texts.notMemberTexts(t, rejection.reason, user);
  const visitor = rejectedVisitor(gate, visit, { reason, user, memberships });
  if (await sendTeaser(gate, visit, visitor)) return;
  const upgradeUrl = upgradeUrlOf(gate, visitor);
  if (!wantsHtml(gate, visit)) {
    return sendError(visit.response, 403, {
      error: isUnknown ? 'membership_unknown' : 'membership_required',
      message,
      ...ids,
      ...(upgradeUrl === undefined ? {} : { upgradeUrl }),
    });
  }
  const start = startPath(gate.kit.app);
  const { publicPath } = visit.visitor;
  const retryUrl =
    isNavigation(visit) && safeAddress(publicPath, gate.kit.app) !== undefined ? publicPath : start;
  const details = { reason, message, user, memberships, rule: gate.rule, upgradeUrl };
  await sendForbidden(gate, visit, isUnknown ? { ...details, ...ids, retryUrl } : details, {
    t,
    title,
    paragraphs,
    links: [
      ...(isUnknown ? [{ href: retryUrl, label: t('Try again') }] : []),
      ...(upgradeUrl === undefined ? [] : [{ href: upgradeUrl, label: t('Get access') }]),
      { href: loginPathFor(gate.kit.app, visit, { switches: true }), label: t('Switch account') },
      { href: start, label: t('Go to the start page') },
    ],
  });
}

/**
 * Redirects a navigation to the service, which asks for the scopes. If the visitor has refused them before, sends a
 * page with a link instead. Scripts receive 403.
 */
async function sendMissingScope(
  gate: GateDefinition,
  visit: Visit,
  { session, missing }: RejectionOf<'missing_scope'>,
): Promise<void> {
  const { app } = gate.kit;
  const t = textsOf(gate, visit, gate.kit.pages.forbidden);
  const { title, message, hint, label } = texts.missingScopeTexts(t, missing);
  if (!wantsHtml(gate, visit)) {
    return sendError(visit.response, 403, {
      error: 'insufficient_scope',
      message,
      missingScopes: missing,
    });
  }
  const retryUrl = loginPathFor(app, visit, { scopes: missing });
  const wasRefused = missing.some((scope) => session.refusedScopes?.includes(scope));
  if (isNavigation(visit) && !wasRefused) {
    visit.response.redirect(302, `${app.appOrigin}${retryUrl}`);
    return;
  }
  const details = {
    reason: 'missing_scope',
    message,
    user: session.user,
    memberships: [],
    retryUrl,
  } as const;
  await sendForbidden(
    gate,
    visit,
    { rule: undefined, upgradeUrl: undefined, ...details },
    {
      t,
      title,
      paragraphs: [message, hint],
      links: [
        { href: retryUrl, label },
        { href: startPath(app), label: t('Go to the start page') },
      ],
    },
  );
}

async function sendUnavailable(gate: GateDefinition, visit: Visit): Promise<void> {
  const { request, response, visitor } = visit;
  const { title, message, label } = texts.UNAVAILABLE;
  if (!wantsHtml(gate, visit)) {
    return sendError(response, 503, { error: 'service_unavailable', message });
  }
  response.setHeader('Retry-After', '5');
  response.status(503);
  if (gate.kit.pages.unavailable !== undefined) {
    await gate.kit.pages.unavailable(request, response);
    return;
  }
  const retryUrl = request.method === 'GET' ? safeAddress(visitor.publicPath, gate.kit.app) : undefined;
  const t = visitor.textsFor(undefined);
  sendPlainPage(response, t, {
    title: t(title),
    paragraphs: [t(message)],
    ...(retryUrl === undefined ? {} : { link: { href: retryUrl, label: t(label) } }),
  });
}

/** Sends the first two of the links. */
async function sendForbidden(
  { kit: { app, pages } }: GateDefinition,
  visit: Visit,
  details: Omit<ForbiddenDetails, 'signOutPath' | 'switchUrl'>,
  {
    t,
    links: [link, otherLink],
    ...page
  }: Pick<PlainPage, 'title' | 'paragraphs'> & { t: Translate; links: PlainPage['link'][] },
): Promise<void> {
  const { request, response } = visit;
  response.status(403);
  const signOutPath = `${publicMountPath(app)}/logout`;
  if (pages.forbidden !== undefined) {
    const switchUrl = loginPathFor(app, visit, { switches: true });
    await pages.forbidden(request, response, { ...details, signOutPath, switchUrl });
    return;
  }
  sendPlainPage(response, t, {
    ...page,
    link,
    otherLink,
    form: { action: signOutPath, label: t('Sign out') },
  });
}

/**
 * Sends the teaser and returns true. Returns false if the gate has none, and for a form, a page's script and a client
 * that asks for JSON. Link previews and crawlers receive it.
 */
async function sendTeaser(gate: GateDefinition, visit: Visit, visitor: RejectedVisitor): Promise<boolean> {
  const { teaser, respond } = gate.options;
  const canShow = respond === undefined ? takesHtml(visit.request) : respond === 'html';
  if (teaser === undefined || !canShow || !isNavigation(visit)) return false;
  const signInUrl = loginPathFor(gate.kit.app, visit);
  await teaser(visit.request, visit.response, {
    ...visitor,
    upgradeUrl: upgradeUrlOf(gate, visitor),
    signInUrl,
  });
  return true;
}

function rejectedVisitor(
  { rule }: GateDefinition,
  { request }: Visit,
  visitor: Pick<RejectedVisitor, 'reason' | 'user' | 'memberships'>,
): RejectedVisitor {
  return { ...visitor, rule, request };
}

function upgradeUrlOf({ options, kit }: GateDefinition, visitor: RejectedVisitor) {
  return upgradeUrlFor(visitor, [options.upgradeUrl, kit.upgradeUrl]);
}

/** Translates for whoever sees the response. Errors for scripts are in English. */
function textsOf(gate: GateDefinition, visit: Visit, customPage: unknown): Translate {
  return wantsHtml(gate, visit) ? visit.visitor.textsFor(customPage) : english;
}

function wantsHtml({ options: { respond } }: GateDefinition, { request }: Visit): boolean {
  return respond === undefined ? prefersHtml(request) : respond === 'html';
}

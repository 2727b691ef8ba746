import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { readCookie } from './cookies.js';
import { passMembers, passSignedIn } from './gates/gate.js';
import type { GateOptions } from './gates/gate-answers.js';
import { compileRule, type MembershipRule } from './gates/membership-rule.js';
import { createKit, type Kit } from './kit.js';
import { type LatchkeyOptions, readOptions } from './options.js';
import { LatchkeyOptionsError } from './options-error.js';
import { dispatch, isKitRoute } from './routes/dispatch.js';
import type { RouteContext } from './routes/kit-route.js';
import { failureDetails } from './service-failure.js';
import type { Session } from './session/session.js';
import { SessionStoreError } from './session/session-store.js';
import { Visit } from './visit.js';
import { receiveWebhooks } from './webhooks/receive-webhook.js';
import { userOf } from './webhooks/webhook-event.js';
import { readWebhookOptions, type WebhookOptions } from './webhooks/webhook-options.js';

/** Membership sign-in for one Express app. */
export interface Latchkey {
  /**
   * Answers the kit's own paths (`/auth/…`) and puts `req.latchkey` on every request. Mount it once, before the
   * gates: `app.use(auth.router)`.
   */
  readonly router: RequestHandler;
  /** Lets signed-in visitors pass; others are sent to sign in, or get 401 as JSON. */
  requireSignIn(options?: GateOptions): RequestHandler;
  /**
   * Lets visitors pass whose memberships satisfy the rule; others get 403.
   * @throws LatchkeyOptionsError for a rule that cannot be meant, or without the scope `memberships.read`.
   */
  requireMembership(rule: MembershipRule, options?: GateOptions): RequestHandler;
  /**
   * Receives the service's webhooks, as `webhooks()` does, with this kit's clock and logger; and forgets what this process
   * remembers of the memberships of the user that an event tells of, so that gates ask anew.
   * @throws LatchkeyOptionsError naming every option that cannot work, and the fix.
   */
  webhooks(options: WebhookOptions): RequestHandler;
}

/**
 * Sets the kit up for one app.
 * @throws LatchkeyOptionsError naming every option that cannot work, and the fix.
 */
export function latchkey(options: LatchkeyOptions): Latchkey {
  const kit = createKit(readOptions(options));

  const contextOf = (gate: string, request: Request, response: Response): RouteContext => {
    const visit = visitOf(request, kit);
    if (visit === undefined) {
      throw new Error(
        `${gate} ran before the kit had seen the request: mount it first with app.use(auth.router), above the routes that are gated.`,
      );
    }
    return { kit, visit, request, response };
  };

  return {
    router: (request, response, next) => {
      refuseDoubledMount(kit, request.baseUrl);
      const place = { request, response, routerBase: request.baseUrl };
      const proceed = (opened: Session | SessionStoreError | undefined) => {
        const visit = new Visit(kit, place, opened);
        request.latchkey = visit;
        return route({ kit, visit, request, response }, next);
      };
      const cookie = readCookie(request.headers.cookie, kit.sessionCookie.name);
      if (cookie === undefined || cookie === '') return proceed(undefined);
      const opened = kit.store.open(cookie);
      return opened instanceof Promise
        ? opened.catch((error: unknown) => reportStoreFailure(kit, error)).then(proceed)
        : proceed(opened);
    },
    requireSignIn: (gateOptions = {}) => {
      checkGateOptions('requireSignIn', gateOptions);
      return (request, response, next) =>
        passSignedIn(contextOf('requireSignIn', request, response), gateOptions, next);
    },
    requireMembership: (membershipRule, gateOptions = {}) => {
      checkGateOptions('requireMembership', gateOptions);
      if (!kit.settings.scopes.includes('memberships.read')) {
        throw new LatchkeyOptionsError([
          {
            option: 'scopes',
            message: 'requireMembership needs the scope memberships.read: add it to scopes.',
          },
        ]);
      }
      const gate = { options: gateOptions, rule: compileRule(membershipRule) };
      return (request, response, next) =>
        passMembers(contextOf('requireMembership', request, response), gate, next);
    },
    webhooks: (webhookOptions) => {
      const { clock, logger } = kit.settings;
      return receiveWebhooks(readWebhookOptions({ clock, logger, ...webhookOptions }), (envelope) => {
        const sub = userOf(envelope);
        if (sub !== undefined) kit.memberships.forget(sub);
      });
    },
  };
}

/** The store cannot be asked. Pages for everybody need not care; whatever needs the session answers 503. */
function reportStoreFailure(kit: Kit, error: unknown): SessionStoreError {
  if (!(error instanceof SessionStoreError)) throw error;
  kit.storeFailures.error('Sessions cannot be read from the store.', failureDetails(error));
  return error;
}

/** The visit that this instance has put on the request, though another instance may have put its own on top. */
function visitOf(request: Request, kit: Kit): Visit | undefined {
  let visit = request.latchkey;
  while (visit instanceof Visit && !visit.isOf(kit)) visit = visit.below;
  return visit instanceof Visit ? visit : undefined;
}

function route(context: RouteContext, next: NextFunction): unknown {
  const { mountPath } = context.kit.settings;
  const { url } = context.request;
  if (!url.startsWith(mountPath)) return next();
  const query = url.indexOf('?');
  const path = url.slice(mountPath.length, query === -1 ? undefined : query);
  return isKitRoute(path) ? dispatch(path, context) : next();
}

/** `app.use('/auth', auth.router)` would answer under `/auth/auth` only. */
function refuseDoubledMount({ settings: { mountPath, appPath } }: Kit, baseUrl: string): void {
  if (baseUrl === '' || !baseUrl.endsWith(mountPath) || appPath.endsWith(mountPath)) return;
  throw new LatchkeyOptionsError([
    {
      option: 'mountPath',
      message: `the router is mounted at ${baseUrl} and answers under ${mountPath} by itself: use app.use(auth.router) without a path.`,
    },
  ]);
}

function checkGateOptions(gate: string, { respond }: GateOptions): void {
  if (respond === undefined || respond === 'html' || respond === 'json') return;
  throw new LatchkeyOptionsError([{ option: `${gate} respond`, message: "must be 'html' or 'json'." }]);
}

import { OAUTH_SCOPES, type OAuthScope } from '@latchkey/contract/constants';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { readCookie } from './cookies.js';
import { refuseExpress4 } from './express-version.js';
import { type AwaitMembershipOptions, passAwaited } from './gates/await-membership.js';
import { passMembers, passScopes, passSignedIn } from './gates/gate.js';
import { checkGateOptions, type GateOptions, type MembershipGateOptions } from './gates/gate-options.js';
import { compileRule, type MembershipRule } from './gates/membership-rule.js';
import { createKit, type Kit } from './kit.js';
import { rememberKit } from './kit-of.js';
import { type LatchkeyOptions, readOptions } from './options.js';
import { LatchkeyOptionsError } from './options-error.js';
import type { RequestSession, SignedInRequest } from './request-session.js';
import { dispatch, isKitRoute } from './routes/dispatch.js';
import type { RouteContext } from './routes/kit-route.js';
import { failureDetails } from './service-failure.js';
import type { Session } from './session/session.js';
import { SessionStoreError } from './session/session-store.js';
import { viewSession } from './view-session.js';
import { Visit } from './visit.js';
import { receiveWebhooks } from './webhooks/receive-webhook.js';
import { userOf } from './webhooks/webhook-event.js';
import { readWebhookOptions, type WebhookOptions } from './webhooks/webhook-options.js';

/** A handler for any route: it leaves to Express what the route's own parameters and bodies are. */
export type Gate = <Params, ResponseBody, RequestBody, Query, Locals extends Express.Locals>(
  request: Request<Params, ResponseBody, RequestBody, Query, Locals>,
  response: Response<ResponseBody, Locals>,
  next: NextFunction,
) => unknown;

/** Membership sign-in for one Express app. */
export interface Latchkey {
  /**
   * Answers the kit's own paths (`/auth/…`) and puts `req.latchkey` on every request. Mount it once, before the
   * gates: `app.use(auth.router)`.
   */
  readonly router: RequestHandler;
  /** Lets signed-in visitors pass; others are sent to sign in, or get 401 as JSON. */
  requireSignIn(options?: GateOptions): Gate;
  /**
   * Lets visitors pass whose memberships satisfy the rule; others get 403.
   * @throws LatchkeyOptionsError for a rule that cannot be meant, or without the scope `memberships.read`.
   */
  requireMembership(rule: MembershipRule, options?: MembershipGateOptions): Gate;
  /**
   * Lets visitors pass who have granted the scope, or all of several. A page asks others for it by way of the service,
   * once; a script gets 403. What was granted is what the service says, not what was asked for.
   * @throws LatchkeyOptionsError for a scope that does not exist.
   */
  requireScope(scope: OAuthScope | readonly OAuthScope[], options?: GateOptions): Gate;
  /**
   * `requireMembership` for the page that a checkout returns to: the service may hear of the payment later than the
   * browser comes back. It is asked again and again, past what is remembered, and at once when
   * {@link Latchkey.forgetMemberships} says that something has changed. Meanwhile a page says that the payment is
   * being confirmed and loads itself again (status 202); a script gets 503 with `Retry-After`.
   */
  awaitMembership(rule: MembershipRule, options?: AwaitMembershipOptions): Gate;
  /**
   * Puts `res.locals.latchkey` on the response for templates: who is signed in, and `has(rule)`. Lets everybody pass,
   * also while the service is down.
   */
  locals(): Gate;
  /**
   * A handler behind a gate, that TypeScript knows a visitor for: in it, `req.latchkey.user` is there.
   * Without a gate before it, requests of signed-out visitors fail.
   */
  signedIn<Params, ResponseBody, RequestBody, Query>(
    handler: (
      request: SignedInRequest<Params, ResponseBody, RequestBody, Query>,
      response: Response<ResponseBody>,
      next: NextFunction,
    ) => unknown,
  ): RequestHandler<Params, ResponseBody, RequestBody, Query>;
  /**
   * What this instance knows of the visitor of a request: `req.latchkey`, but never undefined, and of this instance
   * when there are several.
   * @throws Error when `app.use(auth.router)` has not run for the request.
   */
  visitor(request: Request): RequestSession;
  /**
   * Forgets what is remembered of a user's memberships, so that the next gate asks the service: for when a webhook
   * says that they have changed. Without `sub`, everybody's. It reaches this process only.
   */
  forgetMemberships(sub?: string): void;
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

  const contextOf = (gate: string, request: Request, response: Response): RouteContext => ({
    kit,
    visit: requireVisit(kit, gate, request),
    request,
    response,
  });

  const auth: Latchkey = {
    router: (request, response, next) => {
      refuseExpress4(request);
      refuseDoubledMount(kit, request.baseUrl);
      const place = { request, response, routerBase: request.baseUrl };
      const proceed = (opened: Session | SessionStoreError | undefined) => {
        const visit = new Visit(kit, place, opened);
        request.latchkey = visit.asRequestSession();
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
      checkGateOptions('requireSignIn', gateOptions, ['respond']);
      return anyRoute((request, response, next) =>
        passSignedIn(contextOf('requireSignIn', request, response), gateOptions, next),
      );
    },
    requireMembership: (rule, gateOptions = {}) => {
      checkGateOptions('requireMembership', gateOptions, ['respond', 'upgradeUrl', 'teaser']);
      needMembershipsScope(kit, 'requireMembership');
      const gate = { options: gateOptions, rule, passes: compileRule(rule) };
      return anyRoute((request, response, next) =>
        passMembers(contextOf('requireMembership', request, response), gate, next),
      );
    },
    requireScope: (scope, gateOptions = {}) => {
      checkGateOptions('requireScope', gateOptions, ['respond']);
      const gate = { options: gateOptions, scopes: readScopes(scope) };
      for (const each of gate.scopes) kit.scopesInUse.add(each);
      return anyRoute((request, response, next) =>
        passScopes(contextOf('requireScope', request, response), gate, next),
      );
    },
    awaitMembership: (rule, gateOptions = {}) => {
      checkGateOptions('awaitMembership', gateOptions, ['respond', 'holdSeconds', 'waitSeconds']);
      needMembershipsScope(kit, 'awaitMembership');
      const gate = { options: gateOptions, rule, passes: compileRule(rule) };
      return anyRoute((request, response, next) =>
        passAwaited(contextOf('awaitMembership', request, response), gate, next),
      );
    },
    locals: () =>
      anyRoute(async (request, response, next) => {
        response.locals.latchkey = await viewSession(contextOf('locals', request, response));
        next();
      }),
    signedIn: (handler) => (request, response, next) => {
      // The types of a route's own parameters make it another Request; it is the same object.
      const bare = request as unknown as Request;
      const session = requireVisit(kit, 'signedIn', bare).asRequestSession();
      if (!session.signedIn) {
        throw new Error(
          'A handler in auth.signedIn(…) ran for a visitor who is not signed in: put auth.requireSignIn(), or another gate, before it.',
        );
      }
      bare.latchkey = session;
      return handler(request as typeof request & { latchkey: typeof session }, response, next);
    },
    visitor: (request) => requireVisit(kit, 'visitor', request).asRequestSession(),
    forgetMemberships: (sub) => kit.memberships.forget(sub),
    webhooks: (webhookOptions) => {
      const { clock, logger } = kit.settings;
      return receiveWebhooks(readWebhookOptions({ clock, logger, ...webhookOptions }), (envelope) => {
        const sub = userOf(envelope);
        if (sub !== undefined) kit.memberships.forget(sub);
      });
    },
  };
  rememberKit(auth, kit);
  return auth;
}

/** Says that a handler takes the requests of any route, which it does as long as it looks at none of their parameters. */
function anyRoute(handler: RequestHandler): Gate {
  return handler as unknown as Gate;
}

/** The store cannot be asked. Pages for everybody need not care; whatever needs the session answers 503. */
function reportStoreFailure(kit: Kit, error: unknown): SessionStoreError {
  if (!(error instanceof SessionStoreError)) throw error;
  kit.storeFailures.error('Sessions cannot be read from the store.', failureDetails(error));
  return error;
}

/** The visit that this instance has put on the request, though another instance may have put its own on top. */
function requireVisit(kit: Kit, wanted: string, request: Request): Visit {
  const visit = request.latchkey instanceof Visit ? request.latchkey.of(kit) : undefined;
  if (visit !== undefined) return visit;
  throw new Error(
    `${wanted} ran before the kit had seen the request: mount it first with app.use(auth.router), above the routes that are gated.`,
  );
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

function needMembershipsScope({ settings: { scopes } }: Kit, gate: string): void {
  if (scopes.includes('memberships.read')) return;
  throw new LatchkeyOptionsError([
    { option: 'scopes', message: `${gate} needs the scope memberships.read: add it to scopes.` },
  ]);
}

function readScopes(scope: OAuthScope | readonly OAuthScope[]): readonly OAuthScope[] {
  const scopes = typeof scope === 'string' ? [scope] : scope;
  if (Array.isArray(scopes) && scopes.length > 0 && scopes.every((each) => OAUTH_SCOPES.includes(each))) {
    return scopes;
  }
  throw new LatchkeyOptionsError([
    { option: 'requireScope', message: `must name at least one of ${OAUTH_SCOPES.join(', ')}.` },
  ]);
}

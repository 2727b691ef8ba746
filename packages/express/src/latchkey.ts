import { isLoopback } from '@latchkey/contract/constants';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { assemble, createRouter } from './assemble.js';
import type { CheckoutOptions, InviteLinkOptions } from './checkout/checkout-options.js';
import { createCheckout, createInviteLink } from './checkout/create-checkout.js';
import { createGates, type Gates } from './gates/gates.js';
import { forwardError, type Middleware } from './http/middleware.js';
import { forgetChanged, forgetDelivered, type MembershipChange } from './memberships/forget-changed.js';
import { type LatchkeyOptions, readOptions } from './options.js';
import { type Kit, registerKit } from './session/kit.js';
import { type RequestSession, requireVisitor, type SignedInRequest } from './session/visitor.js';
import type { MembershipDirectory } from './stores/kit-store.js';
import { receiveWebhooks } from './webhooks/receive-webhook.js';
import type { NoPayload, PayloadSchemas } from './webhooks/webhook-event.js';
import type { WebhookOptions } from './webhooks/webhook-options.js';
import { readWebhookOptions } from './webhooks/webhook-settings.js';

/** Membership sign-in for one Express app. */
export interface Latchkey extends Gates {
  /** Serves the endpoints below `mountPath` and sets `req.latchkey`. Mount it once, above the gates. */
  readonly router: Middleware;
  /**
   * Wraps a handler behind a gate, to tell TypeScript that `req.latchkey.user` is defined. Without a gate, requests
   * from signed-out visitors fail. It uses the types of Express 5; with Express 4, use {@link Latchkey.visitor}.
   */
  signedIn<
    Params = Request['params'],
    ResponseBody = Request['body'],
    RequestBody = Request['body'],
    Query = Request['query'],
  >(
    handler: (
      request: SignedInRequest<Params, ResponseBody, RequestBody, Query>,
      response: Response<ResponseBody>,
      next: NextFunction,
    ) => unknown,
  ): RequestHandler<Params, ResponseBody, RequestBody, Query> & Middleware;
  /**
   * Returns this instance's `req.latchkey`. Never undefined.
   * @throws Error if `app.use(auth.router)` hasn't run for the request.
   */
  visitor(request: Express.Request): RequestSession;
  /**
   * The option `directory`. Its methods `record`, `import` and `remove` also drop the memberships they affect from this
   * process's cache. Undefined without the option.
   */
  readonly directory: MembershipDirectory | undefined;
  /**
   * Drops cached memberships: the next gate calls the service. Use it when something other than
   * {@link Latchkey.webhooks} reports a change. It affects this process only.
   *
   * - `forgetMemberships(sub)` drops the memberships of the user with this `sub`, as sign-in returned it.
   * - `forgetMemberships({ membershipId, userId, communityId, productId })` drops the memberships of the user that the
   *   membership or the user id identifies. If neither identifies a visitor, it drops all that the community or product
   *   may affect, at most once a second.
   * - `forgetMemberships()` drops all users' memberships.
   */
  forgetMemberships(changed?: string | MembershipChange): void;
  /**
   * Sells memberships: serves `POST /auth/checkout`, `GET /auth/plans` and the pages that the payment page returns to.
   * Mount it once, below the router. Only the service's event `payment.success` proves a payment, so mount
   * {@link Latchkey.webhooks} too.
   * @throws LatchkeyOptionsError that lists every invalid option.
   */
  checkout(options: CheckoutOptions): Middleware;
  /**
   * Handles a route that takes members to their community's chat:
   * `app.get('/chat', auth.inviteLink({ client, plans }))`. Navigations are redirected to a new invite link. Scripts
   * receive `{ link, expiresAt }`. Only works for purchases through {@link Latchkey.checkout}.
   * @throws LatchkeyOptionsError that lists every invalid option.
   */
  inviteLink(options: InviteLinkOptions): Middleware;
  /**
   * Receives webhooks like `webhooks()`, with this instance's clock, logger, names and directory. After recording an
   * event's membership, also drops the cached memberships that the event may affect.
   * @throws LatchkeyOptionsError that lists every invalid option.
   */
  webhooks<Payload extends PayloadSchemas = NoPayload>(options: WebhookOptions<Payload>): Middleware;
}

/**
 * Configures membership sign-in for one app.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function latchkey(
  options: LatchkeyOptions & { directory: MembershipDirectory },
): Latchkey & { readonly directory: MembershipDirectory };
export function latchkey(options: LatchkeyOptions): Latchkey;
export function latchkey(options: LatchkeyOptions): Latchkey {
  const settings = readOptions(options);
  const kit = assemble(settings);
  const { clock, memberships, directory } = kit;
  const gates = createGates(kit);
  const auth: Latchkey = {
    ...gates,
    router: createRouter(kit),
    signedIn: (handler) => requireSignedIn(kit, handler),
    visitor: (request) => requireVisitor(kit, 'visitor', request).asRequestSession(),
    directory,
    forgetMemberships: (changed) =>
      typeof changed === 'object' ? forgetChanged(memberships, changed) : memberships.forget(changed),
    checkout: (checkoutOptions) => createCheckout(kit, gates.awaitMembership, checkoutOptions),
    inviteLink: (inviteOptions) => createInviteLink(kit, inviteOptions),
    webhooks: (webhookOptions) => {
      const {
        directory: own = directory,
        serviceNames = settings.serviceNames,
        ...others
      } = { ...webhookOptions };
      return receiveWebhooks(
        readWebhookOptions(
          { clock, logger: options.logger, serviceNames, directory: own, ...others },
          { canBeSandbox: isLoopback(new URL(settings.serviceUrl)) },
        ),
        (delivery) => forgetDelivered(memberships, delivery, others.readMembership),
      );
    },
  };
  registerKit(auth, kit);
  return auth;
}

function requireSignedIn<Params, ResponseBody, RequestBody, Query>(
  kit: Kit,
  handler: (
    request: SignedInRequest<Params, ResponseBody, RequestBody, Query>,
    response: Response<ResponseBody>,
    next: NextFunction,
  ) => unknown,
): RequestHandler<Params, ResponseBody, RequestBody, Query> & Middleware {
  const run: RequestHandler<Params, ResponseBody, RequestBody, Query> = (request, response, next) => {
    // The same object, without the route's parameter types.
    const plainRequest = request as unknown as Request;
    const session = requireVisitor(kit, 'signedIn', plainRequest).asRequestSession();
    if (!session.signedIn) {
      throw new Error(
        'A handler in auth.signedIn(…) ran for a visitor who is not signed in. Put auth.requireSignIn() or another gate before it.',
      );
    }
    plainRequest.latchkey = session;
    const result = handler(request as typeof request & { latchkey: typeof session }, response, next);
    return forwardError(result, next);
  };
  return run as typeof run & Middleware;
}

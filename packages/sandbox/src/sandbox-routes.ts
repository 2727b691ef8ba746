import {
  cancelSubscription,
  findSignedInUser,
  findUserByEmail,
  formOf,
  inTransaction,
  readForm,
  redirect,
  requestQuery,
  sameOriginGuard,
  startUserSession,
} from '@latchkey/server/extension';
import { sendAsset, sendPage } from '@latchkey/server/ui';
import { Router } from 'express';
import { consoleRoutes } from './console/console-routes.js';
import { ControlFailure } from './control/access/control-failure.js';
import type { SandboxControl } from './control/control.js';
import { type ControlAccess, controlRoutes } from './control/control-routes.js';
import { CLOCK_PRESETS } from './control/routes/routes.js';
import type { ClockMove } from './control/timeline/timeline.js';
import { docsRoutes } from './docs/docs-routes.js';
import { homePage } from './home/home-page.js';
import { CLOCK_STEPS } from './home/home-panels.js';
import { registerRedirectRoutes } from './home/rejected-authorization.js';
import { readWalkthrough } from './home/walkthrough-progress.js';
import { JOIN_PATH } from './home/walkthrough-section.js';
import { sandboxValues } from './integration/sandbox-values.js';
import { snippetsFor } from './integration/snippets.js';
import { mailboxRoutes } from './mailbox/mailbox-page.js';
import type { SandboxMailbox } from './mailbox/sandbox-mailbox.js';
import { messengerRoutes } from './messenger/messenger-page.js';
import type { SimulatedMessenger } from './messenger/simulated-messenger.js';
import { LIVE_SCRIPT } from './navigation/live-script.js';
import { paymentRoutes } from './payments/payment-pages.js';
import type { SimulatedBank } from './payments/simulated-bank.js';
import { listSandboxPeople, pickPersonRoutes } from './people/sandbox-people.js';
import { forgetPreview, previewRoutes } from './preview/preview-routes.js';
import type { WebhookReceiver } from './receiver/webhook-receiver.js';
import { type SandboxGuide, siteUrlOf } from './scenario/sandbox-guide.js';
import { sandboxScenario } from './scenario/sandbox-scenario.js';
import { onGet, onPost } from './services/routes.js';
import type { Needs, SandboxClock, Services } from './services/services.js';
import { SANDBOX_STYLESHEET } from './styles/sandbox-stylesheet.js';

/** Parts of a sandbox that its pages show. */
export interface SandboxParts {
  readonly clock: SandboxClock;
  readonly mailbox: SandboxMailbox;
  readonly messenger: SimulatedMessenger;
  readonly receiver: WebhookReceiver;
  /** The simulated payment provider. */
  readonly bank: SimulatedBank;
  readonly guide: SandboxGuide;
}

export function sandboxRoutes(services: Services, sandbox: SandboxParts & ControlAccess): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(controlRoutes(services, sandbox));
  router.use(homeRoutes(services, sandbox));
  router.use(registerRedirectRoutes(services, sandbox));
  router.use(consoleRoutes(services, sandbox));
  router.use(docsRoutes(services));
  router.use(pickPersonRoutes(services));
  router.use(previewRoutes(services));
  router.use(messengerRoutes(services, sandbox.messenger));
  router.use(paymentRoutes(services, sandbox.bank));
  router.use(mailboxRoutes(services, sandbox.mailbox));
  return router;
}

/**
 * The sandbox's front page, its script, the stylesheet of all its pages, the stream that tells the script about
 * changes, and the buttons that move the service's clock.
 */
function homeRoutes(
  services: Services,
  { guide, control, tokenFor, stream }: ControlAccess & { guide: SandboxGuide },
): Router {
  const { db, clock, baseUrl, serviceNames } = services;
  const moveBy = (form: URLSearchParams): Promise<ClockMove | undefined> | undefined => {
    const step = form.get('advance') ?? '';
    if (CLOCK_STEPS.has(step)) return control.clock.advanceBy(step);
    const preset = CLOCK_PRESETS.find((name) => name === form.get('preset'));
    if (preset !== undefined) return control.clock.moveToPreset(preset);
    const membershipId = form.get('end');
    return membershipId === null ? undefined : endAccess(services, control, membershipId);
  };
  const router = Router({ caseSensitive: true, strict: true });
  onGet(router, '/sandbox', async (request, response) => {
    const asked = requestQuery(request).get('clock');
    const hasSampleData = await isSeeded(services);
    const controlToken = tokenFor(request);
    const page = homePage({
      progress: await readWalkthrough(services, control.requests),
      ...(guide.demo && { demo: guide.demo }),
      hasSampleSite: hasSampleData,
      serviceTime: clock.now(),
      presets: await control.clock.presets(),
      activeFaults: control.faults
        .list()
        .filter(({ times, changed }) => times === undefined || changed < times).length,
      values: sandboxValues({ baseUrl, serviceNames, controlToken, hasSampleData }),
      snippets: hasSampleData ? snippetsFor({ baseUrl, serviceNames, siteUrl: siteUrlOf(guide) }) : [],
      people: await listSandboxPeople(services, guide),
      signedInAs: (await findSignedInUser(services, request))?.email ?? undefined,
      shops: guide.shops,
      forSale: guide.forSale,
      isPublic: controlToken === undefined,
      moved: asked === 'moved' ? control.clock.lastMove() : undefined,
      refused: asked === 'refused',
    });
    // The form that joins as Ben leads to the shop.
    const formTargets = guide.demo === undefined ? [] : [new URL(guide.demo.signIn).origin];
    sendPage(response, page, { allowsScripts: true, formTargets });
  });
  onPost(router, JOIN_PATH, sameOriginGuard(services), async (request, response) => {
    const ben = await findUserByEmail(db, sandboxScenario.users.ben.email);
    if (ben !== undefined) {
      await startUserSession(services, { request, response }, ben.id);
      forgetPreview(response);
    }
    redirect(response, 303, guide.demo?.signIn ?? guide.forSale[0]?.url ?? '/sandbox');
  });
  // The stream needs no token: its messages have no content, and other sites' requests are rejected.
  onGet(router, '/sandbox/changes', (request, response) => {
    const site = request.get('Sec-Fetch-Site') ?? 'same-origin';
    if (site !== 'same-origin') return void response.status(403).end();
    response.set('Cache-Control', 'no-store');
    stream.sendChanges(response);
  });
  // The console has a page with the same path, which handles the other methods.
  router.post('/sandbox/clock', sameOriginGuard(services), readForm, async (request, response) => {
    try {
      const move = await moveBy(formOf(request));
      if (move === undefined) return redirect(response, 303, '/sandbox');
      redirect(response, 303, '/sandbox?clock=moved');
    } catch (error) {
      // Nothing of this kind is ahead any more, or the clock would be too far ahead.
      if (!(error instanceof ControlFailure)) throw error;
      redirect(response, 303, '/sandbox?clock=refused');
    }
  });
  for (const asset of [LIVE_SCRIPT, SANDBOX_STYLESHEET]) router.get(asset.path, sendAsset(asset));
  return router;
}

async function isSeeded({ db }: Needs<'db'>): Promise<boolean> {
  const client = await db
    .selectFrom('oauth_clients')
    .select('client_id')
    .where('client_id', '=', sandboxScenario.publicClient.clientId)
    .executeTakeFirst();
  return client !== undefined;
}

/** How long the membership has left. Longer than programs cache the memberships that they have read. */
const LEFT_MS = 5 * 60_000;

/**
 * Makes a membership expire: cancels its renewal, brings its end forward to five minutes from now, and moves the clock
 * there. Its owner's sessions stay valid, so a site shows the end instead of a signed-out visitor.
 *
 * @returns undefined if no such membership is running.
 */
async function endAccess(
  { db, clock, operator }: Needs<'db' | 'clock' | 'operator'>,
  control: SandboxControl,
  membershipId: string,
): Promise<ClockMove | undefined> {
  const now = clock.now();
  const running = await inTransaction(db, async (transaction) => {
    const row = await transaction
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', membershipId)
      .executeTakeFirst();
    if (row === undefined || (row.valid_until !== null && row.valid_until <= now)) return undefined;
    await cancelSubscription(transaction, row, now);
    return row;
  });
  if (running === undefined) return undefined;
  const { id, user_id, product_type, community_id, product_id, valid_from, valid_until } = running;
  const endsAt = Math.min(now + LEFT_MS, valid_until ?? Number.POSITIVE_INFINITY);
  await operator.grantMembership({
    id,
    userId: user_id,
    productType: product_type,
    ...(community_id !== null && { communityId: community_id }),
    ...(product_id !== null && { productId: product_id }),
    validFrom: Math.min(valid_from, now),
    validUntil: endsAt,
  });
  return await control.clock.moveTo(endsAt);
}

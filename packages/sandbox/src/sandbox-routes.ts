import type { RouteContext } from '@latchkey/server';
import { Router } from 'express';
import type { SandboxClock } from './clock/sandbox-clock.js';
import { consoleRoutes } from './console/console-routes.js';
import { type ControlAccess, controlRoutes } from './control/control-routes.js';
import { docsRoutes } from './docs/docs-routes.js';
import { clockRoutes, type LastMove } from './home/clock-routes.js';
import { homeRoutes } from './home/home-routes.js';
import { mailboxRoutes } from './mailbox/mailbox-routes.js';
import type { SandboxMailbox } from './mailbox/sandbox-mailbox.js';
import { messengerRoutes } from './messenger/messenger-routes.js';
import type { SimulatedMessenger } from './messenger/simulated-messenger.js';
import { parityRoutes } from './parity/parity-routes.js';
import { partsRoutes } from './parts/parts-routes.js';
import { pickPersonRoutes } from './people/pick-person-routes.js';
import { previewRoutes } from './preview/preview-routes.js';
import type { WebhookReceiver } from './receiver/webhook-receiver.js';
import type { SandboxGuide } from './scenario/sandbox-guide.js';

/** Parts of a sandbox that its pages show. */
export interface SandboxParts {
  readonly clock: SandboxClock;
  readonly mailbox: SandboxMailbox;
  readonly messenger: SimulatedMessenger;
  readonly receiver: WebhookReceiver;
  readonly guide: SandboxGuide;
}

/** All routes that the sandbox adds to the server. */
export function sandboxRoutes(context: RouteContext, parts: SandboxParts, access: ControlAccess): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(controlRoutes(context, access));
  const last: LastMove = {};
  access.connected.hub.subscribe(({ type }) => {
    if (type === 'reset') last.move = undefined;
  });
  router.use(homeRoutes(context, { guide: parts.guide, last, access }));
  router.use(clockRoutes(context, access.connected.control, last));
  router.use(consoleRoutes(context, access));
  router.use(docsRoutes(context));
  router.use(parityRoutes(context));
  router.use(partsRoutes());
  router.use(pickPersonRoutes(context));
  router.use(previewRoutes(context));
  router.use(messengerRoutes(context, parts.messenger));
  router.use(mailboxRoutes(context, parts.mailbox));
  return router;
}

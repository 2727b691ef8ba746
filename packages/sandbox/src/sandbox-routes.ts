import { Router } from 'express';
import { consoleRoutes } from './console/console-routes.js';
import { type ControlAccess, controlRoutes } from './control/control-routes.js';
import { docsRoutes } from './docs/docs-routes.js';
import { homeRoutes } from './home/home-routes.js';
import { registerRedirectRoutes } from './home/rejected-authorization.js';
import { mailboxRoutes } from './mailbox/mailbox-page.js';
import type { SandboxMailbox } from './mailbox/sandbox-mailbox.js';
import { messengerRoutes } from './messenger/messenger-page.js';
import type { SimulatedMessenger } from './messenger/simulated-messenger.js';
import { paymentRoutes } from './payments/payment-pages.js';
import type { SimulatedBank } from './payments/simulated-bank.js';
import { pickPersonRoutes } from './people/sandbox-people.js';
import { previewRoutes } from './preview/preview-routes.js';
import type { WebhookReceiver } from './receiver/webhook-receiver.js';
import type { SandboxGuide } from './scenario/sandbox-guide.js';
import type { SandboxClock, Services } from './services/services.js';

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

/** All routes that the sandbox adds to the server. */
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

import { isLoopback, PATHS } from '@latchkey/contract/constants';
import { type RunningServer, type ServerOptions, startServer, systemClock } from '@latchkey/server';
import {
  DEFAULT_PAYMENT_LIMITS,
  DEFAULT_SIGN_IN_LIMITS,
  defaultLogger,
  inEnglish,
  isFromThisMachine,
  isLoopbackAddress,
  rejectUnknownOptions,
} from '@latchkey/server/extension';
import { type Request, type Response, Router } from 'express';
import { createControlToken, tokenCheck } from './control/access/guard.js';
import { createControl, type SandboxControl } from './control/control.js';
import type { ControlAccess } from './control/control-routes.js';
import { DEFAULT_LOG_ENTRIES } from './control/requests/request-log.js';
import { EventStream } from './control/stream/event-stream.js';
import { mailboxHref, SandboxMailbox } from './mailbox/sandbox-mailbox.js';
import { createSimulatedMessenger } from './messenger/simulated-messenger.js';
import { addSandboxMessages } from './navigation/sandbox-messages.js';
import { sandboxSite } from './navigation/sandbox-nav.js';
import { SimulatedBank } from './payments/simulated-bank.js';
import { SIMULATED_METHODS } from './payments/simulated-payments.js';
import { listSandboxPeople, PICK_PERSON_PATH } from './people/sandbox-people.js';
import { receiverRoutes, WebhookReceiver } from './receiver/webhook-receiver.js';
import type { SandboxParts } from './sandbox-routes.js';
import type { SandboxShops } from './scenario/sandbox-guide.js';
import type { ScenarioName } from './scenario/scenario-names.js';
import { DEFAULT_SHOPS, seedSandbox } from './scenario/seed-sandbox.js';
import { Services } from './services/services.js';

/** Server options that the sandbox sets itself. */
export const RESERVED_OPTIONS = [
  'mailer',
  'smtpUrl',
  'smtpPlaintext',
  'mailFrom',
  'messengerBot',
  'payments',
  'databasePurpose',
  'replaceServiceNames',
  'site',
  'signInChoices',
  'routes',
  'webhookTargets',
  'apiReference',
  'peers',
  'intercept',
  'onDeliveryAttempt',
  'interceptDelivery',
] as const satisfies readonly (keyof ServerOptions)[];

/** A developer and the tests request codes for the same few people, and try cards that are declined, all from one machine. */
function raised<Limits extends object>(limits: Limits): Limits {
  return Object.fromEntries(Object.keys(limits).map((name) => [name, 10_000])) as Limits;
}

/** Milliseconds between checks for what is due at the simulated payment provider. */
const PAYMENTS_EVERY_MS = 1_000;

/** Options of `startSandbox`: the same as for `startServer`, except for the parts that the sandbox replaces. */
export interface SandboxOptions extends Omit<ServerOptions, (typeof RESERVED_OPTIONS)[number]> {
  /**
   * Port to listen on; 0 selects any free port.
   *
   * @default 0
   */
  port?: number;
  /**
   * Database of the sandbox, as in `startServer`. A production service's database is rejected.
   *
   * @default 'sqlite::memory:'
   */
  database?: string;
  /**
   * Allows other machines to reach the sandbox: a `hostname`, a passed socket or a `baseUrl` that isn't loopback, and
   * connections from elsewhere. Anyone who can reach a sandbox can sign in as any of its users, read its emails and use
   * its API key.
   *
   * @default false
   */
  allowPublic?: boolean;
  /**
   * Token of the control API: 24 to 200 letters, digits, `-` or `_`.
   *
   * @default a random token for each start
   */
  controlToken?: string;
  /**
   * How many requests the log keeps, from 1 to 100,000; the oldest are dropped first. Each may take 8 KiB of memory on
   * average.
   *
   * @default 2000
   */
  requestLogEntries?: number;
  /**
   * Handles calls to `/sandbox/mcp` with the control API's token, as an MCP server over HTTP; `latchkey sandbox` has
   * one. It receives what it needs to call the control API.
   *
   * @default none: the path doesn't exist
   */
  mcp?: (request: Request, response: Response, sandbox: { origin: string; token: string }) => Promise<void>;
}

/** A running sandbox: the server, and the parts that a test or a demo can control. */
export interface RunningSandbox extends RunningServer, SandboxParts {
  /** The service's clock, which can be moved forward. */
  readonly clock: SandboxParts['clock'];
  /** Tools for tests: the request log, events, faults, data, snapshots. */
  readonly control: SandboxControl;
  /** Token of the control API at `/sandbox/api`, for `Authorization: Bearer`. */
  readonly controlToken: string;
}

/**
 * Starts a sandbox. It has no data until `seedSandbox` writes the sample data.
 *
 * @throws Error if an option is invalid or unknown, or belongs to a part that the sandbox replaces, or if other machines could reach
 * the sandbox and `allowPublic` is not set.
 */
export async function startSandbox({
  allowPublic = false,
  controlToken = createControlToken(),
  requestLogEntries = DEFAULT_LOG_ENTRIES,
  mcp,
  ...options
}: SandboxOptions = {}): Promise<RunningSandbox> {
  rejectUnknownOptions(options, 'a sandbox');
  rejectReservedOptions(options);
  checkLogEntries(requestLogEntries);
  const reachable = publicAddressOf(options);
  if (reachable !== undefined && !allowPublic) throw new Error(`${reachable} ${PUBLIC_SANDBOX}`);
  addSandboxMessages(SIMULATED_METHODS.filter(({ kind }) => kind === 'card').map(({ name }) => name));
  const isToken = tokenCheck(controlToken);
  /** True once the server listens where only this machine reaches it. */
  let isPrivate = false;
  const tokenFor: ControlAccess['tokenFor'] = (request) =>
    isPrivate && isFromThisMachine(request) ? controlToken : undefined;
  const services = new Services(options.clock ?? systemClock);
  const { clock } = services;
  const bank = new SimulatedBank(services);
  const parts: SandboxParts = {
    ...{ bank, clock },
    mailbox: new SandboxMailbox(services, options.brand?.name ?? 'Latchkey'),
    messenger: createSimulatedMessenger(() => services.baseUrl),
    receiver: new WebhookReceiver(services),
    guide: { notes: {}, shops: [], forSale: [] },
  };
  const { control, ...connected } = createControl(services, { ...parts, requestLogEntries });
  const stream = new EventStream(services);
  const server = await startServer({
    ...options,
    database: options.database ?? 'sqlite::memory:',
    port: options.port ?? 0,
    clock,
    ...sandboxExtensions(services, connected, {
      ...{ ...parts, control, stream, isToken, tokenFor },
      ...(mcp !== undefined && {
        mcp: (request, response) => mcp(request, response, { origin: services.baseUrl, token: controlToken }),
      }),
    }),
    peers: allowPublic ? 'any' : 'this-machine',
    widgetAssets: { cache: false, ...options.widgetAssets },
    signInLimits: { ...raised(DEFAULT_SIGN_IN_LIMITS), ...options.signInLimits },
    paymentLimits: { ...raised(DEFAULT_PAYMENT_LIMITS), ...options.paymentLimits },
  });
  const bound = isLoopbackAddress(server.address) ? undefined : `It listens at ${server.address}.`;
  if (bound !== undefined && !allowPublic) {
    await server.close();
    throw new Error(`The sandbox would be public: ${bound} ${PUBLIC_SANDBOX}`);
  }
  isPrivate = reachable === undefined && bound === undefined;
  services.connectServer(server);
  await control.listeners.continueAt(clock.now()).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  if (!isPrivate) {
    (options.logger ?? defaultLogger).warn({ baseUrl: server.baseUrl }, `The sandbox is public. ${ANYONE}`);
  }
  const dueWork = setInterval(() => {
    void bank
      .runDue()
      .catch((error: unknown) => services.logger.error({ error }, 'Simulated payments failed'));
  }, PAYMENTS_EVERY_MS).unref();
  return {
    ...server,
    ...parts,
    operator: services.operator,
    control,
    controlToken,
    async close() {
      // Streams never end by themselves, and the server waits for running requests.
      stream.close();
      clearInterval(dueWork);
      await bank.settled();
      await server.close();
    },
  };
}

function sandboxExtensions(
  services: Services,
  { intercept, interceptDelivery }: Omit<ReturnType<typeof createControl>, 'control'>,
  sandbox: SandboxParts & ControlAccess,
): ServerOptions {
  const { bank, guide, mailbox, messenger, receiver } = sandbox;
  return {
    databasePurpose: 'sandbox',
    // Test data only: `seedSandbox` creates the API key with the new prefix.
    replaceServiceNames: true,
    mailer: mailbox,
    messengerBot: messenger,
    payments: bank.provider,
    site: sandboxSite(sandbox.clock),
    signInChoices: {
      people: {
        heading: 'or pick a test person',
        action: PICK_PERSON_PATH,
        list: (db) => listSandboxPeople({ db, clock: sandbox.clock }, guide),
      },
      inbox: { name: 'sandbox mailbox', href: mailboxHref },
      authenticator: { name: 'sandbox mailbox', href: mailboxHref },
    },
    routes: async () => (await import('./sandbox-routes.js')).sandboxRoutes(services, sandbox),
    // Deliveries to the built-in receiver come by the thousands when the clock moves, so they pass no other route.
    intercept: (context) =>
      Router()
        .use(receiverRoutes(context, receiver))
        .use(intercept(context))
        .use(
          inEnglish(async (request, response, next) => {
            if (request.path !== PATHS.authorize) return next();
            const { explainRejectedAuthorization } = await import('./home/rejected-authorization.js');
            await explainRejectedAuthorization(services, sandbox)(request, response, next);
          }),
        ),
    onDeliveryAttempt: (attempt) => services.hub.publish('delivery', attempt),
    interceptDelivery,
    webhookTargets: 'public-and-loopback',
    apiReference: {
      tryIt: true,
      get apiKey() {
        return guide.apiKey;
      },
    },
  };
}

const ANYONE = 'Anyone who reaches it can sign in as any user, read its mail and use its API key.';
const PUBLIC_SANDBOX = `${ANYONE} Use a loopback address, or set allowPublic to allow it.`;

/** Returns a sentence about the option that lets other machines reach the sandbox; `undefined` if they can't. */
function publicAddressOf({
  hostname = '127.0.0.1',
  listeningSocket,
  baseUrl,
}: SandboxOptions): string | undefined {
  // A passed socket replaces the name.
  if (listeningSocket === undefined && !isLoopbackName(hostname))
    return `Option "hostname": "${hostname}" makes the sandbox public.`;
  if (baseUrl === undefined || !URL.canParse(baseUrl) || isLoopback(new URL(baseUrl))) return undefined;
  return `Option "baseUrl": "${baseUrl}" makes the sandbox public.`;
}

function checkLogEntries(entries: number): void {
  if (Number.isSafeInteger(entries) && entries >= 1 && entries <= 100_000) return;
  throw new Error('Option "requestLogEntries" must be a whole number from 1 to 100,000.');
}

function isLoopbackName(hostname: string): boolean {
  const host = `http://${hostname.includes(':') ? `[${hostname}]` : hostname}`;
  return URL.canParse(host) && isLoopback(new URL(host));
}

/** Rejects options that callers without types pass by mistake, such as the mail server of a production service. */
function rejectReservedOptions(options: object): void {
  const reserved = RESERVED_OPTIONS.find((name) => name in options);
  if (reserved === undefined) return;
  throw new Error(
    `Option "${reserved}" is not an option of startSandbox: the sandbox sets it itself. Remove it, or use startServer.`,
  );
}

export interface CreateSandboxOptions extends SandboxOptions {
  /**
   * Data to start with, by name. All scenarios except `empty` include the sample data of `seedSandbox`.
   *
   * @default 'sample-data'
   */
  scenario?: ScenarioName;
  /**
   * Origins of the sites that the two clients are registered for.
   *
   * @default localhost with the ports 4401 and 4402
   */
  shops?: SandboxShops;
}

/**
 * Starts a sandbox with data, by default on a free port and in memory. For tests: `control` has the clock, faults, data
 * and snapshots.
 *
 * @throws Error in the same cases as `startSandbox`.
 */
export async function createSandbox({
  scenario = 'sample-data',
  shops = DEFAULT_SHOPS,
  ...options
}: CreateSandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox(options);
  if (scenario === 'empty') return sandbox;
  try {
    await seedSandbox(sandbox, shops);
    await sandbox.control.scenarios.add(scenario);
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

import type { Logger, RunningServer, ServerOptions } from '@latchkey/server';
import type { Call, Command } from '../command-line/command.js';
import { helpText } from '../command-line/help-text.js';
import { readSettings } from '../command-line/read-settings.js';
import { runUntilStopped } from './run-until-stopped.js';
import { SERVE_FLAGS, SERVE_RULES, type ServeSettings } from './serve-flags.js';
import { startService } from './start-service.js';

/** What closing may take beyond the delay and the grace: deliveries are given back, statements of the database end. */
const CLOSING_MARGIN_MS = 15_000;

const DEFAULT_SITE = 'http://localhost:3000';

/** `latchkey serve` */
export const serve: Command = {
  name: 'serve',
  summary: 'Runs the service.',
  help: () =>
    helpText({
      call: 'latchkey serve',
      summary: 'Runs the service.',
      usage: [
        'latchkey serve --sandbox',
        'latchkey serve --database sqlite:./members.sqlite --smtp-url smtp://localhost:25',
        'LATCHKEY_DATABASE=postgres://… LATCHKEY_SMTP_URL=smtps://… latchkey serve --base-url https://members.example',
      ],
      flags: SERVE_FLAGS,
      notes: [
        'A flag wins over its variable in the environment. The database is brought up to date at the start. SIGTERM and SIGINT (Ctrl-C) end the service in good order, a second one at once.',
      ],
    }),
  async run(call) {
    const settings = readSettings({ flags: SERVE_FLAGS, rules: SERVE_RULES }, call);
    const { sandbox, logLevel = sandbox ? 'warn' : 'info' } = settings;
    // The server is loaded only here: help, version and wrong flags answer at once.
    const { openJsonLogger } = await import('@latchkey/server');
    const logger = await openJsonLogger({ level: logLevel });
    const server = await startService(serverOptions(settings, logger), settings);
    if (server === undefined) return 0;
    // Before anybody is told that it runs: who knows may tell it to end.
    const ended = runUntilStopped({
      close: () => server.close(),
      deadlineMs: settings.drainDelay + settings.shutdownGrace + CLOSING_MARGIN_MS,
      report: (error, what) => logger.error({ error }, what),
    });
    logger.info({ baseUrl: server.baseUrl, port: server.port }, 'service started');
    call.tell(`The service listens at ${listeningAddress(server, settings)}`);
    if (server.metricsPort !== undefined) {
      call.tell(`Metrics are at http://${urlHost(settings.metricsHostname)}:${server.metricsPort}/metrics`);
    }
    if (sandbox) await fillSandbox(server, settings, call);
    return await ended;
  },
};

function serverOptions(settings: ServeSettings, logger: Logger): ServerOptions {
  const {
    site: _site,
    logLevel: _logLevel,
    metricsPort,
    metricsHostname,
    drainDelay,
    shutdownGrace,
    ...options
  } = settings;
  return {
    ...options,
    logger,
    shutdown: { drainDelayMs: drainDelay, graceMs: shutdownGrace },
    ...(metricsPort !== undefined && { metrics: { port: metricsPort, hostname: metricsHostname } }),
  };
}

function listeningAddress({ baseUrl, port }: RunningServer, { hostname }: ServeSettings): string {
  const local = `http://${urlHost(hostname)}:${port}`;
  return local === baseUrl ? baseUrl : `${local}, as ${baseUrl}`;
}

function urlHost(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}

async function fillSandbox(server: RunningServer, settings: ServeSettings, call: Call): Promise<void> {
  const { sandboxScenario, seedSandbox } = await import('@latchkey/server');
  const { sandboxGuide } = await import('./sandbox-guide.js');
  const { site = DEFAULT_SITE } = settings;
  await seedSandbox(server, { scriptTagShop: site, backendShop: site });
  if (server.sandbox !== undefined) server.sandbox.guide.shops = [{ label: 'Your site', url: site }];
  call.tell(sandboxGuide(server, sandboxScenario, site));
}

import type { RunningSandbox } from '@latchkey/sandbox';
import { CONTROL_ROUTES } from '@latchkey/sandbox/routes';
import * as z from 'zod';
import type { CommandDefinition } from '../command-line/command.js';
import { keepSandboxToken } from '../command-line/files.js';
import { columns } from '../command-line/text.js';
import {
  databaseFolderRule,
  databaseUrl,
  isLoopbackHost,
  origin,
  settingsRule,
  smtpUrl,
  toggle,
} from '../command-line/values.js';
import { controlSettings } from '../control/control-client.js';
import { runService } from '../service/run-service.js';
import { baseUrlRule, logLevel, serviceSettings } from '../service/service-settings.js';

const SANDBOX = 'Sandbox';

const DEFAULT_SITE = 'http://localhost:3000';

export const sandboxSettings = z
  .object({
    ...serviceSettings.shape,
    logLevel: logLevel.default('warn'),
    sites: z
      .array(origin)
      .max(20)
      .exactOptional()
      .meta({
        group: SANDBOX,
        flag: 'site',
        alsoCalled: ['origin', 'widget-origin', 'url', 'shop', 'app-url'],
        placeholder: 'origin',
        variable: 'LATCHKEY_SITE',
        defaultText: DEFAULT_SITE,
        description:
          'Origin of a site that you are building. The two clients of the sandbox are registered for it, and the events of the community are also sent to /webhooks of the first one.',
      }),
    database: databaseUrl.exactOptional().meta({
      group: SANDBOX,
      defaultText: 'in memory',
      description:
        'URL of the database: sqlite:/path/to/file.sqlite or postgres://user:password@host:5432/name. No other service may use it.',
    }),
    scenario: CONTROL_ROUTES['POST /reset'].body.shape.scenario.meta({
      group: SANDBOX,
      placeholder: 'name',
      variable: 'LATCHKEY_SCENARIO',
    }),
    allowPublic: toggle({
      group: SANDBOX,
      variable: 'LATCHKEY_ALLOW_PUBLIC',
      description:
        'Allow a --hostname or --base-url that other machines can reach. Anyone who reaches a sandbox can sign in as any of its users.',
    }),
    controlToken: controlSettings.shape.token.exactOptional().meta({
      group: SANDBOX,
      placeholder: 'token',
      isVariableOnly: false,
      defaultText: 'a random token, printed at the start and kept in .latchkey/',
      description: 'Token of the control API at /sandbox/api.',
    }),
    // Only read to be rejected: an environment with a mail server is probably a real service's.
    smtpUrl: smtpUrl.exactOptional().meta({ isHidden: true }),
  })
  .check(
    baseUrlRule,
    settingsRule({
      reads: ['hostname', 'baseUrl', 'allowPublic'],
      // Without a base URL, `baseUrlRule` rejects the hostname.
      isMet: ({ hostname = '', baseUrl, allowPublic = false }) =>
        allowPublic ||
        baseUrl === undefined ||
        (isLoopbackHost(hostname) && isLoopbackHost(new URL(baseUrl).hostname)),
      error:
        'Other machines could reach the sandbox, sign in as any user and use its API key. Use a loopback address, or add --allow-public (or LATCHKEY_ALLOW_PUBLIC=true).',
    }),
    databaseFolderRule,
    settingsRule({
      reads: ['smtpUrl'],
      isMet: ({ smtpUrl: url }) => url === undefined,
      error:
        'The sandbox sends no mail: its mailbox page shows the messages. Remove --smtp-url (or LATCHKEY_SMTP_URL).',
    }),
  );

export const sandboxCommand: CommandDefinition<typeof sandboxSettings> = {
  name: 'sandbox',
  summary: 'Runs a sandbox for developers: sample data, a mailbox page, a clock that you can move.',
  settings: sandboxSettings,
  examples: [
    'latchkey sandbox',
    'latchkey sandbox --scenario busy-shop',
    'latchkey sandbox --site https://shop.example --database sqlite:./sandbox.sqlite',
  ],
  notes:
    'Anyone who can reach the sandbox can sign in as any of its users. Payments are simulated, and no mail leaves the process.',
  async run(settings, output) {
    const { database, sites = [], scenario, allowPublic, controlToken } = settings;
    const { seedSandbox, startSandbox } = await import('@latchkey/sandbox');
    let answer: ReturnType<typeof import('../mcp/serve-mcp.js').mcpOverHttp> | undefined;
    const [site = DEFAULT_SITE, ...otherSites] = sites;
    return await runService({
      settings,
      output,
      start: (options) =>
        startSandbox({
          ...options,
          allowPublic,
          ...(database !== undefined && { database }),
          ...(controlToken !== undefined && { controlToken }),
          // Loaded with the first call: few sandboxes serve an assistant.
          async mcp(request, response, { origin: sandbox, token }) {
            answer ??= (await import('../mcp/serve-mcp.js')).mcpOverHttp({ sandbox, token });
            await answer(request, response);
          },
        }),
      async onListening(sandbox) {
        if (controlToken === undefined) keepSandboxToken(process.cwd(), sandbox.controlToken);
        if (scenario !== 'empty') {
          await seedSandbox(sandbox, { scriptTagShop: site, backendShop: site, otherSites });
          // Nothing may listen at the default address.
          if (sites.length > 0) await sendEventsTo(sandbox, `${site}/webhooks`);
          await sandbox.control.scenarios.add(scenario);
        }
        sandbox.guide.shops = [site, ...otherSites].map((url) => ({ label: 'Your site', url }));
        output.warn(
          await startText(sandbox, {
            site,
            hasSampleData: scenario !== 'empty',
            isInMemory: database === undefined,
          }),
        );
      },
    });
  },
};

/** Registers a second webhook for the community, with the secret from the `.env` file. Also after a reset. */
async function sendEventsTo(sandbox: RunningSandbox, url: string): Promise<void> {
  const { sandboxScenario } = await import('@latchkey/sandbox');
  const { community, users, webhooks } = sandboxScenario;
  const owned = { id: SITE_WEBHOOK_ID, ownerId: users.dana.id };
  const register = async () => {
    try {
      const { secret } = webhooks.community;
      await sandbox.operator.createWebhook({ ...owned, communityId: community.id, secret, url });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // The webhook is from an earlier start with the same database.
      if (code === 'already_exists') await sandbox.operator.change('webhooks', owned.id, { url });
      // Nothing to do in an empty sandbox.
      else if (code !== 'not_found') throw error;
    }
  };
  await register();
  sandbox.control.snapshots.onReset(register);
}

const SITE_WEBHOOK_ID = '5eed0000-0000-4000-8000-0000000000f4';

/** Returns what is printed once the sandbox listens: the page to open, and the site's `.env` file. */
async function startText(
  sandbox: RunningSandbox,
  start: { site: string; hasSampleData: boolean; isInMemory: boolean },
): Promise<string> {
  const { baseUrl } = sandbox;
  const lines = start.hasSampleData ? await sampleDataLines(sandbox, start.site) : emptyLines(sandbox);
  return [
    '',
    start.hasSampleData ? 'Click this first: three steps to try' : 'Click this first',
    `  ${baseUrl}/sandbox`,
    '',
    columns([
      ['mailbox', `${baseUrl}/sandbox/mailbox`],
      ['webhooks', `${baseUrl}/sandbox/webhooks`],
      ['docs', `${baseUrl}/docs`],
      ['control API', `${baseUrl}/sandbox/api`],
      ['MCP server', `${baseUrl}/sandbox/mcp`],
    ]),
    '',
    ...lines,
    start.isInMemory
      ? 'Press Ctrl-C to stop. All data are in memory and are lost then.'
      : 'Press Ctrl-C to stop. The data stay in the database. The clock begins at the real time again.',
  ].join('\n');
}

async function sampleDataLines(sandbox: RunningSandbox, site: string): Promise<readonly string[]> {
  const { sandboxEnv, sandboxScenario } = await import('@latchkey/sandbox');
  const { users } = sandboxScenario;
  return [
    'People, on every sign-in page',
    columns([
      [users.ada.email, 'is a member'],
      [users.ben.email, 'has no membership'],
      [users.dana.email, 'owns the community'],
    ]),
    '',
    `The .env file of your site at ${site}`,
    '',
    sandboxEnv(sandbox),
    '',
    `Redirect URI: ${site}/auth/callback`,
  ];
}

/** The sample ids and secrets would not work. */
function emptyLines({ baseUrl, controlToken }: RunningSandbox): readonly string[] {
  return [
    'The sandbox is empty. Create users and clients at',
    `  ${baseUrl}/sandbox/data`,
    '',
    `LATCHKEY_SERVICE_URL=${baseUrl}`,
    `LATCHKEY_SANDBOX_TOKEN=${controlToken}`,
    '',
  ];
}

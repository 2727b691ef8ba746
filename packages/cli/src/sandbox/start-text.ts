import { type RunningSandbox, sandboxEnv, sandboxScenario } from '@latchkey/sandbox';
import { columns } from '../command-line/columns.js';

/** Facts about a started sandbox that its address does not show. */
interface StartedSandbox {
  /** Origin of the site that the developer builds. */
  readonly site: string;
  /** False for the scenario `empty`: no user, client or community exists. */
  readonly hasSampleData: boolean;
  readonly isInMemory: boolean;
}

/** Text with the page to open and the `.env` file of the site, printed once the sandbox listens. */
export function startText(sandbox: RunningSandbox, start: StartedSandbox): string {
  const { baseUrl } = sandbox;
  const lines = start.hasSampleData ? sampleDataLines(sandbox, start.site) : emptyLines(sandbox);
  return [
    '',
    start.hasSampleData ? 'Start here, with three steps to try' : 'Start here',
    `  ${baseUrl}/sandbox`,
    '',
    columns([
      ['mailbox', `${baseUrl}/sandbox/mailbox`],
      ['webhooks', `${baseUrl}/sandbox/webhooks`],
      ['docs', `${baseUrl}/docs`],
      ['control API', `${baseUrl}/sandbox/api`],
    ]),
    '',
    ...lines,
    start.isInMemory
      ? 'Press Ctrl-C to stop. All data are in memory and are lost then.'
      : 'Press Ctrl-C to stop. The data stay in the database.',
  ].join('\n');
}

function sampleDataLines(sandbox: RunningSandbox, site: string): readonly string[] {
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

import { type RunningSandbox, sandboxEnv, sandboxScenario } from '@latchkey/sandbox';
import { columns } from '../command-line/columns.js';

/** Text with the page to open and the `.env` file of the site, printed once the sandbox listens. */
export function sandboxGuide(sandbox: RunningSandbox, site: string): string {
  const { baseUrl } = sandbox;
  const { users } = sandboxScenario;
  return [
    '',
    'Start here: sign in, buy, and watch access end in five steps',
    `  ${baseUrl}/sandbox`,
    '',
    columns([
      ['mailbox', `${baseUrl}/sandbox/mailbox`],
      ['webhooks', `${baseUrl}/sandbox/webhooks`],
      ['docs', `${baseUrl}/docs`],
      ['control API', `${baseUrl}/sandbox/api`],
    ]),
    '',
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
    'Press Ctrl-C to stop. Data in memory is lost then.',
  ].join('\n');
}

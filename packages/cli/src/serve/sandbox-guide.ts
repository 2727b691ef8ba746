import type { RunningServer, sandboxScenario } from '@latchkey/server';
import { columns } from '../command-line/help-text.js';

/** What to click and what to paste, once the sandbox runs. */
export function sandboxGuide(
  { baseUrl }: RunningServer,
  scenario: typeof sandboxScenario,
  site: string,
): string {
  const { users, publicClient, confidentialClient, apiKey, community } = scenario;
  return [
    '',
    'Open',
    columns([
      ['start here', `${baseUrl}/sandbox`],
      ['mailbox', `${baseUrl}/sandbox/mailbox`],
      ['account', `${baseUrl}/account`],
      [
        'people',
        `${users.ada.email} is a member, ${users.ben.email} is not, ${users.dana.email} owns the community`,
      ],
    ]),
    '',
    `Use in your site at ${site}`,
    columns([
      ['public client', publicClient.clientId],
      ['confidential client', confidentialClient.clientId],
      ['its secret', confidentialClient.clientSecret],
      ['its redirect URI', `${site}/auth/callback`],
      ['API key', apiKey],
      ['community', community.id],
    ]),
    '',
    'Ctrl-C ends it, and what is in memory is gone.',
  ].join('\n');
}

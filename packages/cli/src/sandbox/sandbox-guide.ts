import type { RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import { columns } from '../command-line/columns.js';

/** Text with the pages to open and the values to copy into the site, printed once the sandbox listens. */
export function sandboxGuide(
  { baseUrl, controlToken }: RunningSandbox,
  scenario: Omit<typeof sandboxScenario, 'apiKey'> & { apiKey: string },
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
        'users',
        `${users.ada.email} is a member, ${users.ben.email} is not, ${users.dana.email} owns the community`,
      ],
    ]),
    '',
    `Use in your site at ${site}`,
    columns([
      ['public client', publicClient.clientId],
      ['confidential client', confidentialClient.clientId],
      ['client secret', confidentialClient.clientSecret],
      ['redirect URI', `${site}/auth/callback`],
      ['API key', apiKey],
      ['community', community.id],
    ]),
    '',
    'Control API, for tests and tools',
    columns([
      ['address', `${baseUrl}/sandbox/api`],
      ['token', controlToken],
    ]),
    '',
    'Press Ctrl-C to stop. Data in memory is lost then.',
  ].join('\n');
}

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
      [`${baseUrl}/sandbox`, 'start here: people, clients, the clock'],
      [`${baseUrl}/sandbox/mailbox`, 'the mail that was not sent'],
      [`${baseUrl}/account`, `sign in as ${users.ada.email} (a member) or ${users.ben.email} (none)`],
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

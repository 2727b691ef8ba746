import type { CommandDefinition } from '../command-line/command.js';
import { runService } from '../service/run-service.js';
import { serveSettings } from './serve-settings.js';

/** `latchkey serve` */
export const serveCommand: CommandDefinition<typeof serveSettings> = {
  name: 'serve',
  summary: 'Runs the service.',
  settings: serveSettings,
  examples: [
    'latchkey serve --database sqlite:./members.sqlite --smtp-url smtp://localhost:25',
    'LATCHKEY_DATABASE_FILE=./database-url LATCHKEY_SMTP_URL_FILE=./smtp-url latchkey serve --base-url https://members.example',
  ],
  notes: [
    'A flag wins over its environment variable. Other users of the machine can see flags: pass a URL with a',
    'password as LATCHKEY_DATABASE or LATCHKEY_SMTP_URL, or in a file whose path is in LATCHKEY_DATABASE_FILE',
    'or LATCHKEY_SMTP_URL_FILE.',
    '',
    'The service runs expand migrations when it starts, with which the previous version continues to work. See',
    '"latchkey migrate --help". SIGTERM and SIGINT (Ctrl-C) shut it down gracefully; a second signal ends it',
    'immediately. To try things out, run "latchkey sandbox".',
    '',
    'This command has no payment provider, so nothing can be sold. To sell, start the service from a program with',
    'startServer of @latchkey/server and its option "payments".',
  ].join('\n'),
  async run(
    { database, smtpUrl, smtpPlaintext, mailFrom, brandName, brandLogo, brandAccent, ...settings },
    output,
  ) {
    const { startServer } = await import('@latchkey/server');
    return await runService({
      settings,
      output,
      start: (options) =>
        startServer({
          ...options,
          database,
          smtpUrl,
          smtpPlaintext,
          brand: { name: brandName, logoUrl: brandLogo, accent: brandAccent },
          ...(mailFrom !== undefined && { mailFrom }),
        }),
    });
  },
};

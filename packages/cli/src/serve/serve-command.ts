import { docsUrl } from '@latchkey/contract/constants';
import { accentField, logoUrlField, nameField, senderField } from '@latchkey/server/schemas';
import * as z from 'zod';
import type { CommandDefinition } from '../command-line/command.js';
import { databaseFolderRule, databaseUrl, smtpUrl, toggle } from '../command-line/values.js';
import { openPayments, paymentRule, paymentSettings } from '../service/payment-settings.js';
import { runService } from '../service/run-service.js';
import { baseUrlRule, serviceSettings } from '../service/service-settings.js';

const DATA = 'Data and mail';
const BRAND = 'Brand';

export const serveSettings = z
  .object({
    ...serviceSettings.shape,
    ...paymentSettings.shape,
    database: databaseUrl.meta({ group: DATA }),
    smtpUrl: smtpUrl.meta({
      group: DATA,
      description:
        'Mail server for sign-in codes: smtp://user:password@host:587 or smtps://user:password@host:465.',
    }),
    smtpPlaintext: toggle({
      group: DATA,
      variable: 'LATCHKEY_SMTP_PLAINTEXT',
      description:
        'Allow mail without TLS to a mail server on another machine. Sign-in codes then cross the network in plain text.',
    }),
    mailFrom: senderField.exactOptional().meta({
      group: DATA,
      placeholder: 'address',
      variable: 'LATCHKEY_MAIL_FROM',
      defaultText: 'no-reply@ and the host of the base URL',
      description:
        'Sender of mails: an address, or a name and an address such as Service <codes@service.example>.',
    }),
    brandName: nameField.exactOptional().meta({
      group: BRAND,
      placeholder: 'name',
      variable: 'LATCHKEY_BRAND_NAME',
      defaultText: 'Latchkey',
      description: 'Name of the service on its pages and in its mails.',
    }),
    brandLogo: logoUrlField.exactOptional().meta({
      group: BRAND,
      placeholder: 'url',
      variable: 'LATCHKEY_BRAND_LOGO',
      defaultText: 'a key',
      description: 'Logo on its pages: an https address, or a small image as data URL.',
    }),
    brandAccent: accentField.exactOptional().meta({
      group: BRAND,
      placeholder: 'colour',
      variable: 'LATCHKEY_BRAND_ACCENT',
      defaultText: 'green',
      description:
        'Colour of buttons and links, such as #b4541a. Pages darken or lighten it until texts are readable.',
    }),
  })
  .check(baseUrlRule, databaseFolderRule, paymentRule);

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
    `Without a payment provider nothing can be sold. "--payments stripe" sells with Stripe: ${docsUrl('stripe')}. For`,
    'another provider, start the service from a program with startServer of @latchkey/server and its option "payments".',
  ].join('\n'),
  async run(settings, output) {
    const payments = await openPayments(settings);
    const { database, smtpUrl, smtpPlaintext, mailFrom, brandName, brandLogo, brandAccent } = settings;
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
          ...(payments !== undefined && { payments }),
        }),
    });
  },
};

import { accentField, logoUrlField, nameField, senderField } from '@latchkey/server/schemas';
import * as z from 'zod';
import { databaseFolderRule, databaseUrl, smtpUrl } from '../command-line/service-values.js';
import { baseUrlRule, serviceSettings } from '../service/service-settings.js';

const DATA = 'Data and mail';
const BRAND = 'Brand';

/** Settings of `latchkey serve`. */
export const serveSettings = z
  .object({
    ...serviceSettings.shape,
    database: databaseUrl.meta({ group: DATA }),
    smtpUrl: smtpUrl.meta({
      group: DATA,
      description:
        'Mail server for sign-in codes: smtp://user:password@host:587 or smtps://user:password@host:465.',
    }),
    smtpPlaintext: z.boolean().default(false).meta({
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
  .check(baseUrlRule, databaseFolderRule);

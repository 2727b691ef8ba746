import {
  isLoopback,
  isOAuthScope,
  OAUTH_SCOPES,
  URL_MAX_LENGTH,
  WIDGET_CALLBACK_PATH,
} from '@latchkey/contract/constants';
import * as z from 'zod';
import { isOwnHost, parseWebOrigin } from '../../platform/http/web-origin.js';
import { phrase, t } from '../../platform/language/language.js';
import { BRAND } from '../brand/brand.js';
import { defineRecords } from '../fields/define-records.js';
import { ACTION, FLAG, idOf, NEW_ID, nameField, stacksMarks } from '../fields/fields.js';

const DESCRIPTION_MAX_LENGTH = 500;
/** How many redirect URIs a client can have, and how many web origins. */
const ADDRESSES_MAX = 50;

/** Matches control characters, except line feed and tab, and lone surrogates. PostgreSQL can't store U+0000. */
const UNPRINTABLE = /[^\P{Cc}\n\t]|\p{Cs}/u;

/** The characters of RFC 3986 section 2. Others may break a Location header. */
const URI_CHARACTERS = /^[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Hosts become sources in the consent page's policy, where a comma or a semicolon would end the directive. */
const PLAIN_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/;

const INSECURE_ADDRESS = phrase('Use https, or http on a loopback address such as localhost.');

const CLIENT_TYPES = ['public', 'confidential'] as const;

/** Client id (spec, "Resources and their fields"). */
const clientIdField = z.string().regex(/^oac_[0-9a-f]{24}$/, 'Enter oac_ and 24 hex characters.');

/** Client secret (spec, "Resources and their fields"). */
export const clientSecretField = z.string().regex(/^ocs_[0-9a-f]{48}$/, 'Enter ocs_ and 48 hex characters.');

const fields = {
  clientId: { ...NEW_ID, schema: clientIdField, about: 'oac_ and 24 hex characters, by default new.' },
  ownerId: idOf('Owner'),
  type: {
    schema: z.enum(CLIENT_TYPES, 'Choose public or confidential.'),
    hint: phrase('You can change it later.'),
    about: 'public for browsers, which cannot keep a secret; confidential for backends.',
    makesSecret: true,
    choices: { public: phrase('Public'), confidential: phrase('Confidential') },
    choiceHints: {
      public: phrase(
        'Runs in browsers, for example the login widget on a static site. It has no secret. PKCE protects the sign-in.',
      ),
      confidential: phrase('Has a server that stores a secret, for example an Express app.'),
    },
  },
  name: {
    schema: nameField,
    hint: phrase(
      'Shown on the consent page, where users allow the app. After a change, they are asked again.',
    ),
    about: 'Name.',
  },
  description: {
    schema: z
      .string()
      .trim()
      .refine(isDescription, {
        error: () =>
          t('Enter plain text of at most {max} characters.', { max: String(DESCRIPTION_MAX_LENGTH) }),
      })
      .refine((text) => !stacksMarks(text), {
        error: () => t('Enter a text with fewer marks on each letter.'),
      }),
    hint: phrase('One sentence for the consent page, at most 500 characters.'),
    about: 'Description on the consent page.',
    isOptional: true,
    rows: 2,
  },
  logoUrl: { ...BRAND.logoUrl, about: 'Logo on the consent page.' },
  accent: { ...BRAND.accent, about: 'Colour of the sign-in pages, such as #b4541a.' },
  scopes: {
    schema: z.array(
      z.enum(OAUTH_SCOPES, {
        error: () => t('Choose from {permissions}.', { permissions: OAUTH_SCOPES.join(', ') }),
      }),
    ),
    initial: ['memberships.read'],
    hint: phrase("Data that the app may request. Apps always receive the user's ID and e-mail address."),
    about: 'OAuth scopes that the client may request.',
    /** What each scope allows, for developers. The consent page has its own wording. */
    choiceHints: {
      'memberships.read': phrase('Read the user’s active memberships and their end dates.'),
      'products.read': phrase('Read the products that the user sells.'),
    },
  },
  /** URLs that may receive codes, without a fragment. */
  redirectUris: {
    schema: addresses(redirectUriError),
    initial: [],
    hint: phrase(
      'URLs that users return to after sign-in, one per line. They must match exactly, so register every environment. Use https, or http on a loopback address. For the Express kit: {app URL}/auth/callback.',
    ),
    about: 'URL that may receive authorization codes; matched exactly. https, or http on a loopback address.',
    control: 'literal',
  },
  /** Origins with pages that may receive codes through the hosted callback. https, or http on a loopback address. */
  widgetOrigins: {
    schema: addresses(widgetOriginError),
    initial: [],
    label: phrase('Allowed web origins'),
    hint: phrase('Sites that may use the widget, one per line, without a path: https://shop.example.'),
    control: 'literal',
    about: 'Origin whose pages may sign users in through the widget.',
  },
  hostedCallback: {
    schema: z.boolean(),
    initial: true,
    label: phrase('Hosted callback, for the login widget'),
    about: 'Registers the widget’s hosted callback too.',
  },
  verified: {
    ...FLAG,
    about: 'The operator knows the owner. Then the consent page shows no warning.',
    vouches: true,
  },
  replaceSecret: {
    ...ACTION,
    label: 'Replace the secret',
    about: 'Only a confidential client has one. The old secret ends at once.',
    makesSecret: true,
  },
} as const;

export const clientRecords = defineRecords({
  one: 'client',
  table: 'oauth_clients',
  columns: [
    ...['client_id', 'owner_id', 'type', 'name', 'description', 'logo_url', 'accent'],
    ...['redirect_uris', 'widget_origins', 'scopes', 'verified_at', 'created_at'],
  ],
  order: ['created_at', 'client_id'],
  id: ['client_id'],
  searched: ['client_id', 'name', 'redirect_uris', 'widget_origins'],
  owners: ['ownerId'],
  fields,
  create: 'Registers a client. The answer has the secret of a confidential client, this once.',
  change: 'Changes a client. The answer has a new secret, if the change makes one.',
  end: {
    summary: 'Deletes a client with its codes, tokens and consents.',
    button: 'Delete client',
    isFinal: true,
  },
});

/** Shared by all clients, since zod compiles each object schema. */
const settingsSchema = z.object({
  name: fields.name.schema,
  description: fields.description.schema.optional(),
  logoUrl: fields.logoUrl.schema.optional(),
  accent: fields.accent.schema.optional(),
  // A form only lists the scopes it offers.
  scopes: z
    .array(z.string().refine(isOAuthScope, { error: () => t('The service has no such scope.') }))
    .readonly(),
  redirectUris: fields.redirectUris.schema,
  widgetOrigins: fields.widgetOrigins.schema,
  hostedCallback: z.boolean().default(false),
});

export type ClientSettings = z.input<typeof settingsSchema>;

export type StoredClientSettings = z.output<ReturnType<typeof clientSettingsSchema>>;

/** Returns the settings schema for one client. Its output is the stored form. */
export function clientSettingsSchema({ baseUrl, clientId }: { baseUrl: string; clientId: string }) {
  const own = hostedCallbackOf(baseUrl, clientId);
  return settingsSchema.transform(
    ({ hostedCallback, description, logoUrl, accent, ...settings }, context) => {
      settings.redirectUris.forEach((uri, index) => {
        const message = ownOriginError(uri, { baseUrl, own });
        if (message !== undefined) {
          context.addIssue({ code: 'custom', path: ['redirectUris', index], message, input: uri });
        }
      });
      return {
        name: settings.name,
        description: description ?? null,
        logoUrl: logoUrl ?? null,
        accent: accent ?? null,
        scopes: [...new Set(settings.scopes)].filter(isOAuthScope),
        redirectUris: [...new Set([...settings.redirectUris, ...(hostedCallback ? [own] : [])])],
        widgetOrigins: [...new Set(settings.widgetOrigins.map((text) => parseWebOrigin(text) ?? text))],
      };
    },
  );
}

function isDescription(text: string): boolean {
  return text.length <= DESCRIPTION_MAX_LENGTH && !UNPRINTABLE.test(text);
}

function addresses(errorOf: (text: string) => string | undefined) {
  return z
    .array(
      z.string().superRefine((input, context) => {
        const message = errorOf(input);
        if (message !== undefined) context.addIssue({ code: 'custom', message, input });
      }),
    )
    .max(ADDRESSES_MAX, { error: () => t('Enter at most {max} addresses.', { max: ADDRESSES_MAX }) })
    .readonly();
}

function redirectUriError(uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.hostname.includes('*')) return t(NO_WILDCARD);
  // Redirect URIs are compared character by character, so saving one doesn't change it.
  if (url !== undefined && !URI_CHARACTERS.test(uri))
    return t('Enter the address as browsers send it: {address}', { address: url.href });
  if (url === undefined || uri.length > URL_MAX_LENGTH || !URI_CHARACTERS.test(uri)) {
    return t('Enter an absolute URL of at most {max} characters.', { max: String(URL_MAX_LENGTH) });
  }
  if (uri.includes('#')) return t('Remove the fragment: the # and everything after it.');
  if (!isConfidentialAddress(url)) return t(INSECURE_ADDRESS);
  // URL parsers read "https:/path" as a host. A browser on a page of the service reads it as a path of the service.
  if (uri.startsWith(url.origin) && PLAIN_HOST.test(url.hostname)) return undefined;
  return uri !== url.href && redirectUriError(url.href) === undefined
    ? t('Enter the address as browsers send it: {address}', { address: url.href })
    : t('Start with an origin such as https://shop.example.');
}

/**
 * On the service's own origin, a client can register only its own hosted callback. Another client's callback sends
 * codes to the origins that the other client's owner allowed.
 */
function ownOriginError(uri: string, { baseUrl, own }: { baseUrl: string; own: string }): string | undefined {
  return isOwnHost(baseUrl, new URL(uri)) && uri !== own
    ? t("On the service's own origin, a client can only register its own hosted callback: {own}", { own })
    : undefined;
}

const NO_WILDCARD = phrase('Wildcards (*) are not supported. Enter each address.');

function widgetOriginError(text: string): string | undefined {
  if (text.includes('*')) return t(NO_WILDCARD);
  const origin = parseWebOrigin(text);
  // The parser converts letter case, default ports and international names to the form that browsers send.
  if (origin === undefined || !URI_CHARACTERS.test(origin) || new URL(text).href !== `${origin}/`) {
    return t('Enter an origin such as https://shop.example, without a path.');
  }
  // The popup posts the code to this origin. A page sent over plain http can be altered on the way to the browser.
  return isConfidentialAddress(new URL(origin)) ? undefined : t(INSECURE_ADDRESS);
}

/** True if no third party can read or alter what is sent to the URL. */
function isConfidentialAddress(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

export function hostedCallbackOf(baseUrl: string, clientId: string): string {
  return `${baseUrl}${WIDGET_CALLBACK_PATH.replace('{clientId}', clientId)}`;
}

/** Returns what prevents sign-in, each as a sentence with the fix. `hostedCallback`: it's one of the redirect URIs. */
export function clientObstacles({
  redirectUris,
  widgetOrigins,
  hostedCallback,
}: Pick<StoredClientSettings, 'redirectUris' | 'widgetOrigins'> & { hostedCallback: boolean }): string[] {
  if (redirectUris.length === 0) {
    return [
      t(
        'Nobody can sign in yet: there is no redirect URI. Add one, or switch the hosted callback on for the login widget.',
      ),
    ];
  }
  if (hostedCallback && widgetOrigins.length === 0) {
    return [
      t(
        'The login widget’s popup refuses every page: add the origins of your site to the allowed web origins.',
      ),
    ];
  }
  if (!hostedCallback && widgetOrigins.length > 0) {
    return [
      t('The allowed web origins have no effect: they are for the hosted callback, which is switched off.'),
    ];
  }
  return [];
}

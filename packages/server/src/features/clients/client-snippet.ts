import {
  DEFAULT_SERVICE_NAMES,
  formatScopeList,
  type OAuthScope,
  type ServiceNames,
} from '@latchkey/contract/constants';
import { t } from '../../platform/language/language.js';

interface SnippetClient {
  clientId: string;
  type: 'public' | 'confidential';
  redirectUris: readonly string[];
  scopes: readonly OAuthScope[];
  /** True if the hosted callback is a redirect URI. The widget requires it. */
  hostedCallback: boolean;
}

export interface ClientSnippet {
  label: string;
  text: string;
}

/** Path of the Express kit's callback in an app that mounts the kit as the snippet does. */
const KIT_CALLBACK = '/auth/callback';

export interface SnippetPlace {
  baseUrl: string;
  /** @default the spec's placeholders */
  serviceNames?: ServiceNames | undefined;
  /** The community that the client's owner owns. Undefined if there is none, or more than one. */
  communityId?: string | undefined;
}

/** Stands in for the id of a community that doesn't exist yet. */
const YOUR_COMMUNITY = 'id of your community';

export function clientSnippets(client: SnippetClient, place: SnippetPlace): ClientSnippet[] {
  if (client.type === 'public')
    return client.hostedCallback ? [{ label: t('In your page'), text: pageSnippet(client, place) }] : [];
  const express = { label: t('In your Express app'), text: expressSnippet(client, place) };
  if (!client.hostedCallback) return [express];
  return [express, { label: t('In its pages'), text: backendPageSnippet(client, place) }];
}

/** A page of a site without a backend. It signs visitors in, and has no gate. */
function pageSnippet({ clientId, scopes }: SnippetClient, place: SnippetPlace): string {
  const scope = formatScopeList(scopes);
  // The widget's default scope is left out.
  const more = scope === 'memberships.read' ? '' : ` scope="${scope}"`;
  return [
    scriptTag(place),
    '',
    `<latchkey-login client-id="${clientId}"${more}></latchkey-login>`,
    '',
    '<!-- A page alone cannot ask whose membership a membership is: product-type opens for any seller’s members.',
    '     With a backend at /auth, register a confidential app. Its page shows the code, with this gate:',
    ...gate(place),
    '-->',
  ].join('\n');
}

function backendPageSnippet({ clientId }: SnippetClient, place: SnippetPlace): string {
  return [
    scriptTag(place),
    FAIL_CLOSED_STYLE,
    '',
    `<latchkey-login client-id="${clientId}" backend="/auth"></latchkey-login>`,
    '',
    '<!-- product-type alone would be cosmetic: it opens for any seller’s members. -->',
    ...gate(place),
  ].join('\n');
}

/** Hides a gate's content until the script runs, and also if the script is blocked. */
const FAIL_CLOSED_STYLE = '<style>latchkey-gate:not(:defined){display:none}</style>';

const scriptTag = ({ baseUrl }: SnippetPlace) =>
  `<script src="${baseUrl}/widget/latchkey.js" defer></script>`;

const gate = ({ communityId = YOUR_COMMUNITY }: SnippetPlace) => [
  `<latchkey-gate backend="/auth" community="${communityId}">`,
  '  <p>Members see this.</p>',
  '  <p slot="locked">This part is for members.</p>',
  '</latchkey-gate>',
];

/** Returns the options line with the names that differ from the spec's, or nothing if none do. */
function serviceNamesLine({ serviceNames = DEFAULT_SERVICE_NAMES }: SnippetPlace): string[] {
  const own = (Object.keys(DEFAULT_SERVICE_NAMES) as (keyof ServiceNames)[])
    .filter((name) => serviceNames[name] !== DEFAULT_SERVICE_NAMES[name])
    .map((name) => `${name}: '${serviceNames[name]}'`);
  return own.length === 0 ? [] : [`  serviceNames: { ${own.join(', ')} },`];
}

function expressSnippet({ clientId, redirectUris }: SnippetClient, place: SnippetPlace): string {
  const { baseUrl, communityId = YOUR_COMMUNITY } = place;
  const callback = redirectUris.find((uri) => URL.canParse(uri) && new URL(uri).pathname === KIT_CALLBACK);
  const { origin, port } = new URL(callback ?? 'https://your-app.example');
  return [
    "import { latchkey, sqliteDirectory } from '@latchkey/express';",
    "import express from 'express';",
    '',
    'const { LATCHKEY_CLIENT_SECRET, LATCHKEY_WEBHOOK_SECRET, COOKIE_SECRET } = process.env;',
    'if (!LATCHKEY_CLIENT_SECRET || !LATCHKEY_WEBHOOK_SECRET || !COOKIE_SECRET) {',
    "  throw new Error('Set LATCHKEY_CLIENT_SECRET, LATCHKEY_WEBHOOK_SECRET and COOKIE_SECRET.');",
    '}',
    `const communityId = '${communityId}';`,
    '',
    'const app = express();',
    'const auth = latchkey({',
    `  serviceUrl: '${baseUrl}',`,
    ...serviceNamesLine(place),
    `  clientId: '${clientId}',`,
    '  clientSecret: LATCHKEY_CLIENT_SECRET,',
    ...(callback === undefined
      ? [`  // Register {appUrl}${KIT_CALLBACK} as a redirect URI of this app.`]
      : []),
    `  appUrl: '${origin}',`,
    '  cookieSecret: COOKIE_SECRET, // 32 random characters or more',
    "  directory: sqliteDirectory('memberships.sqlite'), // which memberships belong to this site",
    '});',
    '// Register a webhook of the community with the address {appUrl}/webhooks. It records your members.',
    "app.all('/webhooks', auth.webhooks({ communities: { [communityId]: LATCHKEY_WEBHOOK_SECRET } }));",
    'app.use(auth.router);',
    '',
    "app.get('/members', auth.requireMembership({ communityId }), (request, response) => {",
    '  response.json({ welcome: request.latchkey?.user });',
    '});',
    `app.listen(${port === '' ? 3000 : port});`,
  ].join('\n');
}

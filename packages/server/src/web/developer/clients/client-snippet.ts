import { formatScopeList, type OAuthScope } from '@latchkey/contract/constants';

/** Properties of a client that its snippets depend on. */
interface SnippetClient {
  clientId: string;
  type: 'public' | 'confidential';
  redirectUris: readonly string[];
  scopes: readonly OAuthScope[];
  /** True if the hosted callback is a redirect URI. The widget requires it. */
  hostedCallback: boolean;
}

/** Code to paste into a site. */
export interface ClientSnippet {
  label: string;
  text: string;
}

/** Path of the Express kit's callback in an app that mounts the kit like the snippet. */
const KIT_CALLBACK = '/auth/callback';

/** Returns the code for a client: the widget for pages, the kit for Express. `baseUrl` is the service's own origin. */
export function clientSnippets(client: SnippetClient, baseUrl: string): ClientSnippet[] {
  if (client.type === 'public') {
    return client.hostedCallback
      ? [{ label: 'In your page', text: widgetSnippet(client, baseUrl, undefined) }]
      : [];
  }
  const express = { label: 'In your Express app', text: expressSnippet(client, baseUrl) };
  if (!client.hostedCallback) return [express];
  return [express, { label: 'In its pages', text: widgetSnippet(client, baseUrl, '/auth') }];
}

/** Without a backend, the page cannot know whose membership it is. */
const COSMETIC_GATE: readonly string[] = [
  '<!-- Cosmetic: opens for any seller’s members, with product-type too. Everybody can read the page’s source.',
  '     To ask for a membership of your community, use a backend: <latchkey-gate backend="/auth" community="…">. -->',
];
const COMMUNITY_GATE: readonly string[] = [
  '<!-- product-type alone is cosmetic: any seller’s members have one. Name your community. -->',
];

function widgetSnippet({ clientId, scopes }: SnippetClient, baseUrl: string, backend: string | undefined) {
  const scope = formatScopeList(scopes);
  const attributes = [
    `client-id="${clientId}"`,
    ...(backend === undefined ? [] : [`backend="${backend}"`]),
    // The default scope of the widget is left out.
    ...(backend !== undefined || scope === 'memberships.read' ? [] : [`scope="${scope}"`]),
  ];
  const gateAttributes =
    backend === undefined
      ? attributes.slice(0, 1)
      : [...attributes.slice(0, 2), 'community="your community id"'];
  return [
    `<script src="${baseUrl}/widget/latchkey.js" defer></script>`,
    '<style>latchkey-gate:not(:defined){display:none}</style>',
    '',
    `<latchkey-login ${attributes.join(' ')}></latchkey-login>`,
    '',
    ...(backend === undefined ? COSMETIC_GATE : COMMUNITY_GATE),
    `<latchkey-gate ${gateAttributes.join(' ')}>`,
    '  <p>Members see this.</p>',
    '  <p slot="locked">This part is for members.</p>',
    '</latchkey-gate>',
  ].join('\n');
}

function expressSnippet({ clientId, redirectUris }: SnippetClient, baseUrl: string): string {
  const callback = redirectUris.find((uri) => URL.canParse(uri) && new URL(uri).pathname === KIT_CALLBACK);
  const { origin, port } = new URL(callback ?? 'https://your-app.example');
  return [
    "import { latchkey, sqliteDirectory } from '@latchkey/express';",
    "import express from 'express';",
    '',
    'const { LATCHKEY_CLIENT_SECRET, COOKIE_SECRET, COMMUNITY_ID } = process.env;',
    'if (!LATCHKEY_CLIENT_SECRET || !COOKIE_SECRET || !COMMUNITY_ID) {',
    "  throw new Error('Set LATCHKEY_CLIENT_SECRET, COOKIE_SECRET and COMMUNITY_ID.');",
    '}',
    '',
    'const app = express();',
    'const auth = latchkey({',
    `  serviceUrl: '${baseUrl}',`,
    `  clientId: '${clientId}',`,
    '  clientSecret: LATCHKEY_CLIENT_SECRET,',
    ...(callback === undefined
      ? [`  // Register {appUrl}${KIT_CALLBACK} as a redirect URI of this app.`]
      : []),
    `  appUrl: '${origin}',`,
    '  cookieSecret: COOKIE_SECRET, // 32 random characters or more',
    "  directory: sqliteDirectory('memberships.sqlite'), // which memberships belong to this site",
    '});',
    'app.use(auth.router);',
    '',
    '// The id of your community, from the seller area. Its webhook records your members: see the README of the kit.',
    'const members = { communityId: COMMUNITY_ID };',
    "app.get('/members', auth.requireMembership(members), (request, response) => {",
    '  response.json({ welcome: request.latchkey?.user });',
    '});',
    `app.listen(${port === '' ? 3000 : port});`,
  ].join('\n');
}

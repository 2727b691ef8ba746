import { formatScopeList, type OAuthScope } from '@latchkey/contract/constants';

/** As much of a client as its snippets need. */
interface SnippetClient {
  clientId: string;
  type: 'public' | 'confidential';
  redirectUris: readonly string[];
  scopes: readonly OAuthScope[];
  /** Whether the hosted callback is among the redirect URIs: without it the widget cannot be used. */
  hostedCallback: boolean;
}

/** Text to be pasted into a site. */
export interface ClientSnippet {
  label: string;
  text: string;
}

/** Where the Express kit lies in an app that mounts it as the snippet does. */
const KIT_CALLBACK = '/auth/callback';

/** What to paste: the widget for pages, the kit for an Express backend. `baseUrl` is the service's own origin. */
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

function widgetSnippet({ clientId, scopes }: SnippetClient, baseUrl: string, backend: string | undefined) {
  const scope = formatScopeList(scopes);
  const attributes = [
    `client-id="${clientId}"`,
    ...(backend === undefined ? [] : [`backend="${backend}"`]),
    // What the widget asks for by itself.
    ...(backend !== undefined || scope === 'memberships.read' ? [] : [`scope="${scope}"`]),
  ];
  return [
    `<script src="${baseUrl}/widget/latchkey.js" defer></script>`,
    '',
    `<latchkey-login ${attributes.join(' ')}></latchkey-login>`,
    '',
    `<latchkey-gate ${attributes.slice(0, backend === undefined ? 1 : 2).join(' ')}>`,
    '  <p>Members see this.</p>',
    '  <p slot="locked">This part is for members.</p>',
    '</latchkey-gate>',
  ].join('\n');
}

function expressSnippet({ clientId, redirectUris }: SnippetClient, baseUrl: string): string {
  const callback = redirectUris.find((uri) => URL.canParse(uri) && new URL(uri).pathname === KIT_CALLBACK);
  const { origin, port } = new URL(callback ?? 'https://your-app.example');
  return [
    "import { latchkey } from '@latchkey/express';",
    "import express from 'express';",
    '',
    'const app = express();',
    'const auth = latchkey({',
    `  serviceUrl: '${baseUrl}',`,
    `  clientId: '${clientId}',`,
    '  clientSecret: process.env.LATCHKEY_CLIENT_SECRET,',
    ...(callback === undefined
      ? [`  // Register {appUrl}${KIT_CALLBACK} as a redirect URI of this app.`]
      : []),
    `  appUrl: '${origin}',`,
    '  cookieSecret: process.env.COOKIE_SECRET, // 32 random characters or more',
    '});',
    'app.use(auth.router);',
    '',
    "app.get('/members', auth.requireMembership({ productType: 'community' }), (request, response) => {",
    '  response.json({ welcome: request.latchkey.user });',
    '});',
    `app.listen(${port === '' ? 3000 : port});`,
  ].join('\n');
}

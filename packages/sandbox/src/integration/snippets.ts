import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import type { Needs } from '../services/services.js';
import { pageSnippets } from './page-snippets.js';
import { envBlock, hasDefaultNames, type SandboxValue, sandboxValues } from './sandbox-values.js';
import { type CodeSnippet, packageToInstall, SAMPLE_CHOICE, type SnippetChoice } from './snippet-choice.js';

interface SnippetSite extends Needs<'baseUrl' | 'serviceNames'> {
  readonly siteUrl: string;
}

/** Returns the port of the app behind a URL. Behind https there is a proxy, so the app has a different port. */
function portOf(siteUrl: string): string {
  return new URL(siteUrl).port || '3000';
}

/**
 * Returns everything to paste into a site, with the chosen ids: single values, an `.env` file without the control
 * token, and code. It contains only the sample data's secrets.
 */
export function integrationOf(
  { siteUrl, ...services }: SnippetSite,
  choice: SnippetChoice,
): { values: readonly SandboxValue[]; env: string; snippets: readonly CodeSnippet[] } {
  const values = sandboxValues({ ...services, choice });
  return { values, env: envBlock(values), snippets: snippetsFor({ ...services, siteUrl }, choice) };
}

/** Returns the snippets for a service with these names. Without a choice, they contain the ids of the sample data. */
export function snippetsFor(
  { baseUrl, serviceNames, siteUrl }: SnippetSite,
  choice: SnippetChoice = SAMPLE_CHOICE,
): readonly CodeSnippet[] {
  const backend = backendSnippets({ baseUrl, siteUrl }, choice);
  const hasOwnNames = !hasDefaultNames(serviceNames);
  return [...pageSnippets(baseUrl, choice), ...(hasOwnNames ? backend.map(withNames) : backend)];

  function withNames(snippet: CodeSnippet): CodeSnippet {
    const address = `  serviceUrl: '${baseUrl}',\n`;
    const names = "  serviceNames: JSON.parse(process.env.LATCHKEY_SERVICE_NAMES ?? '{}'),\n";
    const code = snippet.code
      .replace(address, `${address}${names}`)
      .replace(`\`${DEFAULT_SERVICE_NAMES.apiKeyPrefix}`, `\`${serviceNames.apiKeyPrefix}`);
    return { ...snippet, code };
  }
}

function backendSnippets(
  { baseUrl, siteUrl }: Pick<SnippetSite, 'baseUrl' | 'siteUrl'>,
  { backendClient, communityId, planId }: SnippetChoice,
): readonly CodeSnippet[] {
  const secret = backendClient.hasSecret
    ? '\n  clientSecret: process.env.LATCHKEY_CLIENT_SECRET, // omit it for a public client'
    : '';
  return [
    {
      title: 'Express',
      note: `First run "npm install ${packageToInstall('express')} express". Reads the .env block above.`,
      code: `import { latchkey, sqliteDirectory } from '@latchkey/express';
import express from 'express';

const app = express();
const auth = latchkey({
  serviceUrl: '${baseUrl}',
  clientId: '${backendClient.clientId}',${secret}
  appUrl: '${siteUrl}', // the app as browsers see it
  cookieSecret: process.env.COOKIE_SECRET ?? '', // at least 32 random characters
  directory: sqliteDirectory('memberships.sqlite'), // which memberships belong to this site
});
const members = { communityId: '${communityId}' };
app.use(auth.router);

app.get('/table', auth.requireMembership(members), (request, response) => {
  response.type('text').send(\`Welcome, \${request.latchkey?.user?.email}\`);
});
app.listen(${portOf(siteUrl)}, '127.0.0.1');`,
    },
    {
      title: 'Webhook',
      note: 'In the Express app, above express.json(). Import referencePayload from @latchkey/express.',
      code: `app.all(
  '/webhooks',
  auth.webhooks({
    // The id of your community, and the signing secret of its webhook from the service's developer area.
    communities: { '${communityId}': process.env.LATCHKEY_WEBHOOK_SECRET },
    payload: referencePayload, // the bodies of the reference server, @latchkey/server
    on: {
      'membership.created': ({ body }) => console.log(\`Welcome, \${body.data.user.email}\`),
      'payment.success': ({ body }) => console.log(\`Paid: \${body.data.amount} \${body.data.currency}\`), // 900 EUR is 9.00 EUR
    },
    other: (event, { source }) => console.log(\`Unhandled event type: \${event.type}\`, source),
  }),
);`,
    },
    {
      title: 'Client',
      note: `First run "npm install ${packageToInstall('client')}". Opens a checkout; on a server only.`,
      code: `import { LatchkeyClient } from '@latchkey/client';

const service = new LatchkeyClient({
  serviceUrl: '${baseUrl}',
  apiKey: process.env.LATCHKEY_API_KEY ?? \`svc_\${'sandbox'.repeat(6)}0\`, // the sandbox's key
});

const { checkoutUrl } = await service.buyPlan({
  communityId: '${communityId}',
  pricingPlanId: '${planId}',
  externalId: 'buyer-7',
  email: 'grace@example.com',
  successUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/cart',
});
console.log(checkoutUrl); // redirect the buyer to this URL unchanged`,
    },
  ];
}

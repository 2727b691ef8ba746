import { DEFAULT_SERVICE_NAMES, type ServiceNames } from '@latchkey/contract/constants';
import { sandboxScenario } from '../scenario/sandbox-scenario.js';
import { hasDefaultNames } from './sandbox-values.js';

/** Code to paste into a site or an app. */
export interface CodeSnippet {
  readonly title: string;
  /** Where the code belongs, and what it needs. */
  readonly note: string;
  readonly code: string;
}

/** Returns the snippets with the ids of the sample data, for a service with these names. */
export function snippetsFor(baseUrl: string, serviceNames: ServiceNames): readonly CodeSnippet[] {
  return [
    scriptTag(baseUrl),
    npm(baseUrl),
    react(baseUrl),
    vue(baseUrl),
    ...backendSnippets(baseUrl).map((snippet) => withNames(snippet, baseUrl, serviceNames)),
  ];
}

/** Adds the names of the service, if they are not those of the spec. */
function withNames(snippet: CodeSnippet, baseUrl: string, serviceNames: ServiceNames): CodeSnippet {
  if (hasDefaultNames(serviceNames)) return snippet;
  const address = `  serviceUrl: '${baseUrl}',\n`;
  const names = "  serviceNames: JSON.parse(process.env.LATCHKEY_SERVICE_NAMES ?? '{}'),\n";
  const code = snippet.code
    .replace(address, `${address}${names}`)
    .replace(`\`${DEFAULT_SERVICE_NAMES.apiKeyPrefix}`, `\`${serviceNames.apiKeyPrefix}`);
  return { ...snippet, code };
}

const { community, confidentialClient, plans, publicClient } = sandboxScenario;

const callbackOf = (baseUrl: string) => `${baseUrl}/widget/callback/${publicClient.clientId}`;

function scriptTag(baseUrl: string): CodeSnippet {
  return {
    title: 'Script tag',
    note: 'In any HTML page. The gate needs the Express backend below.',
    code: `<style>
  latchkey-gate:not(:defined) { display: none; }
</style>
<script src="${baseUrl}/widget/latchkey.js" defer></script>

<latchkey-login client-id="${publicClient.clientId}" backend="/auth"></latchkey-login>

<latchkey-gate backend="/auth" community="${community.id}">
  <p>Members see this.</p>
  <p slot="locked">This part is for members. <a href="/join">Join</a></p>
</latchkey-gate>`,
  };
}

function npm(baseUrl: string): CodeSnippet {
  return {
    title: 'npm',
    note: 'npm install @latchkey/widget. Then import it where your app starts, and write the element in your HTML.',
    code: `import '@latchkey/widget/define';

document.body.insertAdjacentHTML(
  'afterbegin',
  \`<latchkey-login
    client-id="${publicClient.clientId}"
    service-url="${baseUrl}"
    callback-url="${callbackOf(baseUrl)}"
  ></latchkey-login>\`,
);`,
  };
}

function react(baseUrl: string): CodeSnippet {
  return {
    title: 'React',
    note: 'npm install @latchkey/widget. The gate needs the Express backend below.',
    code: `import '@latchkey/widget/define';
import type {} from '@latchkey/widget/react';

export function Membership() {
  return (
    <main>
      <latchkey-login
        client-id="${publicClient.clientId}"
        service-url="${baseUrl}"
        callback-url="${callbackOf(baseUrl)}"
        backend="/auth"
      />
      <latchkey-gate backend="/auth" community="${community.id}">
        <p>Members see this.</p>
        <p slot="locked">
          This part is for members. <a href="/join">Join</a>
        </p>
      </latchkey-gate>
    </main>
  );
}`,
  };
}

function vue(baseUrl: string): CodeSnippet {
  return {
    title: 'Vue',
    note: 'npm install @latchkey/widget. In vite.config.ts, declare tags that start with latchkey- as custom elements.',
    code: `<script setup lang="ts">
import '@latchkey/widget/define';
import type {} from '@latchkey/widget/vue';
</script>

<template>
  <main>
    <latchkey-login
      client-id="${publicClient.clientId}"
      service-url="${baseUrl}"
      callback-url="${callbackOf(baseUrl)}"
      backend="/auth"
    />
    <latchkey-gate backend="/auth" community="${community.id}">
      <p>Members see this.</p>
      <p slot="locked">This part is for members. <a href="/join">Join</a></p>
    </latchkey-gate>
  </main>
</template>`,
  };
}

function backendSnippets(baseUrl: string): readonly CodeSnippet[] {
  return [
    {
      title: 'Express',
      note: 'npm install @latchkey/express express. Reads the .env block above.',
      code: `import { latchkey, sqliteDirectory } from '@latchkey/express';
import express from 'express';

const app = express();
const auth = latchkey({
  serviceUrl: '${baseUrl}',
  clientId: '${confidentialClient.clientId}',
  clientSecret: process.env.LATCHKEY_CLIENT_SECRET, // omit it for a public client
  appUrl: 'http://localhost:4402', // the app as browsers see it
  cookieSecret: process.env.COOKIE_SECRET ?? '', // at least 32 random characters
  directory: sqliteDirectory('memberships.sqlite'), // which memberships belong to this site
});
const members = { communityId: '${community.id}' };
app.use(auth.router);

app.get('/table', auth.requireMembership(members), (request, response) => {
  response.type('text').send(\`Welcome, \${request.latchkey?.user?.email}\`);
});
app.listen(4402, '127.0.0.1');`,
    },
    {
      title: 'Webhook',
      note: 'In the Express app, above express.json(). Import referencePayload from @latchkey/express.',
      code: `app.all(
  '/webhooks',
  auth.webhooks({
    // The id of your community, and the signing secret of its webhook from the service's developer area.
    communities: { '${community.id}': process.env.LATCHKEY_WEBHOOK_SECRET },
    payload: referencePayload, // the bodies of the reference server
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
      note: 'npm install @latchkey/client. Opens a checkout; on a server only.',
      code: `import { LatchkeyClient } from '@latchkey/client';

const service = new LatchkeyClient({
  serviceUrl: '${baseUrl}',
  apiKey: process.env.LATCHKEY_API_KEY ?? \`svc_\${'sandbox'.repeat(6)}0\`, // the sandbox's key
});

const { checkoutUrl } = await service.buyPlan({
  communityId: '${community.id}',
  pricingPlanId: '${plans.lifetime.id}',
  externalId: 'buyer-7',
  email: 'grace@example.com',
  successUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/cart',
});
console.log(checkoutUrl); // redirect the buyer to this URL unchanged`,
    },
  ];
}

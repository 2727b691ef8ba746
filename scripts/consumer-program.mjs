// What a project does that has the packages installed; `check-packages.mjs` checks its types and runs it.

/** What the program takes from each package. */
const TAKEN = {
  '@latchkey/server': ['startServer', 'seedSandbox', 'sandboxScenario'],
  '@latchkey/client': ['LatchkeyClient', 'isLatchkeyApiError'],
  '@latchkey/express': ['latchkey'],
};

/** The service in this very process, a client of it, and an app with a gate. It throws when something is not as it should be. */
const PROGRAM = `
async function main() {
  const silent = { info() {}, warn() {}, error() {} };
  const server = await startServer({ sandbox: true, port: 0, database: 'sqlite::memory:', logger: silent });
  await seedSandbox(server, { scriptTagShop: 'http://localhost:1', backendShop: 'http://localhost:2' });
  const { apiKey, community, confidentialClient } = sandboxScenario;
  const service = new LatchkeyClient({ serviceUrl: server.baseUrl, apiKey });
  const order = { communityId: community.id, externalOrderId: 'order-1', email: 'grace@example.com' };
  const { status } = await service.provisionExternal(order);
  if (status !== 'created') throw new Error('The order was not provisioned: ' + status);
  const failure: unknown = await service.inviteLink({ externalId: 'nobody' }).catch((error: unknown) => error);
  if (!isLatchkeyApiError(failure, 'failed') || failure.status !== 404) throw failure;

  const auth = latchkey({
    serviceUrl: server.baseUrl,
    clientId: confidentialClient.clientId,
    clientSecret: confidentialClient.clientSecret,
    appUrl: 'http://localhost:4402',
    cookieSecret: 'at least thirty-two characters of its own',
  });
  const app = express();
  app.use(auth.router);
  app.get('/members', auth.requireSignIn(), (_request, response) => void response.send('Members'));
  const listener = app.listen(0, '127.0.0.1');
  await new Promise((listening) => listener.once('listening', listening));
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The app has no port.');
  const asked = { redirect: 'manual', headers: { accept: 'text/html' } } as const;
  const answer = await fetch('http://127.0.0.1:' + address.port + '/members', asked);
  if (!String(answer.headers.get('location')).includes('/auth/login')) throw new Error('The gate let somebody in: ' + answer.status);
  listener.close();
  await server.close();
}
`;

/** As an ES module. */
export function esmProgram() {
  const imports = Object.entries(TAKEN).map(
    ([name, taken]) => `import { ${taken.join(', ')} } from '${name}';`,
  );
  return `${imports.join('\n')}\nimport express from 'express';\n${PROGRAM}\nawait main();\n`;
}

/** As CommonJS, which takes ES modules by import(). */
export function commonJsProgram() {
  const imports = Object.entries(TAKEN).map(
    ([name, taken]) => `  const { ${taken.join(', ')} } = await import('${name}');`,
  );
  const express = "  const { default: express } = await import('express');";
  return `${PROGRAM.replace('async function main() {', (head) => [head, ...imports, express].join('\n'))}\nvoid main();\n`;
}

// A program that uses the installed packages. `check-packages.mjs` type-checks and runs it.

/** The program's imports, by package. */
const IMPORTS = {
  '@latchkey/sandbox': ['startSandbox', 'seedSandbox', 'sandboxScenario'],
  '@latchkey/client': ['LatchkeyClient', 'isLatchkeyApiError'],
  '@latchkey/express': ['latchkey'],
};

/** Runs the service, a client of it and an app with a gate in one process. Throws an error if one of them misbehaves. */
const PROGRAM = `
async function main() {
  const silent = { info() {}, warn() {}, error() {} };
  const server = await startSandbox({ logger: silent });
  await seedSandbox(server, { scriptTagShop: 'http://localhost:1', backendShop: 'http://localhost:2' });
  const { apiKey, community, confidentialClient } = sandboxScenario;
  const service = new LatchkeyClient({ serviceUrl: server.baseUrl, apiKey });
  const order = { communityId: community.id, externalOrderId: 'order-1', email: 'grace@example.com' };
  const { status } = await service.provisionExternal(order);
  if (status !== 'created') throw new Error('The order was not provisioned: ' + status);
  const failure: unknown = await service.inviteLink({ externalId: 'unknown' }).catch((error: unknown) => error);
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
  const init = { redirect: 'manual', headers: { accept: 'text/html' } } as const;
  const response = await fetch('http://127.0.0.1:' + address.port + '/members', init);
  if (!String(response.headers.get('location')).includes('/auth/login')) throw new Error('The gate let a visitor in: ' + response.status);
  listener.close();
  await server.close();
}
`;

/** Returns the program as an ES module. */
export function esmProgram() {
  const imports = Object.entries(IMPORTS).map(
    ([name, imported]) => `import { ${imported.join(', ')} } from '${name}';`,
  );
  return `${imports.join('\n')}\nimport express from 'express';\n${PROGRAM}\nawait main();\n`;
}

/** Returns the program as CommonJS, which loads ES modules with import(). */
export function commonJsProgram() {
  const imports = Object.entries(IMPORTS).map(
    ([name, imported]) => `  const { ${imported.join(', ')} } = await import('${name}');`,
  );
  const express = "  const { default: express } = await import('express');";
  return `${PROGRAM.replace('async function main() {', (head) => [head, ...imports, express].join('\n'))}\nvoid main();\n`;
}

import { sandboxEnv } from '@latchkey/sandbox';
import { DEMO_PORTS, readPort, readServiceNames, SERVICE_NAMES_VARIABLE } from './environment.js';
import { PortInUseError } from './local-server.js';
import { type RunningDemo, startDemo } from './start-demo.js';

const print = (text: string) => process.stdout.write(`${text}\n`);

try {
  const demo = await startDemo({
    servicePort: readPort(process.env, DEMO_PORTS.service),
    scriptTagPort: readPort(process.env, DEMO_PORTS.scriptTagShop),
    backendPort: readPort(process.env, DEMO_PORTS.backendShop),
    ...readServiceNames(process.env),
    ...(process.env.LATCHKEY_SANDBOX_TOKEN && { controlToken: process.env.LATCHKEY_SANDBOX_TOKEN }),
  });
  print(invitation(demo));
  const stop = () => {
    // A browser may keep a connection open. The demo has no data to lose, so it doesn't wait for it.
    setTimeout(() => process.exit(0), 1_000);
    demo.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
} catch (error) {
  process.stderr.write(`\n${describe(error)}\n`);
  process.exitCode = 1;
}

function invitation({ service, scriptTagShop, backendShop }: RunningDemo): string {
  return `
  Latchkey puts membership sign-in on a website. Click this first, and follow its three steps:

    ${service.baseUrl}/sandbox

  The demo shops

    ${scriptTagShop.url}   nothing but a script tag
    ${backendShop.url}   with an Express backend

  People, on every sign-in page

    Ada Member    ada@example.com    has a membership: the table opens
    Ben Visitor   ben@example.com    has none: it stays closed, and says why
    Cleo Lapsed   cleo@example.com   had one until last week
    Eve Elsewhere eve@example.com    is a member of another club only

  The ids and secrets behind it, as an .env file for your own site

${sandboxEnv(service)}

  Control API: ${service.baseUrl}/sandbox/api
  Everything is kept in memory and forgotten when you press Ctrl-C.
`;
}

/** Prints errors that the user can fix without a stack trace. */
function describe(error: unknown): string {
  if (error instanceof PortInUseError || error instanceof RangeError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // The service checks the names, and its message names the option.
  const isAboutNames = error.message.startsWith('Option "serviceNames');
  return isAboutNames ? `${SERVICE_NAMES_VARIABLE}: ${error.message}` : (error.stack ?? error.message);
}

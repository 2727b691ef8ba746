import { type Clock, type RunningServer, sandboxScenario, seedSandbox, startServer } from '@latchkey/server';
import { backendShop } from './backend-shop/backend-shop.js';
import { DEMO_PORTS } from './demo-ports.js';
import { registerExampleClients } from './example-clients.js';
import { isAddressInUse, type LocalServer, openLocalServer, PortInUseError } from './local-server.js';
import { scriptTagShop } from './script-tag-shop.js';

/** Options of {@link startDemo}; all have defaults. */
export interface DemoOptions {
  /** Port of the membership service. Default 4400; 0 takes any free one, as for the other two. */
  servicePort?: number;
  /** Port of the shop that is static files and a script tag. Default 4401. */
  scriptTagPort?: number;
  /** Port of the shop with an Express backend. Default 4402. */
  backendPort?: number;
  /** What the service and the backend shop take the time from. Default: the machine's clock. */
  clock?: Clock;
  /** Where the service keeps its data. Default: in memory, forgotten when the demo stops. */
  database?: string;
  /** Whether the service and the backend shop keep their logs to themselves. Default false. */
  quiet?: boolean;
}

/** The demo while it runs. */
export interface RunningDemo {
  service: RunningServer;
  scriptTagShop: { url: string };
  backendShop: { url: string };
  /** Stops all three servers. */
  close(): Promise<void>;
}

/**
 * Starts the membership service in sandbox mode and both shops, and seeds the service with the shops' real origins.
 * The service is on 127.0.0.1 and the shops are on localhost: different sites to a browser, as in real life.
 * @throws PortInUseError naming the port, and how to choose another.
 */
export async function startDemo(options: DemoOptions = {}): Promise<RunningDemo> {
  const { servicePort, scriptTagPort, backendPort } = portsOf(options);
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const server of opened.reverse()) await server.close();
  };
  const keep = <T extends { close(): Promise<void> }>(server: T): T => {
    opened.push(server);
    return server;
  };
  try {
    const service = keep(await startService(servicePort, options));
    const scriptTag = keep(
      await openLocalServer(scriptTagPort, 'the shop', DEMO_PORTS.scriptTagShop.variable),
    );
    const backend = keep(
      await openLocalServer(backendPort, 'the backend shop', DEMO_PORTS.backendShop.variable),
    );
    await seedSandbox(service, { scriptTagShop: originOf(scriptTag), backendShop: originOf(backend) });
    await registerExampleClients(service.operator);
    scriptTag.serve(
      scriptTagShop({
        serviceUrl: service.baseUrl,
        clientId: sandboxScenario.publicClient.clientId,
        backendShopUrl: originOf(backend),
      }),
    );
    backend.serve(
      backendShop({
        serviceUrl: service.baseUrl,
        shopUrl: originOf(backend),
        scriptTagShopUrl: originOf(scriptTag),
        clock: service.clock,
        quiet: options.quiet ?? false,
      }),
    );
    return {
      service,
      scriptTagShop: { url: originOf(scriptTag) },
      backendShop: { url: originOf(backend) },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const nothing = () => undefined;

function portsOf(options: DemoOptions) {
  return {
    servicePort: options.servicePort ?? DEMO_PORTS.service.port,
    scriptTagPort: options.scriptTagPort ?? DEMO_PORTS.scriptTagShop.port,
    backendPort: options.backendPort ?? DEMO_PORTS.backendShop.port,
  };
}

async function startService(port: number, { clock, database, quiet }: DemoOptions): Promise<RunningServer> {
  try {
    return await startServer({
      sandbox: true,
      port,
      ...(clock && { clock }),
      ...(database !== undefined && { database }),
      ...(quiet && { logger: { info: nothing, warn: nothing, error: nothing } }),
    });
  } catch (error) {
    if (!isAddressInUse(error)) throw error;
    throw new PortInUseError(port, 'the service', DEMO_PORTS.service.variable);
  }
}

function originOf({ port }: LocalServer): string {
  return `http://localhost:${port}`;
}

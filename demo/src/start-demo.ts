import { type RunningSandbox, seedSandbox, startSandbox } from '@latchkey/sandbox';
import type { Clock, ServerOptions } from '@latchkey/server';
import { backendShop } from './backend-shop/backend-shop.js';
import { DEMO_PORTS } from './environment.js';
import { isAddressInUse, type LocalServer, openLocalServer, PortInUseError } from './local-server.js';
import { registerExampleClients, registerShopWebhooks } from './registrations.js';
import { scriptTagShop } from './script-tag-shop.js';

/** Options of {@link startDemo}; all have defaults. */
export interface DemoOptions {
  /**
   * Port of the membership service. 0 selects a free port, here and below.
   * @default 4400
   */
  servicePort?: number;
  /**
   * Port of the shop with static files and a script tag.
   * @default 4401
   */
  scriptTagPort?: number;
  /**
   * Port of the shop with an Express backend.
   * @default 4402
   */
  backendPort?: number;
  /** Clock of the service and the backend shop. By default the machine's clock. */
  clock?: Clock;
  /** URL of the service's database. By default the data is in memory and lost when the demo stops. */
  database?: string;
  /**
   * Token of the sandbox's control API.
   *
   * @default a random token
   */
  controlToken?: string;
  /**
   * Names of the service, where the spec has stand-ins. The shops use them too.
   * @default those of the spec
   */
  serviceNames?: ServerOptions['serviceNames'];
  /**
   * True to discard the logs of the service and the backend shop.
   * @default false
   */
  quiet?: boolean;
}

/** The running demo. */
export interface RunningDemo {
  service: RunningSandbox;
  scriptTagShop: { url: string };
  backendShop: { url: string };
  /** Stops all three servers. */
  close(): Promise<void>;
}

/**
 * Starts the sandbox service and both shops, and seeds the service with the shops' origins. The service is on
 * 127.0.0.1 and the shops are on localhost. A browser treats these as different sites.
 * @throws {PortInUseError} if a port is in use; the message names the variable that selects another
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
    service.guide.demo = {
      signIn: `${originOf(backend)}/auth/login?returnTo=%2Ftable`,
      gate: `${originOf(backend)}/table`,
    };
    const registerShops = async () => {
      await registerShopWebhooks(service.operator, `${originOf(backend)}/webhooks`);
      await registerExampleClients(service.operator);
    };
    await registerShops();
    service.control.snapshots.onReset(registerShops);
    scriptTag.serve(
      scriptTagShop({
        service,
        shopUrl: originOf(scriptTag),
        backendShopUrl: originOf(backend),
      }),
    );
    backend.serve(
      backendShop({
        service,
        shopUrl: originOf(backend),
        scriptTagShopUrl: originOf(scriptTag),
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

async function startService(
  port: number,
  { clock, database, controlToken, serviceNames, quiet }: DemoOptions,
): Promise<RunningSandbox> {
  try {
    return await startSandbox({
      port,
      ...(clock && { clock }),
      ...(database !== undefined && { database }),
      ...(serviceNames && { serviceNames }),
      ...(controlToken !== undefined && { controlToken }),
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

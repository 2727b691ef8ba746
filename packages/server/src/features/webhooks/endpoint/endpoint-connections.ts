import { Resolver } from 'node:dns/promises';
import type { AgentOptions, ClientRequest, Agent as HttpAgent, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { nodeHttp, nodeHttps } from '../../../platform/http/node-http.js';
import { type EndpointPolicy, mayDeliverTo } from './endpoint-address.js';

/** Common servers close theirs after five seconds or more. */
const IDLE_MS = 4_000;
/** The next connection resolves the host's name again. */
const MAX_AGE_MS = 60_000;
/** Maximum number of idle connections. Each takes a file descriptor. */
const MAX_IDLE = 1_024;

export interface ConnectionOptions extends RequestOptions {
  webhookId: string;
}

/**
 * Creates the connections of a worker. Other workers don't share them and may have another policy: a connection's
 * address is checked only once, when it opens. Webhooks don't share connections either, so an endpoint that sends more
 * than its response affects no other webhook. Proxy settings of the process have no effect.
 */
export function createConnections() {
  const idle = new IdleConnections();
  const kept: AgentOptions = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 4 };
  const http = { kept: keeping(new nodeHttp.Agent(kept), idle), new: new nodeHttp.Agent() };
  let https: typeof http | undefined;
  const openHttps = () => {
    const { Agent } = nodeHttps();
    return {
      kept: keeping(new Agent({ ...kept, maxCachedSessions: 0 }), idle),
      new: new Agent({ maxCachedSessions: 0 }),
    };
  };
  return {
    /** Requests on its connections need a guarded lookup. `isKept` is false for a new connection. */
    agentFor(protocol: string, isKept: boolean): HttpAgent {
      if (protocol !== 'https:') return isKept ? http.kept : http.new;
      https ??= openHttps();
      return isKept ? https.kept : https.new;
    },
    close() {
      for (const agents of [http, https]) {
        agents?.kept.destroy();
        agents?.new.destroy();
      }
    },
  };
}

export type EndpointConnections = ReturnType<typeof createConnections>;

class IdleConnections {
  readonly #openedAt = new WeakMap<Duplex, number>();
  readonly #idle = new Set<Duplex>();

  add(socket: Duplex): boolean {
    const now = performance.now();
    const openedAt = this.#openedAt.get(socket);
    if (openedAt === undefined) {
      this.#openedAt.set(socket, now);
      socket.once('close', () => this.#idle.delete(socket));
    } else if (now - openedAt > MAX_AGE_MS) return false;
    if (this.#idle.size >= MAX_IDLE) return false;
    this.#idle.add(socket);
    return true;
  }

  delete(socket: Duplex): void {
    this.#idle.delete(socket);
  }
}

/** Methods of Node's agents that are documented but missing from the types. */
interface KeepingAgent {
  keepSocketAlive(socket: Duplex): boolean;
  reuseSocket(socket: Duplex, request: ClientRequest): void;
  getName(options?: RequestOptions): string;
}

function keeping<Agent extends HttpAgent>(agent: Agent, idle: IdleConnections): Agent {
  const own = agent as unknown as KeepingAgent;
  const original: KeepingAgent = {
    keepSocketAlive: own.keepSocketAlive.bind(agent),
    reuseSocket: own.reuseSocket.bind(agent),
    getName: own.getName.bind(agent),
  };
  own.keepSocketAlive = (socket) => original.keepSocketAlive(socket) && idle.add(socket);
  own.reuseSocket = (socket, request) => {
    idle.delete(socket);
    original.reuseSocket(socket, request);
  };
  own.getName = (options) =>
    `${original.getName(options)}:${(options as ConnectionOptions | undefined)?.webhookId}`;
  return agent;
}

export interface HostResolver {
  resolve(hostname: string): Promise<readonly string[]>;
  cancel(): void;
}

export const NOT_PUBLIC = 'ENOTPUBLIC';

const DNS_TIMEOUT_MS = 3_000;
const DNS_TRIES = 2;

/** The system's lookup also resolves local names, and blocks one of Node's few threads while a name server is slow. */
export function createHostResolver(): HostResolver {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  return {
    async resolve(hostname) {
      // RFC 6761 section 6.3: these names are always loopback.
      if (/^(?:.+\.)?localhost$/.test(hostname)) return ['127.0.0.1', '::1'];
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    },
    cancel: () => resolver.cancel(),
  };
}

/**
 * Creates a lookup for `http.request` that returns only allowed addresses. The connection uses the checked address, so
 * a DNS change between check and connection has no effect.
 *
 * A name with one forbidden address fails as a whole, with the same error as a name without addresses. Different errors
 * would reveal which names exist in the service's own network.
 */
export function guardedLookup(resolver: HostResolver, policy: EndpointPolicy): LookupFunction {
  return (hostname, options, callback) => {
    resolver.resolve(hostname).then(
      (addresses) => {
        const allowed = addresses.every((address) => mayDeliverTo(address, policy));
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = found;
        if (first === undefined || !allowed) callback(notPublic(), []);
        else if (options.all === true) callback(null, found);
        else callback(null, first.address, first.family);
      },
      () => callback(notPublic(), []),
    );
  };
}

function notPublic(): NodeJS.ErrnoException {
  return Object.assign(new Error('The host has no public address.'), { code: NOT_PUBLIC });
}

import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { type EndpointPolicy, mayDeliverTo } from './endpoint-address.js';

/** Resolves host names. */
export interface HostResolver {
  resolve(hostname: string): Promise<readonly string[]>;
  /** Cancels all pending queries. */
  cancel(): void;
}

/** Error code for a host without a public address. */
export const NOT_PUBLIC = 'ENOTPUBLIC';

const DNS_TIMEOUT_MS = 3_000;
const DNS_TRIES = 2;

/**
 * Creates a resolver that queries the name servers directly. The system's lookup also resolves local names. It also
 * occupies one of Node's few threads while a name server is slow.
 */
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
 * Creates a lookup for `http.request` that returns only allowed addresses. The connection uses the checked address, so a
 * DNS change between check and connection has no effect.
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

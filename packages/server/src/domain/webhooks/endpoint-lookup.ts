import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { type EndpointPolicy, mayDeliverTo } from './endpoint-address.js';

/** Finds the addresses of a host name; none when it has none. */
export interface HostResolver {
  resolve(hostname: string): Promise<readonly string[]>;
  /** Ends what is being asked. */
  cancel(): void;
}

/** The code of the error that says: this host is not to be connected to. */
export const NOT_PUBLIC = 'ENOTPUBLIC';

const DNS_TIMEOUT_MS = 3_000;
const DNS_TRIES = 2;

/**
 * Asks the name servers directly. The system's own lookup would read local names too, and takes one of Node's few
 * threads for as long as a slow name server likes.
 */
export function createHostResolver(): HostResolver {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  return {
    async resolve(hostname) {
      // RFC 6761 6.3: these names are loopback without asking.
      if (/^(?:.+\.)?localhost$/.test(hostname)) return ['127.0.0.1', '::1'];
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    },
    cancel: () => resolver.cancel(),
  };
}

/**
 * A lookup for `http.request` that gives only addresses a delivery may go to. The connection is made to the very
 * address that was checked, so a name that changes its answer in between changes nothing. A name with one refused
 * address is refused whole, with the error that a name without any address gets: what is told of the two must not
 * differ, or an owner could ask us which names exist in our own network.
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

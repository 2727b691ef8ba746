import { isIP } from 'node:net';

/** Groups of 16 bits in a /64. Providers assign at least a /64 to each customer. */
const NETWORK_GROUPS = 4;
/** Groups of 16 bits in a /48. Anyone can get a /48, which contains 65,536 /64 networks. */
const SITE_GROUPS = 3;
const ALL_GROUPS = 8;

/** IPv4 address inside an IPv6 address, as sockets that listen on both report it. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** IPv4 address with a port, as some proxies write it. */
const WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
/** IPv6 address in brackets, with or without a port. */
const IN_BRACKETS = /^\[([^\]]*)\](?::\d+)?$/;

/** Everything that isn't an address counts as the same client: an invented address must not get its own limits. */
export function clientNetwork(address: string | undefined): string {
  const text = withoutZone(address);
  const v4 = MAPPED.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text;
  if (isIP(v4) === 4) return v4;
  return isIP(text) === 6 ? `${firstGroups(text, NETWORK_GROUPS)}::/64` : 'unknown';
}

/** Returns the /48 network of an IPv6 address; `undefined` for other addresses. */
export function clientSite(address: string | undefined): string | undefined {
  const text = withoutZone(address);
  return isIP(text) === 6 && !MAPPED.test(text) ? `${firstGroups(text, SITE_GROUPS)}::/48` : undefined;
}

/** A /24 has 256 addresses and a /48 is a provider's site, so neither identifies a device. Null for anything else. */
export function truncatedNetwork(address: string | undefined): string | null {
  const network = clientNetwork(address);
  if (isIP(network) === 4) return `${network.slice(0, network.lastIndexOf('.'))}.0/24`;
  return clientSite(address)?.replace(/^0:0:0::/, '::') ?? null;
}

function withoutZone(address = ''): string {
  return (IN_BRACKETS.exec(address)?.[1] ?? address).replace(/%.*$/, '');
}

function firstGroups(address: string, count: number): string {
  const [start = '', end] = address.toLowerCase().split('::');
  const before = groupsOf(start);
  const after = groupsOf(end ?? '');
  const zeros = end === undefined ? 0 : Math.max(0, ALL_GROUPS - before.length - after.length);
  return [...before, ...Array<string>(zeros).fill('0'), ...after]
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** An embedded IPv4 address takes the place of two groups. */
function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}

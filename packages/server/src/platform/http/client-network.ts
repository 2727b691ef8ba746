import { isIP } from 'node:net';

/** Groups of 16 bits in the network part of an IPv6 address. Providers assign at least a /64 to each customer. */
const NETWORK_GROUPS = 4;
const ALL_GROUPS = 8;

/** IPv4 address inside of an IPv6 address, as sockets that listen on both versions report it. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** IPv4 address with a port, as some proxies write it. */
const WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;

/**
 * Returns the network that limits count as one client: an IPv4 address, or the /64 network of an IPv6 address. Every text
 * that is no address belongs to one client, so that invented texts have no limits of their own.
 */
export function clientNetwork(address: string | undefined): string {
  const text = (address ?? '').replace(/%.*$/, '');
  const v4 = MAPPED.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text;
  if (isIP(v4) === 4) return v4;
  return isIP(text) === 6 ? `${networkGroups(text).join(':')}::/64` : 'unknown';
}

/** Returns the first groups of an IPv6 address, without leading zeros. */
function networkGroups(address: string): string[] {
  const [start = '', end] = address.toLowerCase().split('::');
  const before = groupsOf(start);
  const after = groupsOf(end ?? '');
  const zeros = end === undefined ? 0 : Math.max(0, ALL_GROUPS - before.length - after.length);
  return [...before, ...Array<string>(zeros).fill('0'), ...after]
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''));
}

/** An embedded IPv4 address takes the place of two groups. */
function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}

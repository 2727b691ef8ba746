import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address with a port or in brackets, as some proxies write it. */
const WRITTEN_BY_PROXY = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** Everything that isn't an address counts as the same client: an invented address must not get its own limits. */
export function clientNetwork(address: string | undefined): string {
  const ip = parsed(address);
  if (ip === undefined) return 'unknown';
  // Providers assign at least a /64 to each customer.
  return ip instanceof ipaddr.IPv6 ? `${firstGroups(ip, 4)}::/64` : ip.toString();
}

/** Returns the /48 network of an IPv6 address. Anyone can get a /48, which contains 65,536 /64 networks. */
export function clientSite(address: string | undefined): string | undefined {
  const ip = parsed(address);
  return ip instanceof ipaddr.IPv6 ? `${firstGroups(ip, 3)}::/48` : undefined;
}

/** A /24 has 256 addresses and a /48 is a provider's site, so neither identifies a device. Null for anything else. */
export function truncatedNetwork(address: string | undefined): string | null {
  const ip = parsed(address);
  if (ip instanceof ipaddr.IPv4) return `${ip.octets.slice(0, 3).join('.')}.0/24`;
  return clientSite(address)?.replace(/^0:0:0::/, '::') ?? null;
}

/** An IPv4 address inside an IPv6 address, as sockets that listen on both report it, is the IPv4 address here. */
function parsed(address = ''): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [, inBrackets, withPort] = WRITTEN_BY_PROXY.exec(address) ?? [];
  const text = (inBrackets ?? withPort ?? address).replace(/%.*$/, '');
  if (isIP(text) === 6) return ipaddr.process(new URL(`http://[${text}]`).hostname.slice(1, -1));
  return isIP(text) === 4 ? ipaddr.IPv4.parse(text) : undefined;
}

function firstGroups({ parts }: ipaddr.IPv6, count: number): string {
  return parts
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(':');
}

import ipaddr from 'ipaddr.js';

/** Where deliveries may go besides public addresses. */
export interface EndpointPolicy {
  /** True if loopback addresses are allowed, over http too: for development only. */
  allowLoopback: boolean;
}

/**
 * Everything that is not the public internet, by the registries of special-purpose addresses (IANA, RFC 6890), and
 * what is public by its number only. Cloud metadata services lie in link-local, shared and unique local addresses,
 * and in the one that stands here by itself.
 */
const NOT_PUBLIC = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared, carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's metadata and health service
  '169.254.0.0/16', // link-local
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '2001::/23', // protocol assignments, Teredo, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map((range) => ipaddr.parseCIDR(range));

/** The one block of IPv6 that global unicast addresses are given from: the rest maps, translates or stays local. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Whether a delivery may be sent to this IP address. A text that is none is refused. */
export function mayDeliverTo(address: string, { allowLoopback }: EndpointPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  return isPublic(ipaddr.parse(address)) || (allowLoopback && isLoopbackAddress(address));
}

/** Whether an IP address is this machine's own. */
function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

function isPublic(address: ReturnType<typeof ipaddr.parse>): boolean {
  const isIn = ([range, bits]: (typeof NOT_PUBLIC)[number]) => {
    if (address.kind() === 'ipv4')
      return range.kind() === 'ipv4' && (address as ipaddr.IPv4).match(range as ipaddr.IPv4, bits);
    return range.kind() === 'ipv6' && (address as ipaddr.IPv6).match(range as ipaddr.IPv6, bits);
  };
  return (address.kind() === 'ipv4' || isIn(GLOBAL_IPV6)) && !NOT_PUBLIC.some(isIn);
}

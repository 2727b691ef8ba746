import { isIP } from 'node:net';
import { isLoopback, URL_MAX_LENGTH } from '@latchkey/contract/constants';
import ipaddr from 'ipaddr.js';
import { isLoopbackAddress } from '../../../platform/http/peers.js';
import { t } from '../../../platform/language/language.js';

export interface EndpointPolicy {
  /** Also allow loopback addresses, including over http. For development only. */
  allowLoopback: boolean;
}

/**
 * Addresses outside the public internet, by the IANA registries of special-purpose addresses (RFC 6890). Cloud metadata
 * services have link-local, shared or unique local addresses; one of them has an address that looks public.
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

/** Block of all global unicast IPv6 addresses. The other blocks are mapped, translated or local. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** True if a delivery may be sent to this IP address. False for anything that isn't an IP address. */
export function mayDeliverTo(address: string, { allowLoopback }: EndpointPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  return isPublic(ipaddr.parse(address)) || (allowLoopback && isLoopbackAddress(address));
}

function isPublic(address: ReturnType<typeof ipaddr.parse>): boolean {
  const isIn = ([range, bits]: (typeof NOT_PUBLIC)[number]) => {
    if (address.kind() === 'ipv4')
      return range.kind() === 'ipv4' && (address as ipaddr.IPv4).match(range as ipaddr.IPv4, bits);
    return range.kind() === 'ipv6' && (address as ipaddr.IPv6).match(range as ipaddr.IPv6, bits);
  };
  return (address.kind() === 'ipv4' || isIn(GLOBAL_IPV6)) && !NOT_PUBLIC.some(isIn);
}

/** Result of {@link checkEndpointUrl}: the normalized URL, or a whole sentence for the endpoint's owner. */
export type EndpointUrlResult = { kind: 'valid'; url: string } | { kind: 'invalid'; message: string };

/** Doesn't resolve the host: each delivery does, and checks its addresses. */
export function checkEndpointUrl(text: string, policy: EndpointPolicy): EndpointUrlResult {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) {
    return invalid(t('Enter a whole URL, such as https://shop.example/webhooks.'));
  }
  const url = new URL(trimmed);
  const loopback = isLoopback(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowLoopback && loopback)) {
    return invalid(
      t(
        policy.allowLoopback
          ? 'The URL must start with https://, or http:// on a loopback address of this machine.'
          : 'The URL must start with https://.',
      ),
    );
  }
  if (url.username !== '' || url.password !== '') {
    return invalid(t('The URL must not contain a user name or password. Deliveries are signed instead.'));
  }
  if (url.hostname.includes('*')) return invalid(t('The URL must name one host, without a wildcard (*).'));
  if (url.hash !== '' || trimmed.endsWith('#')) {
    return invalid(t('The URL must not have a fragment (#…). Fragments are never sent.'));
  }
  if (url.href.length > URL_MAX_LENGTH) {
    return invalid(t('The URL must not be longer than {max} characters.', { max: String(URL_MAX_LENGTH) }));
  }
  const address = literalAddress(url);
  const isRejected =
    address === undefined ? loopback && !policy.allowLoopback : !mayDeliverTo(address, policy);
  if (isRejected) return invalid(t('The URL must lead to a public address. This host is not public.'));
  return { kind: 'valid', url: url.href };
}

function invalid(message: string): EndpointUrlResult {
  return { kind: 'invalid', message };
}

function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

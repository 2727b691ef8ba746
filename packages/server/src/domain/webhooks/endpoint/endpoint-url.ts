import { isIP } from 'node:net';
import { URL_MAX_LENGTH } from '@latchkey/contract/constants';
import { isLoopback } from '../../../platform/http/web-origin.js';
import { type EndpointPolicy, mayDeliverTo } from './endpoint-address.js';

/** Result of {@link checkEndpointUrl}: the normalized URL, or a whole sentence for the endpoint's owner. */
export type EndpointUrlResult = { kind: 'valid'; url: string } | { kind: 'invalid'; message: string };

/** Checks the URL of an endpoint without resolving its host. Each delivery resolves and checks the host's addresses. */
export function checkEndpointUrl(text: string, policy: EndpointPolicy): EndpointUrlResult {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return invalid('Enter a whole URL, such as https://shop.example/webhooks.');
  const url = new URL(trimmed);
  const loopback = isLoopback(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowLoopback && loopback)) {
    const relaxed = policy.allowLoopback ? ', or http:// on a loopback address of this machine' : '';
    return invalid(`The URL must start with https://${relaxed}.`);
  }
  if (url.username !== '' || url.password !== '') {
    return invalid('The URL must not contain a user name or password. Deliveries are signed instead.');
  }
  if (url.hash !== '' || trimmed.endsWith('#')) {
    return invalid('The URL must not have a fragment (#…). Fragments are never sent.');
  }
  if (url.href.length > URL_MAX_LENGTH) {
    return invalid(`The URL must not be longer than ${URL_MAX_LENGTH} characters.`);
  }
  const address = literalAddress(url);
  const isRejected =
    address === undefined ? loopback && !policy.allowLoopback : !mayDeliverTo(address, policy);
  if (isRejected) return invalid('The URL must lead to a public address. This host is not public.');
  return { kind: 'valid', url: url.href };
}

function invalid(message: string): EndpointUrlResult {
  return { kind: 'invalid', message };
}

/** Returns the IP address that a URL contains as its host, without brackets; `undefined` for a host name. */
function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

import { isIP } from 'node:net';
import { URL_MAX_LENGTH } from '@latchkey/contract/constants';
import { isLoopback } from '../../platform/http/web-origin.js';
import { type EndpointPolicy, mayDeliverTo } from './endpoint-address.js';

/** An endpoint's URL as it is stored, or what its owner has to change. */
export type EndpointUrl = { url: string } | { problem: string };

/**
 * Checks the URL of an endpoint as far as it can be without asking for its host's addresses, which each delivery does.
 * The problem is a whole sentence for whoever typed the URL.
 */
export function checkEndpointUrl(text: string, policy: EndpointPolicy): EndpointUrl {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return { problem: 'Give a whole URL, such as https://shop.example/webhooks.' };
  const url = new URL(trimmed);
  const loopback = isLoopback(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowLoopback && loopback)) {
    const relaxed = policy.allowLoopback ? ', or http:// on a loopback address of this machine' : '';
    return { problem: `The URL must start with https://${relaxed}.` };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      problem: 'The URL must not hold a user name or password: deliveries prove themselves by signature.',
    };
  }
  if (url.hash !== '' || trimmed.endsWith('#')) {
    return { problem: 'The URL must not have a fragment (#…): it would not be sent.' };
  }
  if (url.href.length > URL_MAX_LENGTH) {
    return { problem: `The URL must not be longer than ${URL_MAX_LENGTH} characters.` };
  }
  const address = literalAddress(url);
  const refused = address === undefined ? loopback && !policy.allowLoopback : !mayDeliverTo(address, policy);
  if (refused) return { problem: 'The URL must lead to a public address, which this host is not.' };
  return { url: url.href };
}

/** The IP address that a URL's host is written as, without brackets; `undefined` for a name. */
function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '@latchkey/contract/constants';
import type { RequestHandler } from 'express';
import { sendFailure } from './http-failure.js';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Headers in which proxies say who sent a request. */
const SENDER_HEADERS = [
  'x-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
] as const;

export type Peers = 'any' | 'this-machine';

/** True for a socket address that only this machine can reach, even as an IPv4 address inside an IPv6 address. */
export function isLoopbackAddress(address: string | undefined): boolean {
  const family = isIP(address ?? '');
  return family !== 0 && LOOPBACK.check(address ?? '', family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * True if a program on this machine sent the request, and isn't forwarding it for another machine. The socket decides,
 * whatever the settings say: it may have been passed on, or be bound to a different address than its name suggests.
 */
export function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  if (!isLoopbackAddress(socket.remoteAddress)) return false;
  const { forwarded, 'x-forwarded-host': forwardedHost } = headers;
  const forwardedParts = splitList(forwarded, /[,;]/);
  const senders = [
    ...SENDER_HEADERS.flatMap((name) => splitList(headers[name])),
    ...valuesOf(forwardedParts, 'for'),
  ];
  const hosts = [...splitList(forwardedHost), ...valuesOf(forwardedParts, 'host')];
  return senders.every(isLoopbackSender) && hosts.every(isLoopbackHost);
}

function splitList(value: string | string[] | undefined, separator: string | RegExp = ','): string[] {
  if (value === undefined) return [];
  return String(value)
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns the values of a parameter of the Forwarded header (RFC 7239), without quotes. */
function valuesOf(parts: readonly string[], name: string): string[] {
  return parts.flatMap((part) => {
    const [key = '', ...value] = part.split('=');
    return key.trim().toLowerCase() === name ? [value.join('=').trim().replaceAll('"', '')] : [];
  });
}

/** Proxies write addresses with ports, and IPv6 addresses in brackets. Anything else is another machine, or hides which one. */
function isLoopbackSender(sender: string): boolean {
  if (isIP(sender) !== 0) return isLoopbackAddress(sender);
  const [, v6, v4] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(sender) ?? [];
  return isLoopbackAddress(v6 ?? v4);
}

function isLoopbackHost(host: string): boolean {
  return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`));
}

/** Rejects requests from other machines with 403, if the server is for this machine only. */
export function peerGuard(peers: Peers, howToAllow: string): RequestHandler {
  return (request, response, next) => {
    if (peers === 'any' || isFromThisMachine(request)) return next();
    const message = `This server answers only to programs on its own machine. ${howToAllow}`;
    sendFailure(request, response, { status: 403, message });
  };
}

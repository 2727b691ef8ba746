import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isFromThisMachine, isLoopbackAddress } from './peers.js';

const sent = (remoteAddress: string | undefined, headers: IncomingMessage['headers'] = {}) =>
  isFromThisMachine({ socket: { remoteAddress } as IncomingMessage['socket'], headers });

describe('the address of a socket', () => {
  it.for([
    ...['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ])('%s is of this machine', (address) => {
    expect([isLoopbackAddress(address), sent(address)]).toEqual([true, true]);
  });

  it.for([
    ...['0.0.0.0', '::', '10.0.0.5', '192.168.1.2', '126.255.255.255', '128.0.0.1', '203.0.113.7'],
    ...[
      '::ffff:10.0.0.5',
      '::ffff:0.0.0.0',
      '::2',
      'fe80::1',
      'fe80::1%eth0',
      '2001:db8::1',
      '',
      'localhost',
    ],
    // Without an address: a closed socket, or a Unix socket.
    undefined,
  ])('%s is not', (address) => {
    expect([isLoopbackAddress(address), sent(address)]).toEqual([false, false]);
  });
});

describe('a request that a proxy on this machine forwards', () => {
  it.for<[string, string]>([
    ['x-forwarded-for', '203.0.113.7'],
    ['x-forwarded-for', '127.0.0.1, 10.0.0.5'],
    ['x-forwarded-for', '10.0.0.5, 127.0.0.1'],
    ['x-forwarded-for', 'unknown'],
    ['x-forwarded-for', '127.0.0.1.evil.example'],
    ['x-real-ip', '10.0.0.5'],
    ['cf-connecting-ip', '2001:db8::1'],
    ['forwarded', 'for=203.0.113.7;proto=http'],
    ['forwarded', 'proto=https; For="[2001:db8::1]:47011", for=127.0.0.1'],
    ['forwarded', 'for=_hidden'],
    ['forwarded', 'for=127.0.0.1;host=evil.example'],
    ['x-forwarded-host', 'service.tunnel.example'],
    ['x-forwarded-host', 'localhost, service.tunnel.example'],
  ])('for another machine is not of this one: %s: %s', ([name, value]) => {
    expect(sent('127.0.0.1', { [name]: value })).toBe(false);
  });

  it.for<[string, string]>([
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-for', '::1, 127.0.0.1:5173'],
    ['x-forwarded-for', '[::1]:5173'],
    ['x-forwarded-for', ''],
    ['forwarded', 'for=127.0.0.1:80;host="localhost:3000";proto=http, for="[::1]"'],
    ['x-forwarded-host', 'localhost:3000'],
  ])('for a program on it is: %s: %s', ([name, value]) => {
    expect(sent('::ffff:127.0.0.1', { [name]: value })).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { isLoopbackHost, origin, serviceOrigin } from '../src/command-line/values.js';

describe('an origin on the command line', () => {
  it.for([
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['HTTPS://Shop.Example', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['http://localhost:80/', 'http://localhost'],
    ['https://m\u00fcnchen.example:8443', 'https://xn--mnchen-3ya.example:8443'],
  ] as const)('%s becomes what browsers send', ([text, sent]) => {
    expect(origin.parse(text)).toBe(sent);
  });

  it.for([
    ['https://*.shop.example'],
    ['https://shop.example/path'],
    ['https://shop.example/?a'],
    ['https://shop.example/#a'],
    ['https://ada@shop.example'],
    ['https://:password@shop.example'],
    ['ftp://shop.example'],
    ['shop.example'],
  ] as const)('%s is refused', ([text]) => {
    expect(origin.safeParse(text).error?.issues[0]?.message).toMatch(
      /^must be an origin such as .*, without a path, a user or a wildcard$/,
    );
  });

  it('of the service is https, or http on a loopback address', () => {
    expect(serviceOrigin.parse('HTTP://LocalHost:4400')).toBe('http://localhost:4400');
    expect(serviceOrigin.safeParse('http://shop.example').success).toBe(false);
  });

  it.for(['localhost', 'shop.localhost', '127.0.0.5', '::1', '[::1]'])('%s is this machine', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.for(['localhost.example', '127.0.0.1.example', '0.0.0.0', '::', '::2'])(
    '%s is another machine',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );
});

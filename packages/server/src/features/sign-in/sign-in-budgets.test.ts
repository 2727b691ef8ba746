import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clientNetwork, clientSite } from '../../platform/http/client-network.js';
import { mailboxOf } from '../budgets/budgets.js';
import { DEFAULT_PAYMENT_LIMITS } from '../checkout/payment-budgets.js';
import { checkSignInLimits, DEFAULT_SIGN_IN_LIMITS } from './sign-in-budgets.js';

describe('client network', () => {
  it.for([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:5123', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['[2001:db8:1:2::1]:4431', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[203.0.113.7', 'unknown'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['', 'unknown'],
    ['anything', 'unknown'],
    ['203.0.113.7, 198.51.100.1', 'unknown'],
  ])('of %j is %j', ([address = '', network = '']) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it('of a closed connection is the one of all texts without an address', () => {
    expect(clientNetwork(undefined)).toBe('unknown');
  });
});

describe('site of a client', () => {
  it.for([
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::ffff:203.0.113.7', undefined],
    ['203.0.113.7', undefined],
    ['anything', undefined],
  ])('at %j is %j', ([address, site]) => {
    expect(clientSite(address)).toBe(site);
  });
});

describe('mailbox of an address', () => {
  it.for([
    ['ada@example.com', 'ada@example.com'],
    ['ada+news@example.com', 'ada@example.com'],
    ['a.da@example.com', 'a.da@example.com'],
    ['a.d.a+x+y@gmail.com', 'ada@gmail.com'],
    ['ada@googlemail.com', 'ada@gmail.com'],
    ['+ada@example.com', '+ada@example.com'],
    ["o'neil@example.com", "o'neil@example.com"],
  ])('%j is %j', ([address = '', mailbox = '']) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });
});

describe('limits of sign-in codes', () => {
  it('keep their defaults where nothing is set', () => {
    expect(checkSignInLimits()).toEqual(DEFAULT_SIGN_IN_LIMITS);
    expect(checkSignInLimits({ codesPerClient: 7, codesPerService: undefined as never })).toEqual({
      ...DEFAULT_SIGN_IN_LIMITS,
      codesPerClient: 7,
    });
  });

  it.for([0, -1, 1.5, Number.NaN, '7'])('reject %j', (codesPerClient) => {
    expect(() => checkSignInLimits({ codesPerClient: codesPerClient as number })).toThrow(
      /signInLimits.codesPerClient.*integer/,
    );
  });

  it('are listed in the README with their defaults', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const rows = [...readme.matchAll(/^\| `(\w+Per\w+)` \|.*\| (\d+) \|$/gm)];
    expect(Object.fromEntries(rows.map(([, name, value]) => [name, Number(value)]))).toEqual({
      ...DEFAULT_SIGN_IN_LIMITS,
      ...DEFAULT_PAYMENT_LIMITS,
    });
  });

  it('reject an unknown name', () => {
    expect(() => checkSignInLimits({ codesPerAddress: 7 } as never)).toThrow(
      /"codesPerAddress".*codesPerMailbox/,
    );
  });
});

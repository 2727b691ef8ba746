import { describe, expect, it } from 'vitest';
import { browserNameOf } from './browser-name.js';
import { truncatedNetwork } from './client-network.js';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('name of a browser', () => {
  it.each([
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
    ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
    ['Firefox on iPhone', `${IPHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
    ['Chrome on Windows', `${WINDOWS} ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`],
    ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/142.0.0.0 Safari/537.36`],
    ['Chrome on iPhone', `${IPHONE} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`],
    [
      'Chrome on ChromeOS',
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`,
    ],
    ['Edge on Windows', `${WINDOWS} ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`],
    [
      'Edge on Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36 EdgA/142.0`,
    ],
    ['Opera on macOS', `${MAC} ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 OPR/125.0.0.0`],
    [
      'Samsung Internet on Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    ],
    ['Safari on macOS', `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`],
    ['Safari on iPhone', `${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`],
    ['Linux', 'Mozilla/5.0 (X11; Linux x86_64)'],
    [null, 'curl/8.5.0'],
    [null, ''],
    [null, undefined],
    [null, '<b>Firefox</b> of your bank'],
    [null, `${'x'.repeat(600)} Firefox/145.0`],
  ])('is %s', (name, userAgent) => {
    expect(browserNameOf(userAgent)).toBe(name);
  });

  it('contains nothing that the client wrote', () => {
    expect(browserNameOf('Firefox/145.0 (Linux; <script>alert(1)</script>)')).toBe('Firefox on Linux');
  });
});

describe('network of a session', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.77'],
    ['192.0.2.0/24', '::ffff:192.0.2.77'],
    ['192.0.2.0/24', '192.0.2.77:52000'],
    ['127.0.0.0/24', '127.0.0.1'],
    ['2001:db8:1::/48', '2001:db8:1:2::3'],
    ['2001:db8:0::/48', '2001:db8::3'],
    ['fe80:0:0::/48', 'fe80::1%eth0'],
    ['::/48', '::1'],
    [null, 'unknown'],
    [null, '<b>192.0.2.77</b>'],
    [null, undefined],
  ])('is %s for %s', (network, address) => {
    expect(truncatedNetwork(address)).toBe(network);
  });
});

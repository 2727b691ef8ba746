// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { latchkey } from '../src/index.js';
import { COOKIE_SECRET } from './cookie-secret.js';

it('latchkey() names the environment of a test in which it could not encrypt', () => {
  const options = {
    serviceUrl: 'https://service.example',
    clientId: `oac_${'a'.repeat(24)}`,
    appUrl: 'https://shop.example',
    cookieSecret: COOKIE_SECRET,
    checkClientAtStart: false,
  };
  expect(() => latchkey(options)).toThrow(/jsdom.*@vitest-environment node/);
});

import { expect, it } from 'vitest';
import { type CheckoutStatus, isBuying } from './checkout-state.js';

it.each<[CheckoutStatus, boolean]>([
  ['loading', false],
  ['ready', false],
  ['signing-in', true],
  ['opening', true],
  ['failed', false],
])('a checkout that is %s runs a purchase: %s', (status, expected) => {
  expect(isBuying({ status })).toBe(expected);
});

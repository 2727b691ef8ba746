import { expect, it } from 'vitest';
import { durationText } from '../../src/command-line/text.js';

it.for([
  [0, '0s'],
  [-400, '0s'],
  [31 * 86_400_000 + 7_200_000, '31d 2h'],
  [-1_807_802, '-30m 7s'],
] as const)('prints %d ms as %s', ([ms, text]) => {
  expect(durationText(ms)).toBe(text);
});

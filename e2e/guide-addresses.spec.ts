import { expect } from '@playwright/test';
import { test } from './calm-press.js';
import { replaceAddresses } from './guide-addresses.js';

// A port that the operating system gives out may begin with a port of the guides, as these do.
const VALUES = {
  'http://127.0.0.1:4400': 'http://127.0.0.1:44001',
  'localhost:3000': 'localhost:30001',
  'listen(3000': 'listen(30001',
};

for (const [what, text, expected] of [
  ['an address', "serviceUrl: 'http://127.0.0.1:4400'", "serviceUrl: 'http://127.0.0.1:44001'"],
  ['each occurrence', 'localhost:3000 or localhost:3000/', 'localhost:30001 or localhost:30001/'],
  ['a port before a bracket', 'app.listen(3000);', 'app.listen(30001);'],
  ['nothing in a text that has the value already', 'http://127.0.0.1:44001', 'http://127.0.0.1:44001'],
] as const) {
  test(`a project of a guide replaces ${what}`, () => {
    expect(replaceAddresses(text, VALUES)).toBe(expected);
  });
}

import { LatchkeyClient } from '@latchkey/client';
import { describe, expect, it } from 'vitest';
import {
  type CheckoutOptions,
  type CheckoutPageDetails,
  LatchkeyOptionsError,
  latchkey,
  memoryDirectory,
} from '../../src/index.js';
import { COOKIE_SECRET } from '../cookie-secret.js';
import { LIFETIME, type Market, MONTHLY, openMarket } from './market.js';

const client = new LatchkeyClient({ serviceUrl: 'https://service.example', apiKey: `svc_${'x'.repeat(43)}` });
const logged: string[] = [];
const base = {
  serviceUrl: 'https://service.example',
  clientId: `oac_${'a'.repeat(24)}`,
  appUrl: 'https://shop.example',
  cookieSecret: COOKIE_SECRET,
  logger: { warn: (message: string) => logged.push(message), error: () => {} },
};

/** Returns the invalid options of `auth.checkout`. The types of the changes can be wrong. */
function problemsOf(changes: object): string[] {
  const auth = latchkey({ ...base, directory: memoryDirectory() });
  try {
    auth.checkout({ client, plans: [MONTHLY], ...changes } as CheckoutOptions);
  } catch (error) {
    if (!(error instanceof LatchkeyOptionsError)) throw error;
    return error.problems.map(({ option, message }) => `${option}: ${message}`);
  }
  return [];
}

describe('the options of auth.checkout', () => {
  it('are accepted as documented', () => {
    expect(
      problemsOf({
        plans: [MONTHLY, LIFETIME],
        externalIdSecret: ['x'.repeat(32), 'y'.repeat(32)],
        utmSource: 'newsletter',
        holdSeconds: 0,
        waitSeconds: 60,
        page: () => {},
      }),
    ).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ['no client', { client: undefined }, /^client: is required: a LatchkeyClient/],
    ['no plans', { plans: undefined }, /^plans: must be a list of plans/],
    ['an empty list of plans', { plans: [] }, /^plans: must contain at least one plan/],
    [
      'a plan id that is no UUID',
      { plans: [{ ...MONTHLY, id: 'monthly' }] },
      /^plans\.0\.id: must be the UUID.*"monthly"/,
    ],
    [
      'a community id that is no UUID',
      { plans: [{ ...MONTHLY, communityId: 7 }] },
      /^plans\.0\.communityId: must be the UUID/,
    ],
    ['an empty name', { plans: [{ ...MONTHLY, name: ' ' }] }, /^plans\.0\.name: must not be empty/],
    [
      'a number as price',
      { plans: [{ ...MONTHLY, price: 9 }] },
      /^plans\.0\.price: must be a text such as "€9"/,
    ],
    ['no term', { plans: [{ ...MONTHLY, term: undefined }] }, /^plans\.0\.term: must be a text/],
    [
      'a field that is none',
      { plans: [{ ...MONTHLY, pirce: '€9' }] },
      /^plans\.0\.pirce: is not an option of auth\.checkout\(\)/,
    ],
    [
      'a repeated id',
      { plans: [MONTHLY, { ...LIFETIME, id: MONTHLY.id.toUpperCase() }] },
      /^plans\.1\.id: repeats the id of plans\.0/,
    ],
    ['a short secret', { externalIdSecret: 'short' }, /^externalIdSecret: must be a string of at least 32/],
    ['a long utmSource', { utmSource: 'x'.repeat(101) }, /^utmSource: must have at most 100 characters/],
    ['too long a wait', { waitSeconds: 61 }, /^waitSeconds: must be a number of seconds from 0 to 60/],
    ['a page that is no function', { page: '/cancelled' }, /^page: must be a function/],
    ['an unknown option', { plan: MONTHLY }, /^plan: is not an option of auth\.checkout\(\)/],
  ])('with %s are rejected at the start', (_name, changes, expected) => {
    expect(problemsOf(changes)).toEqual([expect.stringMatching(expected)]);
  });

  it('do not contain the rejected secret in the error', () => {
    expect(problemsOf({ externalIdSecret: 'tiny-secret' }).join()).not.toContain('tiny-secret');
  });

  it('need a directory and the scope memberships.read', () => {
    const options = { client, plans: [MONTHLY] };
    for (const name of ['checkout', 'inviteLink'] as const) {
      expect(() => latchkey(base)[name](options)).toThrow(/directory: auth\.\w+ needs a directory/);
      const auth = latchkey({ ...base, scopes: ['products.read'], directory: memoryDirectory() });
      expect(() => auth[name](options)).toThrow(/scopes: auth\.\w+ needs the scope memberships\.read/);
    }
  });

  it('with a client of another service are logged, since its buyers would get no access here', () => {
    logged.length = 0;
    const other = new LatchkeyClient({ serviceUrl: 'https://live.example', apiKey: `svc_${'x'.repeat(43)}` });
    problemsOf({});
    expect(logged.filter((message) => message.includes('live.example'))).toEqual([]);
    problemsOf({ client: other });
    expect(logged.filter((message) => message.includes('live.example'))).toEqual([
      expect.stringContaining('visitors sign in at https://service.example'),
    ]);
  });
});

describe('the option page', () => {
  let market: Market;

  it('replaces the pages, with status and headers set', async () => {
    const shown: CheckoutPageDetails[] = [];
    market = await openMarket({
      plans: [MONTHLY],
      checkout: {
        page: async (_request, response, details) => {
          shown.push(details);
          response.send(`Own page: ${details.state}`);
        },
      },
    });
    const cancelled = await market.browser.open(
      `${market.url}/auth/checkout/cancelled?plan=${MONTHLY.id}&returnTo=/members&from=/join`,
    );
    expect(cancelled).toMatchObject({ status: 200, text: 'Own page: cancelled' });
    expect(shown[0]).toMatchObject({
      plan: MONTHLY,
      continueUrl: '/join',
      form: { action: '/auth/checkout', fields: { plan: MONTHLY.id, returnTo: '/members' } },
    });
    const unknown = await market.order({ plan: LIFETIME.id });
    expect(unknown).toMatchObject({ status: 404, text: 'Own page: plan_unknown' });
    expect(shown[1]).toMatchObject({ plan: undefined, form: undefined });
  });
});

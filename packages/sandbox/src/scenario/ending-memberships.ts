import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import { addRows } from '@latchkey/server/extension';
import { memberRows, type ScenarioMember } from './member-rows.js';
import { sandboxScenario } from './sandbox-scenario.js';
import type { Scenario } from './scenario.js';

const MINUTE_MS = 60_000;
const FIRST_NUMBER = 0x1_0000;

/** Members whose access ends soon, each at another time. */
export const endingMemberships: Scenario = {
  title: 'Memberships that end',
  summary:
    'Seven more members: access ends in ten minutes, in hours, days and weeks, and some renewals are cancelled.',
  suggestions: [
    'Sign in as Mia, open the members’ page, and move the clock to her end: the gate closes.',
    'Sign in as Rita, cancel her renewal on the account page, and move the clock to her end.',
    'Move the clock on by a week, and read which events the service sent.',
  ],
  notes: {
    'mia@example.com': 'Membership ends in ten minutes',
    'hugo@example.com': 'Membership ends in three hours',
    'dora@example.com': 'Membership ends in two days',
    'wim@example.com': 'Membership ends in two weeks',
    'carl@example.com': 'Cancelled the renewal; paid time ends in six hours',
    'rita@example.com': 'Renews in two hours; cancel it on the account page',
    'rolf@example.com': 'Renews in three days',
  },
  async write({ db, now, baseUrl }) {
    await addRows(db, memberRows(membersAt(now), { now, returnUrl: `${baseUrl}/account` }));
  },
};

function membersAt(now: number): readonly ScenarioMember[] {
  const { monthly } = sandboxScenario.plans;
  const joinedAt = now - 25 * DAY_MS;
  const member = (
    index: number,
    {
      first,
      endsAt,
      ...more
    }: { first: string; endsAt: number } & Pick<ScenarioMember, 'method' | 'cancelledAt'>,
  ): ScenarioMember => ({
    number: FIRST_NUMBER + index,
    name: NAMES[first] ?? first,
    email: `${first}@example.com`,
    plan: monthly,
    joinedAt,
    endsAt,
    ...more,
  });
  const card = { method: 'card-4242' };
  return [
    member(0, { first: 'mia', endsAt: now + 10 * MINUTE_MS }),
    member(1, { first: 'hugo', endsAt: now + 3 * HOUR_MS }),
    member(2, { first: 'dora', endsAt: now + 2 * DAY_MS }),
    member(3, { first: 'wim', endsAt: now + 14 * DAY_MS }),
    member(4, { first: 'carl', endsAt: now + 6 * HOUR_MS, ...card, cancelledAt: now - DAY_MS }),
    // Charged an hour before the end.
    member(5, { first: 'rita', endsAt: now + 3 * HOUR_MS, ...card }),
    member(6, { first: 'rolf', endsAt: now + 3 * DAY_MS + HOUR_MS, ...card }),
  ];
}

const NAMES: Readonly<Record<string, string>> = {
  mia: 'Mia Minutes',
  hugo: 'Hugo Hours',
  dora: 'Dora Days',
  wim: 'Wim Weeks',
  carl: 'Carl Cancelled',
  rita: 'Rita Renews',
  rolf: 'Rolf Renews',
};

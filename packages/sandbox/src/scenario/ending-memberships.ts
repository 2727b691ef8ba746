import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import { addRows } from '@latchkey/server/extension';
import { memberRows, type ScenarioMember } from './member-rows.js';
import { sandboxScenario } from './sandbox-scenario.js';
import type { Scenario } from './scenario.js';

const MINUTE_MS = 60_000;

interface NotedMember {
  readonly name: string;
  readonly note: string;
  readonly endsIn: number;
  readonly method?: string;
  readonly cancelledIn?: number;
  readonly failed?: { readonly in: number; readonly reason: string };
}

const emailOf = ({ name }: NotedMember) => `${name.split(' ')[0]?.toLowerCase()}@example.com`;

function membersScenario(
  { firstNumber, members }: { firstNumber: number; members: readonly NotedMember[] },
  texts: Pick<Scenario, 'title' | 'summary' | 'suggestions'>,
): Scenario {
  const memberAt = (now: number, member: NotedMember, index: number): ScenarioMember => {
    const { name, endsIn, method, cancelledIn, failed } = member;
    return {
      number: firstNumber + index,
      name,
      email: emailOf(member),
      plan: sandboxScenario.plans.monthly,
      joinedAt: now - 25 * DAY_MS,
      endsAt: now + endsIn,
      ...(method !== undefined && { method }),
      ...(cancelledIn !== undefined && { cancelledAt: now + cancelledIn }),
      ...(failed && { failed: { at: now + failed.in, reason: failed.reason } }),
    };
  };
  return {
    ...texts,
    notes: Object.fromEntries(members.map((member) => [emailOf(member), member.note])),
    async write({ db, clock, baseUrl }) {
      const now = clock.now();
      const rows = members.map((member, index) => memberAt(now, member, index));
      await addRows(db, memberRows(rows, { now, returnUrl: `${baseUrl}/account` }));
    },
  };
}

const pays = { method: 'card-4242' };

/** Members with access that ends soon, each at a different time. Renewals are charged an hour before the end. */
export const endingMemberships = membersScenario(
  {
    firstNumber: 0x1_0000,
    members: [
      { name: 'Mia Minutes', note: 'Membership ends in ten minutes', endsIn: 10 * MINUTE_MS },
      { name: 'Hugo Hours', note: 'Membership ends in three hours', endsIn: 3 * HOUR_MS },
      { name: 'Dora Days', note: 'Membership ends in two days', endsIn: 2 * DAY_MS },
      { name: 'Wim Weeks', note: 'Membership ends in two weeks', endsIn: 14 * DAY_MS },
      {
        name: 'Carl Cancelled',
        note: 'Cancelled the renewal; paid time ends in six hours',
        endsIn: 6 * HOUR_MS,
        ...pays,
        cancelledIn: -DAY_MS,
      },
      {
        name: 'Rita Renews',
        note: 'Renews in two hours; cancel it on the account page',
        endsIn: 3 * HOUR_MS,
        ...pays,
      },
      { name: 'Rolf Renews', note: 'Renews in three days', endsIn: 3 * DAY_MS + HOUR_MS, ...pays },
    ],
  },
  {
    title: 'Memberships that end',
    summary:
      'Seven more members: access ends in ten minutes, in hours, days and weeks, and some renewals are cancelled.',
    suggestions: [
      'Sign in as Mia, open the members’ page, and move the clock to her end: the gate closes.',
      'Sign in as Rita, cancel her renewal on the account page, and move the clock to her end.',
      'Move the clock on by a week, and read which events the service sent.',
    ],
  },
);

/** Subscribers with a next renewal that will be declined. */
export const failingPayments = membersScenario(
  {
    firstNumber: 0x2_0000,
    members: [
      {
        name: 'Petra Pending',
        note: 'Renews in two hours; the card is declined',
        endsIn: 3 * HOUR_MS,
        method: 'card-0341',
      },
      {
        name: 'Igor Insufficient',
        note: 'Renews tomorrow; the card has insufficient funds',
        endsIn: DAY_MS + HOUR_MS,
        method: 'card-9995',
      },
      {
        name: 'Olga Overdrawn',
        note: 'Renews in three days; the card is declined',
        endsIn: 3 * DAY_MS + HOUR_MS,
        method: 'card-0002',
      },
      {
        name: 'Lars Late',
        note: 'Renewal was declined yesterday; access ends tomorrow',
        endsIn: DAY_MS,
        method: 'card-0341',
        cancelledIn: -DAY_MS,
        failed: { in: -DAY_MS, reason: 'card_declined' },
      },
      { name: 'Paula Pays', note: 'Renews in two hours; the card pays', endsIn: 3 * HOUR_MS, ...pays },
    ],
  },
  {
    title: 'Payments that fail',
    summary:
      'Five more subscribers with test cards: three renewals will be declined, one was, one will be paid.',
    suggestions: [
      'Move the clock to the next renewal: the event payment.failed is sent, and access stays until its end.',
      'Sign in as Petra, open the members’ page, and move the clock to her end: the gate closes.',
      'Compare with Paula: her card pays, and her access goes on.',
    ],
  },
);

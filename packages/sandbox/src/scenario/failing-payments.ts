import { addRows } from '@latchkey/server/extension';
import { memberRows, type ScenarioMember } from './member-rows.js';
import { sandboxScenario } from './sandbox-scenario.js';
import type { Scenario } from './scenario.js';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_NUMBER = 0x2_0000;

/** Subscribers whose next renewal is declined. */
export const failingPayments: Scenario = {
  title: 'Payments that fail',
  summary:
    'Five more subscribers with test cards: three renewals will be declined, one was, one will be paid.',
  suggestions: [
    'Move the clock to the next renewal: the event payment.failed is sent, and access stays until its end.',
    'Sign in as Petra, open the members’ page, and move the clock to her end: the gate closes.',
    'Compare with Paula: her card pays, and her access goes on.',
  ],
  notes: {
    'petra@example.com': 'Renews in two hours; the card is declined',
    'igor@example.com': 'Renews tomorrow; the card has insufficient funds',
    'olga@example.com': 'Renews in three days; the card is declined',
    'lars@example.com': 'Renewal was declined yesterday; access ends tomorrow',
    'paula@example.com': 'Renews in two hours; the card pays',
  },
  async write({ db, now, baseUrl }) {
    await addRows(db, memberRows(membersAt(now), { now, returnUrl: `${baseUrl}/account` }));
  },
};

function membersAt(now: number): readonly ScenarioMember[] {
  const bought = { plan: sandboxScenario.plans.monthly, joinedAt: now - 25 * DAY_MS };
  // Charged an hour before the end.
  const soon = now + 3 * HOUR_MS;
  const members = [
    { name: 'Petra Pending', email: 'petra@example.com', endsAt: soon, method: 'card-0341' },
    {
      name: 'Igor Insufficient',
      email: 'igor@example.com',
      endsAt: now + DAY_MS + HOUR_MS,
      method: 'card-9995',
    },
    {
      name: 'Olga Overdrawn',
      email: 'olga@example.com',
      endsAt: now + 3 * DAY_MS + HOUR_MS,
      method: 'card-0002',
    },
    {
      name: 'Lars Late',
      email: 'lars@example.com',
      endsAt: now + DAY_MS,
      method: 'card-0341',
      cancelledAt: now - DAY_MS,
      failed: { at: now - DAY_MS, reason: 'card_declined' },
    },
    { name: 'Paula Pays', email: 'paula@example.com', endsAt: soon, method: 'card-4242' },
  ];
  return members.map((member, index) => ({ number: FIRST_NUMBER + index, ...bought, ...member }));
}

import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import { addRows } from '@latchkey/server/extension';
import { busyShop } from './busy-shop.js';
import { endingMemberships } from './ending-memberships.js';
import { memberRows, type ScenarioMember } from './member-rows.js';
import { sandboxScenario } from './sandbox-scenario.js';
import type { Scenario, ScenarioContext } from './scenario.js';
import { stranger } from './stranger.js';

const FIRST_NUMBER = 0x2_0000;

/** Subscribers whose next renewal is declined. */
const failingPayments: Scenario = {
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

/** Names of the scenarios that a reset can begin with. */
export const SCENARIO_NAMES = [
  'sample-data',
  'busy-shop',
  'lapsing-memberships',
  'failing-payments',
  'stranger',
  'empty',
] as const;

/** Name of the data that a sandbox begins with. */
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

export interface ScenarioEntry {
  readonly name: ScenarioName;
  readonly title: string;
  /** A sentence about the data. */
  readonly summary: string;
  readonly suggestions: readonly string[];
}

/** Named data to begin with. */
export interface Scenarios {
  list(): readonly ScenarioEntry[];
  /**
   * Writes the data of a scenario beside the existing ones, without the sample data. Data that exist already stay as they
   * are. `snapshots.reset` begins again with a scenario.
   */
  add(name: ScenarioName): Promise<void>;
}

const nothing = { notes: {}, write: async () => undefined };

const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  'sample-data': {
    title: 'Fresh shop',
    summary: 'Six people, one community with two plans, two products, a drop, two clients and a key.',
    suggestions: [
      'Sign in as Ben, buy the monthly plan, and see the gate open.',
      'Move the clock to the next drop start, and see the countdown end.',
    ],
    ...nothing,
  },
  'busy-shop': busyShop,
  'lapsing-memberships': endingMemberships,
  'failing-payments': failingPayments,
  stranger,
  empty: {
    title: 'Nothing',
    summary: 'No users, no communities and no clients: you create everything yourself.',
    suggestions: ['Create users, a community and a client with the control API or the developer pages.'],
    ...nothing,
  },
};

/** Title of each scenario, and notes about its people by email address. */
export const SCENARIO_PEOPLE: readonly Pick<Scenario, 'title' | 'notes'>[] = Object.values(SCENARIOS);

/** Creates the list of scenarios of a running sandbox. */
export function createScenarios(context: () => ScenarioContext): Scenarios {
  return {
    list: () =>
      SCENARIO_NAMES.map((name) => {
        const { title, summary, suggestions } = SCENARIOS[name];
        return { name, title, summary, suggestions };
      }),
    add: async (name) => await SCENARIOS[name].write(context()),
  };
}

import { busyShop } from './busy-shop.js';
import { endingMemberships, failingPayments } from './ending-memberships.js';
import type { Scenario, ScenarioServices } from './scenario.js';
import { SCENARIO_NAMES, type ScenarioName } from './scenario-names.js';
import { stranger } from './stranger.js';

export interface ScenarioEntry extends Pick<Scenario, 'title' | 'summary' | 'suggestions'> {
  readonly name: ScenarioName;
}

/** Named data to start with. */
export interface Scenarios {
  list(): readonly ScenarioEntry[];
  /**
   * Adds a scenario's data to the existing data, without the sample data. What already exists stays as it is.
   * `snapshots.reset` starts over with a scenario.
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

export function createScenarios(services: ScenarioServices): Scenarios {
  return {
    list: () =>
      SCENARIO_NAMES.map((name) => {
        const { title, summary, suggestions } = SCENARIOS[name];
        return { name, title, summary, suggestions };
      }),
    add: async (name) => await SCENARIOS[name].write(services),
  };
}

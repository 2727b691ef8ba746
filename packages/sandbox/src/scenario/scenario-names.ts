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

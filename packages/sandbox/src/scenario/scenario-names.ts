export const SCENARIO_NAMES = [
  'sample-data',
  'busy-shop',
  'lapsing-memberships',
  'failing-payments',
  'stranger',
  'empty',
] as const;

/** Name of the data that a sandbox starts with. */
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

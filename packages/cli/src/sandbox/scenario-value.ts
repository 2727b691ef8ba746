import type { ScenarioName } from '@latchkey/sandbox';
import * as z from 'zod';

/** Scenarios of the sandbox, repeated here: the sandbox itself is loaded only to start it. */
const SCENARIOS: Readonly<Record<ScenarioName, true>> = {
  'sample-data': true,
  'busy-shop': true,
  'lapsing-memberships': true,
  'failing-payments': true,
  stranger: true,
  empty: true,
};

const names = Object.keys(SCENARIOS) as [ScenarioName, ...ScenarioName[]];

export const scenarioName = z
  .enum(names)
  .default('sample-data')
  .meta({ placeholder: 'name', description: `Data to begin with: ${names.join(', ')}.` });

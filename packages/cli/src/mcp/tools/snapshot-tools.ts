import * as z from 'zod';
import { sandboxTool } from '../frame/sandbox-tool.js';

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be at most 64 letters, digits, ".", "_" or "-"')
  .describe('Name of the snapshot.');

const listSnapshots = sandboxTool({
  name: 'list_snapshots',
  title: 'List the snapshots',
  description: 'Lists the stored snapshots of the sandbox.',
  effect: 'reads',
  input: z.object({}),
  output: z.looseObject({ snapshots: z.array(z.looseObject({ name: z.string() })) }),
  run: (_, sandbox) => sandbox.get('/snapshots'),
});

const saveSnapshot = sandboxTool({
  name: 'save_snapshot',
  title: 'Save a snapshot',
  description: 'Stores all data and the time under a name. A snapshot with this name is replaced.',
  effect: 'changes',
  input: z.object({ name }),
  output: z.looseObject({ name: z.string() }),
  run: (input, sandbox) => sandbox.post(`/snapshots/${input.name}`),
});

const loadSnapshot = sandboxTool({
  name: 'load_snapshot',
  title: 'Load a snapshot',
  description:
    'Replaces all data and the time of the sandbox by those of a snapshot. Mail, request log and faults are dropped.',
  effect: 'deletes',
  input: z.object({ name }),
  output: z.object({ loaded: z.string() }),
  ifUnknown: 'Call list_snapshots for the names.',
  async run(input, sandbox) {
    await sandbox.post(`/snapshots/${input.name}/load`);
    return { loaded: input.name };
  },
});

const listScenarios = sandboxTool({
  name: 'list_scenarios',
  title: 'List the scenarios',
  description: 'Returns the scenarios that load_scenario accepts: their data, and what to try with them.',
  effect: 'reads',
  input: z.object({}),
  output: z.looseObject({ scenarios: z.array(z.looseObject({ name: z.string() })) }),
  run: (_, sandbox) => sandbox.get('/scenarios'),
});

const loadScenario = sandboxTool({
  name: 'load_scenario',
  title: 'Load a scenario',
  description:
    'Deletes all data of the sandbox, sets its clock to the real time, and begins with a scenario. Mail, request log and faults are dropped. Stored snapshots stay.',
  effect: 'deletes',
  input: z.object({ scenario: z.string().max(60).default('sample-data') }),
  output: z.object({ scenario: z.string() }),
  ifUnknown: 'Call list_scenarios for the names.',
  async run({ scenario }, sandbox) {
    await sandbox.post('/reset', { scenario });
    return { scenario };
  },
});

export const snapshotTools = [listSnapshots, saveSnapshot, loadSnapshot, listScenarios, loadScenario];

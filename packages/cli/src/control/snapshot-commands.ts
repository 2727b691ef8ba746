import type { SnapshotEntry } from '@latchkey/sandbox';
import * as z from 'zod';
import { jsonFileContent } from '../command-line/read-json-file.js';
import { writeNewFile } from '../command-line/write-new-file.js';
import { scenarioName } from '../sandbox/scenario-value.js';
import { controlCommand } from './control-command.js';
import { table } from './output.js';

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be at most 64 letters, digits, ".", "_" or "-"')
  .meta({ isArgument: true, description: 'Name of the snapshot.' });

const snapshotSave = controlCommand({
  name: 'save',
  summary: 'Stores all data and the time of a sandbox under a name, in its memory.',
  settings: z.object({ name }),
  examples: ['latchkey snapshot save before-the-test'],
  async run(values, { client, show }) {
    const saved = await client.post<SnapshotEntry>(`/snapshots/${values.name}`, {}, 'rows');
    show(saved, () => `Saved ${saved.name}: ${saved.rows} rows at ${saved.serviceTime}.`);
  },
});

const snapshotLoad = controlCommand({
  name: 'load',
  summary: 'Replaces all data and the time of a sandbox. Drops its mail, log and faults.',
  settings: z.object({ name }),
  examples: ['latchkey snapshot load before-the-test'],
  async run(values, { client, show }) {
    await client.post(`/snapshots/${values.name}/load`);
    show({ loaded: values.name }, () => `Loaded ${values.name}.`);
  },
});

const snapshotList = controlCommand({
  name: 'list',
  summary: 'Lists the stored snapshots.',
  settings: z.object({}),
  examples: ['latchkey snapshot list', 'latchkey snapshot list --json'],
  async run(_, { client, show }) {
    const { snapshots } = await client.get<{ snapshots: readonly SnapshotEntry[] }>(
      '/snapshots',
      'snapshots',
    );
    show(snapshots, () =>
      table(
        ['name', 'time of the service', 'rows'],
        snapshots.map((entry) => [entry.name, entry.serviceTime, entry.rows]),
        'No snapshots.',
      ),
    );
  },
});

const snapshotExport = controlCommand({
  name: 'export',
  summary: 'Writes a stored snapshot into a file.',
  settings: z.object({
    name,
    file: z.string().min(1).meta({ isArgument: true, description: 'File to write. It must not exist.' }),
  }),
  examples: ['latchkey snapshot export before-the-test shop.json'],
  notes:
    'The file contains email addresses, webhook secrets and hashes of other secrets. Only your user can read it. Share only snapshots of test data.',
  async run({ file, ...values }, { client, show }) {
    const snapshot = await client.get(`/snapshots/${values.name}`, 'tables');
    const text = `${JSON.stringify(snapshot)}\n`;
    writeNewFile(file, text);
    show({ name: values.name, file }, () => `Wrote ${values.name} to ${file}.`);
  },
});

const snapshotImport = controlCommand({
  name: 'import',
  summary: 'Stores an exported file as a snapshot. "latchkey snapshot load" loads it.',
  settings: z.object({
    name,
    file: z.string().min(1).meta({ isArgument: true, description: 'File that "export" wrote.' }),
  }),
  examples: ['latchkey snapshot import bug-1234 shop.json'],
  async run({ file, ...values }, { client, show }) {
    const path = `/snapshots/${values.name}/import`;
    const stored = await client.post<SnapshotEntry>(path, jsonFileContent(file), 'rows');
    show(stored, () => `Stored ${stored.name}: ${stored.rows} rows at ${stored.serviceTime}.`);
  },
});

/** `latchkey reset` */
export const reset = controlCommand({
  name: 'reset',
  summary: 'Deletes all data of a sandbox, sets its clock to the real time, begins with a scenario.',
  settings: z.object({
    scenario: scenarioName,
  }),
  examples: ['latchkey reset', 'latchkey reset --scenario busy-shop'],
  notes:
    'Mail, request log and faults are dropped. Stored snapshots stay. The page /sandbox/snapshots describes the scenarios.',
  async run({ scenario }, { client, show }) {
    await client.post('/reset', { scenario });
    show({ scenario }, () => `Reset. The sandbox begins with the scenario ${scenario}.`);
  },
});

/** Commands below `latchkey snapshot`. */
export const snapshotCommands = [snapshotSave, snapshotLoad, snapshotList, snapshotExport, snapshotImport];

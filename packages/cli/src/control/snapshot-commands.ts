import * as z from 'zod';
import { jsonFileContent, writeNewFile } from '../command-line/files.js';
import { callCommand, controlCommand, settingsOf } from './control-command.js';
import { table } from './output.js';

const settings = { name: { isArgument: true } } as const;

/** A file, in addition to the name of a snapshot. */
const withFile = (description: string) =>
  z.object({
    ...settingsOf('GET /snapshots/{name}', settings),
    file: z.string().min(1).meta({ isArgument: true, description }),
  });

export const snapshotCommands = [
  callCommand({
    name: 'save',
    call: 'POST /snapshots/{name}',
    summary: 'Stores all data and the time of a sandbox under a name, in its memory.',
    settings,
    examples: ['latchkey snapshot save before-the-test'],
    text: ({ name, rows, serviceTime }) => `Saved ${name}: ${rows} rows at ${serviceTime}.`,
  }),
  callCommand({
    name: 'load',
    call: 'POST /snapshots/{name}/load',
    summary: 'Replaces all data and the time of a sandbox. Drops its mail, log and faults.',
    settings,
    examples: ['latchkey snapshot load before-the-test'],
    value: (_, { name }) => ({ loaded: name }),
    text: (_, { name }) => `Loaded ${name}.`,
  }),
  callCommand({
    name: 'list',
    call: 'GET /snapshots',
    examples: ['latchkey snapshot list', 'latchkey snapshot list --json'],
    value: ({ snapshots }) => snapshots,
    text: ({ snapshots }) =>
      table(
        ['name', 'time of the service', 'rows'],
        snapshots.map((entry) => [entry.name, entry.serviceTime, entry.rows]),
        'No snapshots.',
      ),
  }),
  controlCommand({
    name: 'export',
    summary: 'Writes a stored snapshot into a file.',
    settings: withFile('File to write. It must not exist.'),
    examples: ['latchkey snapshot export before-the-test shop.json'],
    notes:
      'The file contains email addresses, webhook secrets and hashes of other secrets. Only your user can read it. Share only snapshots of test data.',
    async run({ name, file }, { client, show }) {
      writeNewFile(file, `${JSON.stringify(await client.call('GET /snapshots/{name}', { name }))}\n`);
      show({ name, file }, () => `Wrote ${name} to ${file}.`);
    },
  }),
  controlCommand({
    name: 'import',
    summary: 'Stores an exported file as a snapshot. "latchkey snapshot load" loads it.',
    settings: withFile('File that "export" wrote.'),
    examples: ['latchkey snapshot import bug-1234 shop.json'],
    async run({ name, file }, { client, show }) {
      const content = jsonFileContent(file) as object;
      const stored = await client.call('POST /snapshots/{name}/import', { ...content, name });
      show(stored, () => `Stored ${stored.name}: ${stored.rows} rows at ${stored.serviceTime}.`);
    },
  }),
];

export const reset = callCommand({
  name: 'reset',
  call: 'POST /reset',
  summary: 'Deletes all data of a sandbox, sets its clock to the real time, begins with a scenario.',
  settings: { scenario: { placeholder: 'name' } },
  examples: ['latchkey reset', 'latchkey reset --scenario busy-shop'],
  notes:
    'Mail, request log and faults are dropped. Stored snapshots stay. The page /sandbox/snapshots describes the scenarios.',
  value: (_, { scenario }) => ({ scenario }),
  text: (_, { scenario }) => `Reset. The sandbox begins with the scenario ${scenario}.`,
});

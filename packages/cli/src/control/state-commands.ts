import { formatTimestamp } from '@latchkey/contract/constants';
import type { ClockMove } from '@latchkey/sandbox';
import * as z from 'zod';
import { jsonFileContent, writeNewFile } from '../command-line/files.js';
import { columns, durationText, table } from '../command-line/text.js';
import { instant } from '../command-line/values.js';
import { callCommand, controlCommand, settingsOf } from './control-command.js';

export const clockShow = callCommand({
  name: 'clock',
  call: 'GET /clock',
  summary: 'Shows the clock of a sandbox, and moves it forward: advance, to, next, membership.',
  examples: ['latchkey clock', 'latchkey clock advance 31d', 'latchkey clock next next-renewal --json'],
  text: ({ serviceTime, realTime, aheadMs, presets }) =>
    [
      columns([
        ['time of the service', serviceTime],
        ['real time', realTime],
        ['ahead by', durationText(aheadMs)],
      ]),
      '',
      table(
        ['preset', 'time', 'event'],
        presets.map(({ preset, at, label }) => [preset, at, label]),
        'No presets.',
      ),
    ].join('\n'),
});

export const clockCommands = [
  callCommand({
    name: 'advance',
    call: 'POST /clock',
    summary: 'Moves the clock forward by a duration, and lists what happened.',
    settings: { duration: { isArgument: true } },
    examples: ['latchkey clock advance 31d', 'latchkey clock advance 90s --json'],
    text: moveText,
  }),
  controlCommand({
    name: 'to',
    summary: 'Moves the clock forward to an instant, and lists what happened.',
    settings: z.object({
      instant: instant.meta({
        isArgument: true,
        description: 'A time ahead in ISO-8601. Without an offset it is UTC.',
      }),
    }),
    examples: ['latchkey clock to 2027-01-31T12:00:00Z', 'latchkey clock to 2027-02-01'],
    async run({ instant: ms }, { client, show }) {
      const moved = await client.call('POST /clock', { instant: formatTimestamp(ms) });
      show(moved, () => moveText(moved));
    },
  }),
  callCommand({
    name: 'next',
    call: 'POST /clock',
    summary: 'Moves the clock forward to an instant of the data, and lists what happened.',
    settings: { preset: { isArgument: true } },
    examples: ['latchkey clock next next-renewal', 'latchkey clock next access-token-expiry'],
    notes:
      '"latchkey clock" lists the instants. The exit code is 1 if the data contain no such instant ahead.',
    text: moveText,
  }),
  callCommand({
    name: 'membership',
    call: 'POST /clock',
    summary: 'Moves the clock forward to the end or the next renewal of one membership.',
    settings: {
      membershipId: { isArgument: true, placeholder: 'membership' },
      to: { isArgument: true },
    },
    examples: ['latchkey clock membership 5eed0000-0000-4000-8000-0000000000a2 end'],
    notes: 'The exit code is 1 if the membership has no such instant ahead.',
    text: moveText,
  }),
];

function moveText({ from, serviceTime, happened, total }: ClockMove): string {
  const lines = [
    `Moved the clock from ${from} to ${serviceTime}.`,
    table(
      ['time', 'kind', 'event'],
      happened.map(({ at, kind, label }) => [at, kind, label]),
      'Nothing happened in between.',
    ),
  ];
  if (total > happened.length) lines.push(`${total - happened.length} more are not listed.`);
  return lines.join('\n');
}

const settings = { name: { isArgument: true } } as const;

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

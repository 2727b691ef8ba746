import { formatTimestamp } from '@latchkey/contract/constants';
import type { ClockMove } from '@latchkey/sandbox';
import * as z from 'zod';
import { columns } from '../command-line/text.js';
import { instant } from '../command-line/values.js';
import { callCommand, controlCommand } from './control-command.js';
import { durationText, table } from './output.js';

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

import { formatTimestamp } from '@latchkey/contract/constants';
import type { ClockMove, ClockPreset, ClockReading } from '@latchkey/sandbox';
import * as z from 'zod';
import { instant } from '../command-line/instant-value.js';
import { columns } from '../command-line/text.js';
import { type ControlContext, controlCommand } from './control-command.js';
import { durationText, table } from './output.js';

const PRESETS = [
  ...['next-code-expiry', 'access-token-expiry', 'refresh-token-expiry'],
  ...['next-renewal', 'next-membership-end', 'next-drop-start'],
] as const;

/** `latchkey clock` */
export const clockShow = controlCommand({
  name: 'clock',
  summary: 'Shows the clock of a sandbox, and moves it forward: advance, to, next, membership.',
  settings: z.object({}),
  examples: ['latchkey clock', 'latchkey clock advance 31d', 'latchkey clock next next-renewal --json'],
  async run(_, { client, show }) {
    const clock = await client.get<ClockReading & { presets: readonly ClockPreset[] }>(
      '/clock',
      'serviceTime',
    );
    show(clock, () =>
      [
        columns([
          ['time of the service', clock.serviceTime],
          ['real time', clock.realTime],
          ['ahead by', durationText(clock.aheadMs)],
        ]),
        '',
        table(
          ['preset', 'time', 'event'],
          clock.presets.map(({ preset, at, label }) => [preset, at, label]),
          'No presets.',
        ),
      ].join('\n'),
    );
  },
});

const clockAdvance = controlCommand({
  name: 'advance',
  summary: 'Moves the clock forward by a duration, and lists what happened.',
  settings: z.object({
    duration: z
      .string()
      .regex(/^[1-9]\d{0,8}(?:[smhdw]|mo)$/, 'must be a whole number and a unit: 30s, 5m, 1h, 31d, 2w, 1mo')
      .meta({
        isArgument: true,
        description: 'A whole number and a unit: s, m, h, d, w or mo (calendar months).',
      }),
  }),
  examples: ['latchkey clock advance 31d', 'latchkey clock advance 90s --json'],
  run: ({ duration }, context) => move({ duration }, context),
});

const clockTo = controlCommand({
  name: 'to',
  summary: 'Moves the clock forward to an instant, and lists what happened.',
  settings: z.object({
    instant: instant.meta({
      isArgument: true,
      description: 'A time ahead in ISO-8601. Without an offset it is UTC.',
    }),
  }),
  examples: ['latchkey clock to 2027-01-31T12:00:00Z', 'latchkey clock to 2027-02-01'],
  run: ({ instant: ms }, context) => move({ instant: formatTimestamp(ms) }, context),
});

const clockNext = controlCommand({
  name: 'next',
  summary: 'Moves the clock forward to an instant of the data, and lists what happened.',
  settings: z.object({
    preset: z.enum(PRESETS).meta({ isArgument: true, description: `One of ${PRESETS.join(', ')}.` }),
  }),
  examples: ['latchkey clock next next-renewal', 'latchkey clock next access-token-expiry'],
  notes: '"latchkey clock" lists the instants. The exit code is 1 if the data contain no such instant ahead.',
  run: ({ preset }, context) => move({ preset }, context),
});

const clockMembership = controlCommand({
  name: 'membership',
  summary: 'Moves the clock forward to the end or the next renewal of one membership.',
  settings: z.object({
    membership: z.uuid('must be a UUID').meta({ isArgument: true, description: 'Id of the membership.' }),
    to: z
      .enum(['end', 'renewal'])
      .meta({ isArgument: true, description: 'end, or renewal: an hour before the paid time ends.' }),
  }),
  examples: ['latchkey clock membership 5eed0000-0000-4000-8000-0000000000a2 end'],
  notes: 'The exit code is 1 if the membership has no such instant ahead.',
  run: ({ membership, to }, context) => move({ membershipId: membership, to }, context),
});

/** Commands below `latchkey clock`. */
export const clockCommands = [clockAdvance, clockTo, clockNext, clockMembership];

async function move(target: object, { client, show }: ControlContext): Promise<void> {
  const moved = await client.post<ClockMove>('/clock', target, 'happened');
  show(moved, () => moveText(moved));
}

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

import * as z from 'zod';
import { ControlFailure } from '../../control/client/control-failure.js';
import { sandboxTool } from '../frame/sandbox-tool.js';

const getClock = sandboxTool({
  name: 'get_clock',
  title: 'Read the clock',
  description:
    'Returns the time of the service, and the presets: instants that the data offer, such as the next renewal.',
  effect: 'reads',
  input: z.object({}),
  output: z.looseObject({ serviceTime: z.string(), presets: z.array(z.looseObject({})) }),
  run: (_, sandbox) => sandbox.get('/clock'),
});

const moveClock = sandboxTool({
  name: 'move_clock',
  title: 'Move the clock',
  description:
    'Moves the clock of the service forward, by exactly one of duration, instant or preset. Everything that is due in between happens in order and is listed: expiries, renewals, events. The clock cannot move back: load_scenario or load_snapshot undoes it.',
  effect: 'changes',
  input: z.object({
    duration: z
      .string()
      .regex(/^[1-9]\d{0,8}[smhdw]$/, 'must be a whole number and a unit: 30s, 5m, 1h, 31d, 2w')
      .optional()
      .describe('A whole number and a unit: 30s, 5m, 1h, 31d, 2w.'),
    instant: z.iso.datetime({ offset: true }).optional().describe('A time ahead: 2027-01-31T12:00:00Z.'),
    preset: z.string().max(60).optional().describe('A preset that get_clock lists.'),
  }),
  output: z.looseObject({ serviceTime: z.string(), happened: z.array(z.looseObject({})) }),
  ifUnknown: 'Call get_clock for the presets.',
  run(target, sandbox) {
    const given = Object.entries(target).filter(([, value]) => value !== undefined);
    if (given.length !== 1) {
      throw new ControlFailure('invalid_input', 'Give exactly one of duration, instant and preset.');
    }
    return sandbox.post('/clock', Object.fromEntries(given));
  },
});

/** Tools of the clock. */
export const clockTools = [getClock, moveClock];

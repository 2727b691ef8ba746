import { createInterface } from 'node:readline';
import type { CommandDefinition } from '../command-line/command.js';
import { controlSettings } from '../control/client/control-settings.js';

const driverSettings = controlSettings.omit({ json: true });

/** `latchkey conformance driver`, which the fixtures of a sandbox name. */
export const sandboxDriverCommand: CommandDefinition<typeof driverSettings> = {
  name: 'driver',
  summary: 'Signs in, pays and moves the clock in a sandbox for the checks.',
  settings: driverSettings,
  examples: ['latchkey conformance driver --sandbox http://127.0.0.1:4400'],
  notes:
    'It reads lines of JSON with "action" and "input", and prints a line of JSON for each. It ends with its input.',
  async run({ sandbox, token }, { print }) {
    const { runDriverLine, sandboxDriver } = await import('@latchkey/conformance/provider');
    const driver = sandboxDriver({ sandbox, token });
    for await (const line of createInterface(process.stdin)) print(await runDriverLine(driver, line));
    return 0;
  },
};

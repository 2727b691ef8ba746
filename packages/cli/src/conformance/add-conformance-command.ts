import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { addCommand, type CommandContext, type CommandDefinition } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
import { controlSettings } from '../control/client/control-settings.js';
import { addCallerCommand } from './caller-command.js';
import { conformanceCommand } from './conformance-command.js';

/** `latchkey conformance fixtures` */
const sandboxFixturesCommand: CommandDefinition<typeof controlSettings> = {
  name: 'fixtures',
  summary: 'Creates the data of the checks in a fresh sandbox, and prints the fixtures.',
  settings: controlSettings,
  examples: ['latchkey conformance fixtures --sandbox http://127.0.0.1:4400 > fixtures.json'],
  notes:
    'The fixtures contain API keys of the sandbox. A sandbox has this data once: to repeat it, run "latchkey reset".',
  async run({ sandbox, token, json }, { print }) {
    const { sandboxFixtures } = await import('@latchkey/conformance/provider');
    const [node = 'node', program = 'latchkey'] = [process.execPath, process.argv[1]];
    const driver = [node, program, 'conformance', 'driver', '--sandbox', sandbox];
    try {
      print(JSON.stringify(await sandboxFixtures({ sandbox, token }, driver), null, json ? 0 : 2));
    } catch (error) {
      throw new CommandFailure(`The fixtures cannot be created: ${(error as Error).message}.`, {
        cause: error,
      });
    }
    return 0;
  },
};

const driverSettings = controlSettings.omit({ json: true });

/** `latchkey conformance driver`, which the fixtures of a sandbox name. */
const sandboxDriverCommand: CommandDefinition<typeof driverSettings> = {
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

/** Adds `latchkey conformance` and its commands. */
export function addConformanceCommand(program: Command, context: CommandContext): void {
  const conformance = addCommand(program, conformanceCommand, context);
  addCallerCommand(conformance, context);
  addCommand(conformance, sandboxFixturesCommand, context);
  addCommand(conformance, sandboxDriverCommand, context);
}

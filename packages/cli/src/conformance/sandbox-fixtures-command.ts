import type { CommandDefinition } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
import { controlSettings } from '../control/client/control-settings.js';

/** `latchkey conformance fixtures` */
export const sandboxFixturesCommand: CommandDefinition<typeof controlSettings> = {
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

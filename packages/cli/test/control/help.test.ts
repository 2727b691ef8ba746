import { describe, expect, it } from 'vitest';
import { flagsOf } from '../../src/command-line/flag.js';
import { CONTROL_COMMANDS } from '../../src/control/add-control-commands.js';
import { latchkey } from '../call.js';

const MAX_WIDTH = 96;
/** Nothing listens there. */
const ENV = {
  LATCHKEY_SANDBOX_URL: 'http://127.0.0.1:1',
  LATCHKEY_SANDBOX_TOKEN: 'a-token-of-no-sandbox-at-all',
};

const COMMANDS = CONTROL_COMMANDS.flatMap(({ command, commands }) => [
  ...('run' in command ? [{ words: [command.name], definition: command }] : []),
  ...commands.map((definition) => ({ words: [command.name, definition.name], definition })),
]);

describe.each(COMMANDS)('the help of $words', ({ words, definition }) => {
  it('lists arguments, flags and variables, within the line width', async () => {
    const { code, out } = await latchkey([...words, '--help']);
    expect(code).toBe(0);
    for (const { name, meta } of flagsOf(definition.settings)) {
      if (meta.isVariableOnly) expect(out).toContain(`\n  ${meta.variable} `);
      else expect(out).toMatch(new RegExp(`\\n {2}${meta.isArgument ? name.slice(1, -1) : name}\\b`));
    }
    const [help = ''] = out.split('\nExamples:');
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(MAX_WIDTH);
  });

  it.for(definition.examples.map((example) => [example] as const))(
    'has the example %s, which is accepted',
    async ([example]) => {
      const [name, ...args] = example.split(' ');
      expect(name).toBe('latchkey');
      const { code, out, err } = await latchkey(args, ENV);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(`Sandbox ${ENV.LATCHKEY_SANDBOX_URL}\n`);
    },
  );
});

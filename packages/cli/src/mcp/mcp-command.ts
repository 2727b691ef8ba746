import * as z from 'zod';
import type { CommandDefinition } from '../command-line/command.js';
import { isLoopbackHost, settingsRule, toggle } from '../command-line/values.js';
import { controlSettings } from '../control/control-client.js';

const { sandbox, token } = controlSettings.shape;

export const mcpSettings = z
  .object({
    sandbox,
    token,
    allowRemote: toggle({
      group: 'Sandbox',
      description: 'Allow a sandbox on another machine. Without it, only a loopback address is accepted.',
    }),
  })
  .check(
    settingsRule({
      reads: ['sandbox', 'allowRemote'],
      isMet: ({ sandbox: origin = '', allowRemote = false }) =>
        allowRemote || isLoopbackHost(new URL(origin).hostname),
      error:
        'The tools create, change and delete data, so they accept only a sandbox on this machine. Use a loopback address, or add --allow-remote.',
    }),
  );

export const mcpCommand: CommandDefinition<typeof mcpSettings> = {
  name: 'mcp',
  summary: 'Serves tools for coding assistants on a sandbox, as an MCP server on standard input and output.',
  settings: mcpSettings,
  examples: [
    'latchkey mcp',
    'latchkey mcp --sandbox http://127.0.0.1:4500',
    'latchkey mcp --sandbox https://sandbox.example --allow-remote',
  ],
  notes:
    'An assistant starts this command itself, from its settings for MCP servers. Standard output contains only the protocol. Before each call of a tool, the command checks that the address is a sandbox. It refuses every other service. The exit code is 0 when the assistant disconnects, 1 if the address is not a sandbox.',
  async run({ sandbox: origin, token: secret }, output) {
    const { serveMcp } = await import('./serve-mcp.js');
    return await serveMcp({ sandbox: origin, token: secret }, output);
  },
};

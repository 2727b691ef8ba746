import type { CallToolResult } from '@modelcontextprotocol/server';
import { CommandFailure } from '../../command-line/command-failure.js';
import { printable } from '../../command-line/printable.js';
import { ControlFailure } from '../../control/client/control-failure.js';
import { fitted } from './fitted.js';
import type { SandboxAccess } from './sandbox-access.js';
import type { SandboxTool } from './sandbox-tool.js';

/** Next steps by code of the failure. The messages of the other codes name theirs. */
const REMEDIES: Readonly<Record<string, string>> = {
  invalid_input: 'Correct the named fields and call the tool again.',
  conflict: 'Read the present state first, then decide.',
  internal_error: 'Call get_request or list_requests, and read the log of the sandbox.',
};

/** Runs a tool on a verified sandbox. A failure becomes a result that the assistant can read. */
export async function callTool(
  tool: SandboxTool,
  input: Record<string, unknown>,
  sandbox: SandboxAccess,
): Promise<CallToolResult> {
  try {
    // At each call: another program may have taken the address meanwhile.
    await sandbox.verify();
    const { result, note } = fitted((await tool.run(input, sandbox)) as Record<string, unknown>);
    const structuredContent = note === undefined ? result : { ...result, note };
    const text = tool.text?.(structuredContent) ?? JSON.stringify(structuredContent, undefined, 2);
    const isNoted = note !== undefined && tool.text !== undefined;
    return {
      content: [
        { type: 'text', text: printable(text) },
        ...(isNoted ? [{ type: 'text' as const, text: note }] : []),
      ],
      structuredContent,
    };
  } catch (error) {
    return failureOf(error, tool);
  }
}

function failureOf(error: unknown, { ifUnknown }: SandboxTool): CallToolResult {
  if (!(error instanceof ControlFailure || error instanceof CommandFailure)) throw error;
  const code = error instanceof ControlFailure ? error.code : 'failed';
  const remedy = code === 'not_found' ? ifUnknown : REMEDIES[code];
  const text = printable([error.message, remedy].filter((part) => part !== undefined).join(' '));
  return { isError: true, content: [{ type: 'text', text: fitted({ text }).result.text as string }] };
}

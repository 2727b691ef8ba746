import { once } from 'node:events';
import type { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { BIN } from '../running-latchkey.js';

/** Result of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** All texts of the result. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
  readonly data: any;
}

/** MCP client that talks to `latchkey mcp` in a separate process. */
export interface ScriptedClient {
  readonly client: Client;
  call(name: string, input?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Calls a tool, and throws if the result is an error. */
  data(name: string, input?: Record<string, unknown>): Promise<ToolAnswer['data']>;
  /** Standard error so far. */
  err(): string;
  close(): Promise<void>;
}

/** Starts `latchkey mcp` and connects to it over standard input and output. */
export async function startScriptedClient(
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<ScriptedClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...args],
    env,
    stderr: 'pipe',
  });
  let err = '';
  (transport.stderr as PassThrough).setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const client = new Client({ name: 'scripted-client', version: '1.0.0' });
  await client.connect(transport);
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<ToolAnswer> => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: input });
    const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
    return { isError: isError === true, text: texts.join('\n'), data: structuredContent };
  };
  return {
    client,
    call,
    err: () => err,
    async data(name, input) {
      const { isError, text, data } = await call(name, input);
      if (isError) throw new Error(`${name}: ${text}`);
      return data;
    },
    async close() {
      const closed = once(transport.stderr as PassThrough, 'close');
      await client.close();
      await closed;
    },
  };
}

import { type CreateSandboxOptions, createSandbox, type RunningSandbox } from '@latchkey/sandbox';
import { type CommandResult, latchkey } from '../call.js';

/** A sandbox with sample data, and the command line that calls it over HTTP. */
export interface ControlSandbox extends RunningSandbox {
  /** Variables with its address and token. */
  readonly env: Record<string, string>;
  /** Runs a command line in this process. */
  run(...args: string[]): Promise<CommandResult>;
  /** Runs a command line with --json, and parses what it prints. */
  json<Result = Record<string, unknown>>(...args: string[]): Promise<Result>;
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Starts a sandbox on a free port. */
export async function startControlSandbox(options: CreateSandboxOptions = {}): Promise<ControlSandbox> {
  const sandbox = await createSandbox({ logger: silent, ...options });
  const env = { LATCHKEY_SANDBOX_URL: sandbox.baseUrl, LATCHKEY_SANDBOX_TOKEN: sandbox.controlToken };
  return {
    ...sandbox,
    env,
    run: (...args) => latchkey(args, env),
    async json<Result>(...args: string[]) {
      const { code, out, err } = await latchkey([...args, '--json'], env);
      if (code !== 0) throw new Error(err);
      return JSON.parse(out) as Result;
    },
  };
}

import { spawn } from 'node:child_process';

const OUTPUT_MAX_CHARACTERS = 200_000;

/** Result of a command. */
export interface CommandResult {
  /** Exit code. A signal counts as 1. */
  readonly exitCode: number;
  /** Standard output followed by standard error. */
  readonly output: string;
}

/** Runs a command line in a shell. */
export function runCommand(
  command: string,
  { environment, timeoutMs = 600_000 }: { environment: Record<string, string>; timeoutMs?: number },
): Promise<CommandResult> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, {
      shell: true,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    const add = (chunk: Buffer) => {
      if (output.length < OUTPUT_MAX_CHARACTERS) output += chunk.toString('utf8');
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('error', (error) => resolve({ exitCode: 127, output: error.message }));
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Missing } from '../outcome/outcome-errors.js';
import type { Driver, DriverAction } from './driver.js';
import { driverAnswer } from './driver-answer.js';

/**
 * Driver that is a program. It is started once. It receives one JSON object per line on standard input,
 * `{"action": …, "input": …}`, and answers each with one line of JSON on standard output.
 *
 * @param command program and arguments, without a shell.
 */
export function commandDriver(command: readonly string[], actions: readonly DriverAction[]): Driver {
  const [program = '', ...parameters] = command;
  let running: RunningDriver | undefined;
  return {
    actions,
    async run(action, input) {
      // Runs that need no driver start none.
      running ??= start(program, parameters);
      return driverAnswer(action, parsedLine(await running.ask(JSON.stringify({ action, input }))));
    },
    async close() {
      running?.end();
    },
  };
}

interface RunningDriver {
  /** Sends a line and returns the next one. */
  ask(line: string): Promise<string>;
  end(): void;
}

function start(program: string, parameters: readonly string[]): RunningDriver {
  const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  let failure: Missing | undefined;
  const fail = (reason: string) => {
    failure ??= new Missing(`the driver ${program} ${reason}`);
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  createInterface(child.stdout).on('line', (line) => waiting.shift()?.resolve(line));
  child.on('error', (error) => fail(`cannot be started: ${error.message}`));
  child.on('exit', (code) => fail(`ended with code ${code}`));
  child.stdin.on('error', () => fail('reads no input'));
  return {
    async ask(line) {
      if (failure !== undefined) throw failure;
      return await new Promise<string>((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${line}\n`);
      });
    },
    end: () => void child.stdin.end(),
  };
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return { error: 'it printed a line that is not JSON' };
  }
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isError, jsonOf } from '@latchkey/contract/constants';
import * as z from 'zod';
import { Missing } from './answer.js';

/** Input of a driver, by action. */
export interface DriverInputs {
  /** Opens an authorization URL in a browser where the user with this email address is signed in, and decides. */
  readonly authorize: {
    readonly url: string;
    readonly email: string;
    readonly decision: 'approve' | 'decline';
  };
  /** Completes a hosted checkout, or has its payment declined. */
  readonly pay: { readonly checkoutUrl: string; readonly result: 'paid' | 'declined' };
  /** Moves the service's clock forward. */
  readonly advance: { readonly seconds: number };
  /** Creates an API key for the owner of `keys.full`. */
  readonly createKey: { readonly permissions: readonly string[] };
  readonly revokeKey: { readonly keyId: string };
  /** Registers an OAuth client. */
  readonly registerClient: {
    readonly type: 'public' | 'confidential';
    readonly scopes: readonly string[];
    readonly redirectUri: string;
  };
  /** Registers a webhook for `communities.main`. */
  readonly createWebhook: { readonly url: string };
  /** Saves a webhook again without a change. */
  readonly saveWebhook: { readonly webhookId: string };
  /** Follows an invite link with a messenger account, and asks to join. */
  readonly join: { readonly link: string; readonly messengerUserId: number };
  /** Buys a digital product for a user. */
  readonly buyProduct: { readonly email: string; readonly webhookUrl?: string };
  /** Reads the purchase reports of `communities.main`. */
  readonly salesReport: Readonly<Record<string, never>>;
}

const nothing = z.looseObject({}).transform((): Readonly<Record<string, never>> => ({}));

/** Schemas of the output, by action. Unknown fields are ignored. */
const ANSWERS = {
  /** URL of the redirect back to the client. */
  authorize: z.object({ location: z.url() }),
  pay: nothing,
  advance: nothing,
  createKey: z.object({ keyId: z.string().min(1), apiKey: z.string().min(1) }),
  revokeKey: nothing,
  registerClient: z.object({ clientId: z.string().min(1), clientSecret: z.string().optional() }),
  createWebhook: z.object({ webhookId: z.string().min(1), secret: z.string().min(1) }),
  saveWebhook: z.object({ secret: z.string().min(1) }),
  /** `admitted` is true if the account may enter the chat. */
  join: z.object({ admitted: z.boolean() }),
  buyProduct: nothing,
  /** Any text that contains the purchases' sources. */
  salesReport: z.object({ text: z.string() }),
} satisfies Record<keyof DriverInputs, z.ZodType>;

/** Output of a driver, by action. */
export type DriverAnswers = {
  readonly [Action in keyof typeof ANSWERS]: Readonly<z.output<(typeof ANSWERS)[Action]>>;
};

export type DriverAction = keyof DriverInputs;

export const DRIVER_ACTIONS = Object.keys(ANSWERS) as [DriverAction, ...DriverAction[]];

/** Does for the checks what the API doesn't offer: sign-in, payment, the clock, the developer area. */
export interface Driver {
  readonly actions: readonly DriverAction[];
  /** @throws Missing if the action fails. */
  run<Action extends DriverAction>(
    action: Action,
    input: DriverInputs[Action],
  ): Promise<DriverAnswers[Action]>;
  /** Releases processes and connections. */
  close(): Promise<void>;
}

const NOT_JSON = 'it printed a line that is not JSON';

/**
 * Creates a driver that runs a program. It's started once, receives one JSON object per line on standard input,
 * `{"action": …, "input": …}`, and responds to each with one line of JSON on standard output.
 *
 * @param command program and arguments, without a shell.
 */
export function commandDriver(command: readonly string[], actions: readonly DriverAction[]): Driver {
  const [program = '', ...parameters] = command;
  let running: ReturnType<typeof start> | undefined;
  return {
    actions,
    async run(action, input) {
      // Runs that don't need the driver don't start it.
      running ??= start(program, parameters);
      const answer = jsonOf(await running.ask(JSON.stringify({ action, input })));
      return driverAnswer(action, answer === undefined ? { error: NOT_JSON } : answer);
    },
    async close() {
      running?.end();
    },
  };
}

function start(program: string, parameters: readonly string[]) {
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
    async ask(line: string): Promise<string> {
      if (failure !== undefined) throw failure;
      return await new Promise<string>((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${line}\n`);
      });
    },
    end: () => void child.stdin.end(),
  };
}

/** How long a driver may take, in milliseconds. A person may have to sign in. */
const TIMEOUT_MS = 300_000;

/** Creates a driver for a web server. It receives `{"action": …, "input": …}` by POST and responds with JSON. */
export function urlDriver(url: string, actions: readonly DriverAction[]): Driver {
  return {
    actions,
    async run(action, input) {
      let answer: unknown;
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ action, input }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        answer = await response.json();
      } catch (error) {
        throw new Missing(`the driver at ${url} failed: ${isError(error) ? error.message : error}`);
      }
      return driverAnswer(action, answer);
    },
    async close() {},
  };
}

/** Validates a driver's response: the action's fields, or `error` with the reason. @throws Missing */
function driverAnswer<Action extends DriverAction>(action: Action, answer: unknown): DriverAnswers[Action] {
  const failure = z.object({ error: z.string() }).safeParse(answer);
  if (failure.success) throw new Missing(`the driver failed at ${action}: ${failure.data.error}`);
  const result = ANSWERS[action].safeParse(answer);
  // The action selected the schema. The table's type can't express that.
  if (result.success) return result.data as DriverAnswers[Action];
  throw new Missing(
    `the driver answered ${action} without ${result.error.issues[0]?.path.join('.') || 'an object'}`,
  );
}

const call = z.object({ action: z.enum(DRIVER_ACTIONS), input: z.looseObject({}) });

/** Handles one line of `commandDriver`'s protocol: returns the result of a driver, or its error. */
export async function runDriverLine(driver: Driver, line: string): Promise<string> {
  try {
    const { action, input } = call.parse(JSON.parse(line));
    // The caller is the program that started this one, with the same version of the inputs.
    return JSON.stringify(await driver.run(action, input as never));
  } catch (error) {
    return JSON.stringify({ error: isError(error) ? error.message : String(error) });
  }
}

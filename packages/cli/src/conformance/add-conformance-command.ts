import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Report } from '@latchkey/conformance';
import type { CallerProfile } from '@latchkey/conformance/caller';
import type { PaymentDriver } from '@latchkey/conformance/payments';
import { docsUrl } from '@latchkey/contract/constants';
import type { Command } from 'commander';
import {
  addCommand,
  type CommandContext,
  type CommandDefinition,
  type Output,
} from '../command-line/command.js';
import { CommandFailure, UsageError } from '../command-line/command-failure.js';
import { readJsonFile } from '../command-line/files.js';
import { controlSettings } from '../control/control-client.js';
import { stopSignal } from '../control/follow.js';
import { checkReportPaths, conformanceCommand, namesOf, writeReports } from './conformance-command.js';
import {
  type CallerSettings,
  callerSettings,
  type PaymentsSettings,
  paymentsSettings,
} from './conformance-settings.js';

const callerCommand: CommandDefinition<typeof callerSettings> = {
  name: 'caller',
  summary: 'Checks a client of the service, in any language, against the rules for callers.',
  settings: callerSettings,
  examples: [
    'latchkey conformance caller --profile caller.json --html report.html',
    'latchkey conformance caller --script all --listen 127.0.0.1:0 --run "npm run integration-test"',
    'latchkey conformance caller',
    'latchkey conformance caller --script list',
  ],
  notes: `It starts a service that answers by scripts and observes the client. With --profile, it drives your app. With --run, it runs a command under each script. Without both, you use the client by hand until Ctrl-C. A rule that was not exercised is "not observed". ${docsUrl('conformance-caller')} describes the profile. The exit code is 0 if no check failed, 1 if one did, 2 if nothing was observed or for an error in the command line.`,
  async run(settings, output) {
    if (settings.script.includes('list')) return await listScripts(output);
    checkReportPaths(settings);
    const report = await (settings.profile === undefined && settings.run === undefined
      ? observe(settings, output)
      : drive(settings, output));
    return await writeReports(report, settings, { print: output.print, asJson: reportJson });
  },
};

async function listScripts({ print }: Output): Promise<number> {
  const { PASSIVE_SCRIPT_NAMES, RUN_SCRIPT_NAMES } = await import('@latchkey/conformance/caller');
  for (const name of PASSIVE_SCRIPT_NAMES)
    print(RUN_SCRIPT_NAMES.includes(name) ? `${name} (also with --run)` : name);
  return 0;
}

async function drive(settings: CallerSettings, { warn }: Output): Promise<Report> {
  const { callerProfile, RUN_SCRIPT_NAMES, startScriptedService, testCaller } = await import(
    '@latchkey/conformance/caller'
  );
  const { run, script, listen, serviceNames } = settings;
  const content = settings.profile === undefined ? {} : readProfile(settings.profile);
  const parsed = callerProfile.safeParse(run === undefined ? content : withCommand(content, run));
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the file'}: ${message}`,
    );
    throw new UsageError(issues.map((issue) => `--profile: ${issue}`));
  }
  const profile: CallerProfile = parsed.data;
  checkNames(script, RUN_SCRIPT_NAMES);
  const names = { ...serviceNames, ...profile.serviceNames };
  const service = await startAt(listen, () => startScriptedService({ ...listen, names }));
  warn(`The scripted service listens at ${service.url}.`);
  try {
    const runScripts = script.includes('all') ? RUN_SCRIPT_NAMES : script;
    return await testCaller({ service, profile, runScripts, onStep: (text) => warn(`${text}.`) });
  } catch (error) {
    throw new CommandFailure((error as Error).message, { cause: error });
  } finally {
    await service.close();
  }
}

async function observe(
  { script, listen, serviceNames: names }: CallerSettings,
  output: Output,
): Promise<Report> {
  const { PASSIVE_SCRIPT_NAMES, startPassiveService } = await import('@latchkey/conformance/caller');
  checkNames(script, PASSIVE_SCRIPT_NAMES);
  const service = await startAt(listen, () => startPassiveService({ ...listen, names }));
  const [selected] = script.filter((name) => name !== 'all');
  if (selected !== undefined) service.select(selected);
  const signal = stopSignal();
  output.warn(`Configure your client with these values, and select scripts at ${service.controlUrl}.`);
  for (const [name, value] of Object.entries(service.environment)) {
    output.warn(`  ${name}=${value}`);
  }
  output.warn('Use the client, then press Ctrl-C for the report.');
  await new Promise<void>((stopped) => signal.addEventListener('abort', () => stopped(), { once: true }));
  await service.close();
  return service.report();
}

function checkNames(given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => name !== 'all' && !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(unknown.map((name) => `--script: there is no script "${name}". Use --script list.`));
  }
}

function readProfile(path: string): unknown {
  const read = readJsonFile(path);
  if (read.kind === 'json') return read.content;
  throw new UsageError([`--profile: ${path} cannot be read (${read.reason}).`]);
}

function withCommand(content: unknown, command: string): unknown {
  const profile = typeof content === 'object' && content !== null ? content : {};
  const actions = 'actions' in profile && typeof profile.actions === 'object' ? profile.actions : {};
  return { ...profile, actions: { ...actions, run: { command } } };
}

async function startAt<Service>(
  { host, port }: CallerSettings['listen'],
  start: () => Promise<Service>,
): Promise<Service> {
  try {
    return await start();
  } catch (error) {
    const { code = (error as Error).message } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`The service cannot listen at ${host}:${port} (${code}). Set --listen.`, {
      cause: error,
    });
  }
}

/** Returns the report as one line of JSON: each rule with its result, without the messages that prove it. */
function reportJson({ results, side, subject, startedAt, finishedAt }: Report): string {
  return JSON.stringify({
    ...{ side, subject },
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    results: results.map(({ id, outcome: { kind, ...details } }) => ({ id, outcome: kind, ...details })),
  });
}

const paymentsCommand: CommandDefinition<typeof paymentsSettings> = {
  name: 'payments',
  summary: 'Checks a payment provider, so that a server can charge by it.',
  settings: paymentsSettings,
  examples: [
    'latchkey conformance payments --driver ./my-driver.mjs',
    'latchkey conformance payments --driver ./my-driver.mjs --only refund,event.replayed',
    'latchkey conformance payments --list',
  ],
  notes:
    'The default export of the module is a driver, or a function that returns one: the provider, and who plays the buyer and the bank in its test mode. The README of @latchkey/conformance describes it. The exit code is 0 if no case failed, 1 if one did, 2 if none could run or for an error in the command line.',
  async run(settings, output) {
    const { selectPaymentCases, testPaymentProvider } = await import('@latchkey/conformance/payments');
    const only = namesOf(settings.only);
    const unknown = only.find((name) => selectPaymentCases([name]).length === 0);
    if (unknown !== undefined) throw new UsageError([`--only: no case has the id or area ${unknown}.`]);
    const { driver: module, list } = settings;
    if (list || module === undefined) {
      for (const { id, text } of selectPaymentCases(only)) output.print(`${id}  ${text}`);
      return 0;
    }
    checkReportPaths(settings);
    const driver = await openDriver(module);
    const report = await testPaymentProvider({ driver, only });
    return await writeReports(report, settings, { print: output.print, asJson: reportJson });
  },
};

/** Loads a driver from a file, or from a package in the working folder. @throws UsageError, CommandFailure */
async function openDriver(module: NonNullable<PaymentsSettings['driver']>): Promise<PaymentDriver> {
  let driver: unknown;
  try {
    const exported = (await import(/* @vite-ignore */ addressOf(module))) as { default?: unknown };
    driver = typeof exported.default === 'function' ? await exported.default() : exported.default;
  } catch (error) {
    throw new CommandFailure(`--driver: ${module} cannot be started: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (typeof driver === 'object' && driver !== null && 'provider' in driver) return driver as PaymentDriver;
  throw new UsageError([`--driver: the default export of ${module} is no driver and returns none.`]);
}

/** Returns the specifier with which `import` loads a file in the working folder, or a package installed there. */
function addressOf(module: string): string {
  if (/^[./]/.test(module) || existsSync(module)) return pathToFileURL(resolve(module)).href;
  try {
    return pathToFileURL(createRequire(resolve('driver.js')).resolve(module)).href;
  } catch {
    // A package that is installed with this command.
    return module;
  }
}

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

/** The fixtures of a sandbox contain this command. */
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

export function addConformanceCommand(program: Command, context: CommandContext): void {
  const conformance = addCommand(program, conformanceCommand, context);
  addCommand(conformance, callerCommand, context);
  addCommand(conformance, paymentsCommand, context);
  addCommand(conformance, sandboxFixturesCommand, context);
  addCommand(conformance, sandboxDriverCommand, context);
}

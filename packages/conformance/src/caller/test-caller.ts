import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { WEBHOOK_RESPONSE_TIMEOUT_SECONDS } from '@latchkey/contract/constants';
import type { Report } from '../report/report.js';
import { callerReport } from './checks/caller-report.js';
import { appOf } from './drive/action-request.js';
import { Driver, type Performers } from './drive/driver.js';
import { playSignIn } from './play/play-sign-in.js';
import { playWebhooks } from './play/play-webhooks.js';
import { type ActionName, API_KEY_ACTIONS, type CallerProfile } from './record/caller-profile.js';
import type { FailureReport, Recording } from './record/recording.js';
import type { ScriptedService } from './service/scripted-service.js';
import * as scripts from './service/scripts.js';

/** Labels of the runs in which the service fails once and the client must retry. */
const RETRIED = ['500 once', '503 once', 'misleading code 500'];

async function playApiKey(driver: Driver): Promise<void> {
  const quietMs = driver.profile.timing.quietSeconds * 1000;
  for (const action of API_KEY_ACTIONS) {
    if (!driver.has(action)) continue;
    const ordinary = await driver.act(action);
    // Without a success to compare with, no other run proves anything.
    if (ordinary?.outcome.kind !== 'success') continue;
    for (const create of scripts.API_KEY_SCRIPTS) {
      const script = create();
      const isRetried = RETRIED.includes(script.name);
      const isFinal = script.name.startsWith('status ') || script.name === 'misleading code 409';
      await driver.act(action, {
        script,
        ...(isRetried && { until: (roundTrips) => roundTrips.length !== 1 }),
        ...(isFinal && { quietMs }),
      });
    }
  }
  await playProvision(driver);
  for (const script of scripts.CHECKOUT_SCRIPTS) await driver.act('checkout', { script });
  for (const script of scripts.DROP_SCRIPTS) await driver.act('dropSignup', { script });
  await playInviteLink(driver);
}

async function playProvision(driver: Driver): Promise<void> {
  const parameters = driver.newParameters();
  await driver.act('provision', { parameters, label: 'first order' });
  await driver.act('storedMembership', { parameters, label: 'first order' });
  await driver.act('provision', { parameters, label: 'same order' });
  await driver.act('provision', { label: 'other order' });
}

async function playInviteLink(driver: Driver): Promise<void> {
  for (const script of scripts.INVITE_SCRIPTS) await driver.act('inviteLink', { script });
  const parameters = driver.newParameters();
  if ((await driver.act('inviteLink', { script: scripts.shortLinkScript, parameters })) === undefined) return;
  await pause(scripts.SHORT_LINK_MS * 1.2);
  await driver.act('inviteLink', { label: 'after expiry', parameters });
}

export const RUN_SCRIPT_NAMES: readonly string[] = scripts.API_KEY_SCRIPTS.map((create) => create().name);

async function playRun(driver: Driver, isSelected: (script: string) => boolean): Promise<void> {
  if (!driver.has('run')) return;
  const ordinary = await driver.act('run');
  if (ordinary?.outcome.kind !== 'success') return;
  for (const create of scripts.API_KEY_SCRIPTS) {
    const script = create();
    if (isSelected(script.name)) await driver.act('run', { script });
  }
}

/** Makes an action fail, and reads what the app reports about it. */
async function playFailureReport(driver: Driver): Promise<FailureReport | undefined> {
  const action = API_KEY_ACTIONS.find((name) => driver.has(name));
  if (action === undefined || !driver.has('failureReport')) return undefined;
  const run = await driver.act(action, { script: scripts.outageScript });
  if (run === undefined || run.roundTrips.length === 0) return undefined;
  const report = await driver.act('failureReport', { label: 'outage' });
  return report === undefined ? undefined : { run, text: report.outcome.text };
}

const POLL_MS = 100;

/** Starts the profile's app, waits until its URL responds, and returns the function that stops it. @throws Error */
async function startApp(profile: CallerProfile, environment: Record<string, string>) {
  if (profile.start === undefined) return undefined;
  const url = appOf(profile);
  let output = '';
  // A separate process group: the shell doesn't pass signals on.
  const child = spawn(profile.start, {
    shell: true,
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const keep = (chunk: Buffer) => (output = `${output}${chunk}`.slice(-4_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<void>((closed) => child.once('close', () => closed()));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(-child.pid, 'SIGTERM');
    }
    await ended;
  };
  const deadline = performance.now() + profile.timing.startWithinSeconds * 1000;
  while (performance.now() < deadline && child.exitCode === null) {
    const isUp = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(POLL_MS * 20) }).then(
      () => true,
      () => false,
    );
    if (isUp) return stop;
    await pause(POLL_MS);
  }
  const reason = child.exitCode === null ? `did not respond at ${url}` : `ended with ${child.exitCode}`;
  await stop();
  throw new Error(`start: the app ${reason}. Its output:\n${output}`);
}

/** Options of {@link testCaller}. */
export interface TestCallerOptions {
  readonly service: ScriptedService;
  readonly profile: CallerProfile;
  /** Functions that perform actions in place of the profile's requests and commands. */
  readonly performers?: Performers;
  /** Scripts that the action `run` runs with. @default all */
  readonly runScripts?: readonly string[];
  /** How long the receiver may take to respond, in seconds. @default 10, as the specification says */
  readonly deliverySeconds?: number;
  /** Receives a line about each step. */
  readonly onStep?: (text: string) => void;
}

/** Drives an app through all scripts, as its profile describes, and judges what it did. */
export async function testCaller(options: TestCallerOptions): Promise<Report> {
  const { service, profile, performers = {}, runScripts, onStep = () => {} } = options;
  const { deliverySeconds = WEBHOOK_RESPONSE_TIMEOUT_SECONDS } = options;
  const startedAt = Date.now();
  const stop = await startApp(profile, service.environment);
  try {
    const driver = new Driver({ service, profile, performers });
    onStep('Running the actions with an API key');
    await playApiKey(driver);
    if (driver.has('run')) onStep('Running the command');
    await playRun(driver, (script) => runScripts?.includes(script) ?? true);
    if (driver.has('signIn')) onStep('Signing in');
    await playSignIn(driver);
    if (profile.webhook !== undefined) onStep('Delivering webhooks');
    const webhooks = await playWebhooks(driver, deliverySeconds * 1000);
    if (driver.has('failureReport')) onStep('Reading the report about a failure');
    const failureReport = await playFailureReport(driver);
    return callerReport(recordingOf(driver, { webhooks, failureReport }), profile.name, startedAt);
  } finally {
    await stop?.();
  }
}

function recordingOf(
  { service, profile, performers, runs }: Driver,
  observed: Pick<Recording, 'webhooks' | 'failureReport'>,
): Recording {
  const actions = Object.keys({ ...profile.actions, ...performers }) as ActionName[];
  const provision = JSON.stringify(profile.actions.provision ?? {});
  return {
    ...{ serviceUrl: service.url, roundTrips: service.roundTrips },
    ...{ apiKey: service.apiKey, messengerField: service.messengerField },
    ...{ runs, actions, ...observed },
    retryWithinSeconds: profile.timing.retryWithinSeconds,
    developerActions: actions.filter((name) => profile.actions[name]?.audience === 'developers'),
    provisionPlaceholders: [...provision.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Driver } from '../drive/driver.js';
import type { ActionName } from '../profile/caller-profile.js';
import type { FailureReport } from '../record/recording.js';
import {
  API_KEY_SCRIPTS,
  CHECKOUT_SCRIPTS,
  DROP_SCRIPTS,
  INVITE_SCRIPTS,
  outageScript,
  SHORT_LINK_MS,
  shortLinkScript,
} from '../scripts/api-key-scripts.js';

/** Actions that call an endpoint with an API key. */
const API_KEY_ACTIONS = [
  'provision',
  'checkMessenger',
  'checkout',
  'inviteLink',
  'dropSignup',
] as const satisfies readonly ActionName[];

/** Labels of the runs in which the service fails once and the client must retry. */
const RETRIED = ['500 once', '503 once', 'misleading code 500'];

/** Runs every action with an API key under every script. */
export async function playApiKey(driver: Driver): Promise<void> {
  const quietMs = driver.profile.timing.quietSeconds * 1000;
  for (const action of API_KEY_ACTIONS) {
    if (!driver.has(action)) continue;
    const ordinary = await driver.act(action);
    // Without a success to compare with, no other run proves anything.
    if (ordinary?.outcome.kind !== 'success') continue;
    for (const create of API_KEY_SCRIPTS) {
      const script = create();
      const isRetried = RETRIED.includes(script.name);
      const isFinal = script.name.startsWith('status ') || script.name === 'misleading code 409';
      await driver.act(action, {
        script,
        ...(isRetried && { until: (exchanges) => exchanges.length !== 1 }),
        ...(isFinal && { quietMs }),
      });
    }
  }
  await playProvision(driver);
  for (const script of CHECKOUT_SCRIPTS) await driver.act('checkout', { script });
  for (const script of DROP_SCRIPTS) await driver.act('dropSignup', { script });
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
  for (const script of INVITE_SCRIPTS) await driver.act('inviteLink', { script });
  const parameters = driver.newParameters();
  if ((await driver.act('inviteLink', { script: shortLinkScript, parameters })) === undefined) return;
  await pause(SHORT_LINK_MS * 1.2);
  await driver.act('inviteLink', { label: 'after expiry', parameters });
}

/** Lets an action fail, and reads what the app reports about it. */
export async function playFailureReport(driver: Driver): Promise<FailureReport | undefined> {
  const action = API_KEY_ACTIONS.find((name) => driver.has(name));
  if (action === undefined || !driver.has('failureReport')) return undefined;
  const run = await driver.act(action, { script: outageScript });
  if (run === undefined || run.exchanges.length === 0) return undefined;
  const report = await driver.act('failureReport', { label: 'outage' });
  return report === undefined ? undefined : { run, text: report.outcome.text };
}

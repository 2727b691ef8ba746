import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FakeUser } from '../../scripted-service/world.js';
import type { Browser, Driver } from '../drive/driver.js';
import { isSignedIn } from '../record/recording.js';
import type { Script } from '../service/script.js';
import { membership, newVisitor, ODD_TOKENS, PLAIN_TOKENS } from '../service/scripted-service.js';
import * as scripts from '../service/scripts.js';

/** Label of the visit in which no origin may receive a code. Only a widget's callback asks for that. */
const ORIGIN_REFUSED = 'origin refused';

const SHORT_LIFETIME_SECONDS = 2;

/** Signs in with every script, and opens the pages for signed-in users. */
export async function playSignIn(driver: Driver): Promise<void> {
  if (!driver.has('signIn')) return;
  const browser = await visit(driver, 'ordinary');
  await driver.act('account', { browser });
  await driver.act('signOut', { browser });
  await driver.act('protectedPage', { browser, label: 'after sign-out' });
  if (!isSignedIn(driver, 'ordinary')) {
    await visit(driver, 'token 200', { script: scripts.tokenOkScript });
    return;
  }
  await visit(driver, 'unknown fields', { script: scripts.unknownFieldsScript() });
  for (const script of [...scripts.STATE_SCRIPTS, scripts.codeRejectedScript])
    await visit(driver, script.name, { script });
  await playForms(driver);
  await playIdentities(driver);
  await playResourceErrors(driver);
  await playRefresh(driver);
  await playUnpaid(driver);
}

async function visit(
  driver: Driver,
  label: string,
  options: { script?: Script; visitor?: FakeUser } = {},
): Promise<Browser> {
  const browser = await driver.signIn(label, options);
  const { script } = options;
  await driver.act('protectedPage', { browser, label, ...(script !== undefined && { script }) });
  return browser;
}

/** Values that the specification permits and that are easily forgotten. */
async function playForms(driver: Driver): Promise<void> {
  const { service } = driver;
  service.newToken = ODD_TOKENS;
  await visit(driver, 'odd tokens');
  service.newToken = PLAIN_TOKENS;
  service.allowOrigins(false);
  await visit(driver, ORIGIN_REFUSED);
  service.allowOrigins(true);
  await visit(driver, 'null email', { visitor: newVisitor({ email: null }) });
  const lifetime = membership({ validUntil: null });
  const { validUntil: _, ...endless } = lifetime;
  await visit(driver, 'validUntil null', { visitor: newVisitor({ memberships: [lifetime] }) });
  await visit(driver, 'validUntil absent', { visitor: newVisitor({ memberships: [endless] }) });
}

/** The same user with two addresses, and another user with the same address. */
async function playIdentities(driver: Driver): Promise<void> {
  if (!driver.has('account')) return;
  const [sub, email] = [randomUUID(), `shared-${randomUUID().slice(0, 8)}@example.com`];
  const visitors = {
    'first user': newVisitor({ sub, email }),
    'first user, new address': newVisitor({ sub, email: `new-${email}` }),
    'second user, same address': newVisitor({ email }),
  };
  for (const [label, visitor] of Object.entries(visitors)) {
    await driver.act('account', { browser: await driver.signIn(label, { visitor }), label });
  }
}

async function playResourceErrors(driver: Driver): Promise<void> {
  for (const script of [scripts.invalidTokenScript(), scripts.insufficientScopeScript]) {
    const browser = await driver.signIn(`before ${script.name}`);
    await driver.act('protectedPage', { browser, script });
  }
}

/** Access tokens expire while refresh tokens are accepted, rejected or can't be checked. */
async function playRefresh(driver: Driver): Promise<void> {
  const { service } = driver;
  const names = [
    'rotation',
    ...scripts.REFRESH_REJECTED_SCRIPTS.map(({ name }) => name),
    scripts.refreshDownScript.name,
  ];
  const hasRefresh = driver.has('refresh');
  if (!hasRefresh) service.accessTokenSeconds = SHORT_LIFETIME_SECONDS;
  const browsers: Browser[] = [];
  for (const name of names) browsers.push(await driver.signIn(`before ${name}`));
  const refresh = hasRefresh ? 'refresh' : 'protectedPage';
  const expire = async () => {
    if (!hasRefresh) await pause(SHORT_LIFETIME_SECONDS * 1000 + 50);
  };
  await expire();
  const [rotating, rejected, rejectedOtherwise, down] = browsers as [Browser, Browser, Browser, Browser];
  await driver.act(refresh, { browser: rotating, label: 'rotation' });
  for (const [index, browser] of [rejected, rejectedOtherwise].entries()) {
    const script = scripts.REFRESH_REJECTED_SCRIPTS[index];
    if (script === undefined) continue;
    await driver.act(refresh, { browser, script });
    await driver.act(refresh, { browser, script, label: `${script.name} again` });
  }
  await driver.act(refresh, { browser: down, script: scripts.refreshDownScript });
  await driver.waitFor(async () => {
    const run = await driver.act(refresh, { browser: down, label: 'after refresh down' });
    return run?.outcome.kind !== 'failure';
  });
  await expire();
  await driver.act(refresh, { browser: rotating, label: 'second rotation' });
  service.accessTokenSeconds = 3600;
}

/** A visitor without memberships returns from a checkout that wasn't paid. */
async function playUnpaid(driver: Driver): Promise<void> {
  if (!driver.has('checkout') || !driver.has('protectedPage')) return;
  const browser = await driver.signIn('unpaid', { visitor: newVisitor({ memberships: [] }) });
  const checkout = await driver.act('checkout', { browser, label: 'unpaid' });
  const sent = checkout?.roundTrips.find(({ request }) => request.endpoint === 'buyPlan')?.request.fields;
  const successUrl = typeof sent?.successUrl === 'string' ? sent.successUrl : undefined;
  if (successUrl === undefined || !URL.canParse(successUrl)) return;
  await driver.open(successUrl, browser);
  await driver.act('protectedPage', { browser, label: 'unpaid' });
}

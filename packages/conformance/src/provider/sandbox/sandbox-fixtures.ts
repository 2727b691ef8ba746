import { isError, OAUTH_SCOPES, PERMISSIONS } from '@latchkey/contract/constants';
import { Missing } from '../session/answer.js';
import { DRIVER_ACTIONS } from '../session/driver.js';
import type { FixturesInput } from '../session/fixtures.js';

export interface SandboxAccess {
  /** Origin of the sandbox, without a trailing slash. */
  readonly sandbox: string;
  readonly token: string;
}

/** How long a response may take, in milliseconds. Moving the clock by a month takes longest. */
const TIMEOUT_MS = 120_000;

/**
 * Calls the control API of a sandbox.
 *
 * @throws Missing if the sandbox doesn't respond, or responds with a failure.
 */
export async function control(
  { sandbox, token }: SandboxAccess,
  call: { readonly method?: 'POST' | 'PATCH' | 'DELETE'; readonly path: string; readonly body?: object },
): Promise<Record<string, unknown>> {
  const { method = 'GET', path, body } = call;
  const response = await fetch(`${sandbox}/sandbox/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  }).catch((error: unknown) => {
    throw new Missing(`no sandbox answers at ${sandbox}: ${isError(error) ? error.message : error}`);
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Missing(
      `the sandbox answered ${method} ${path} with ${response.status}: ${text.slice(0, 200)}`,
    );
  }
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

export async function create(access: SandboxAccess, kind: string, body: object) {
  return await control(access, { method: 'POST', path: `/data/${kind}`, body });
}

/** Ids of the records that the fixtures create in a sandbox. */
export const SANDBOX_IDS = {
  owner: 'c0f00000-0000-4000-8000-000000000001',
  ownerEmail: 'conformance-owner@example.com',
  outsider: 'c0f00000-0000-4000-8000-000000000002',
  outsiderEmail: 'conformance-outsider@example.com',
  member: 'c0f00000-0000-4000-8000-000000000003',
  memberEmail: 'conformance-member@example.com',
  newcomer: 'c0f00000-0000-4000-8000-000000000004',
  newcomerEmail: 'conformance-newcomer@example.com',
  main: 'c0f00000-0000-4000-8000-0000000000c1',
  noBot: 'c0f00000-0000-4000-8000-0000000000c2',
  second: 'c0f00000-0000-4000-8000-0000000000c3',
  foreign: 'c0f00000-0000-4000-8000-0000000000c4',
  plan: 'c0f00000-0000-4000-8000-0000000000d1',
  renewingPlan: 'c0f00000-0000-4000-8000-0000000000d2',
  noBotPlan: 'c0f00000-0000-4000-8000-0000000000d3',
  product: 'c0f00000-0000-4000-8000-0000000000b1',
} as const;

const REDIRECT_URI = 'https://conformance.example/callback';
const WIDGET_ORIGIN = 'https://conformance.example';
const MEMBER_ACCOUNT = 7_000_001;

/**
 * Creates the checks' data in a fresh Latchkey sandbox, and returns the fixtures.
 *
 * @param driverCommand a program that runs `sandboxDriver`, for a run in another process.
 * @throws Missing if the sandbox doesn't respond, or already has the data.
 */
export async function sandboxFixtures(
  access: SandboxAccess,
  driverCommand?: readonly string[],
): Promise<FixturesInput> {
  await createPeople(access);
  await createCommunities(access);
  await createSales(access);
  const ids = SANDBOX_IDS;
  return {
    keys: await createKeys(access),
    communities: {
      main: { id: ids.main, planId: ids.plan, renewingPlanId: ids.renewingPlan },
      noBot: { id: ids.noBot, planId: ids.noBotPlan },
      second: { id: ids.second },
      foreign: { id: ids.foreign },
    },
    app: { messengerUserId: MEMBER_ACCOUNT },
    clients: await createClients(access),
    users: { member: ids.memberEmail, seller: ids.ownerEmail, newcomer: ids.newcomerEmail },
    webhook: { port: 0 },
    ...(driverCommand !== undefined && {
      driver: { command: [...driverCommand], actions: [...DRIVER_ACTIONS] },
    }),
  };
}

async function createPeople(access: SandboxAccess): Promise<void> {
  const ids = SANDBOX_IDS;
  const people = [
    { id: ids.owner, email: ids.ownerEmail },
    { id: ids.outsider, email: ids.outsiderEmail },
    { id: ids.member, email: ids.memberEmail, messengerUserId: MEMBER_ACCOUNT },
    { id: ids.newcomer, email: ids.newcomerEmail },
  ];
  for (const body of people) await create(access, 'users', body);
  for (const id of [ids.owner, ids.outsider]) {
    await control(access, { method: 'PATCH', path: `/data/users/${id}`, body: { mayProvision: true } });
  }
}

async function createCommunities(access: SandboxAccess): Promise<void> {
  const { owner, outsider, main, noBot, second, foreign } = SANDBOX_IDS;
  for (const [id, ownerId] of [
    [main, owner],
    [noBot, owner],
    [second, owner],
    [foreign, outsider],
  ] as const) {
    await create(access, 'communities', { id, ownerId, name: 'Conformance' });
  }
  const bot = { messengerBot: 'conformance_bot' };
  await control(access, { method: 'PATCH', path: `/data/communities/${main}`, body: bot });
  const startsAt = new Date(Date.now() - 3_600_000).toISOString();
  const drop = { communityId: main, name: 'Conformance', slots: null, startsAt, endsAt: null };
  await create(access, 'drops', drop);
}

async function createSales(access: SandboxAccess): Promise<void> {
  const { owner, member, main, noBot, plan, renewingPlan, noBotPlan, product } = SANDBOX_IDS;
  const price = { name: 'Conformance', priceMinor: 900 };
  const plans = [
    { id: plan, communityId: main, periodDays: 365, renews: false },
    { id: renewingPlan, communityId: main, periodDays: 30, renews: true },
    { id: noBotPlan, communityId: noBot, periodDays: 365, renews: false },
  ];
  for (const terms of plans) await create(access, 'plans', { ...price, ...terms });
  const goods = { id: product, ownerId: owner, slug: 'conformance', type: 'ebook' };
  await create(access, 'products', { ...price, ...goods });
  await create(access, 'memberships', { userId: member, communityId: main });
}

async function createKeys(access: SandboxAccess) {
  const { owner, outsider } = SANDBOX_IDS;
  const keyOf = async (ownerId: string, permissions: readonly string[]) =>
    String((await create(access, 'keys', { ownerId, name: 'Conformance', permissions })).key);
  const without: Record<string, string> = {};
  for (const permission of PERMISSIONS) {
    without[permission] = await keyOf(
      owner,
      PERMISSIONS.filter((other) => other !== permission),
    );
  }
  return { full: await keyOf(owner, PERMISSIONS), without, outsider: await keyOf(outsider, PERMISSIONS) };
}

async function createClients(access: SandboxAccess) {
  const common = { ownerId: SANDBOX_IDS.owner, name: 'Conformance', scopes: [...OAUTH_SCOPES] };
  const settings = { ...common, redirectUris: [REDIRECT_URI], widgetOrigins: [WIDGET_ORIGIN] };
  const register = (body: object) => create(access, 'clients', body);
  const texts = { description: 'Checks of the API.', logoUrl: 'https://conformance.example/logo.png' };
  const open = await register({ ...settings, ...texts, type: 'public' });
  const confidential = await register({ ...settings, type: 'confidential' });
  const publicId = String(open.clientId);
  const confidentialId = String(confidential.clientId);
  return {
    public: { clientId: publicId, redirectUri: REDIRECT_URI },
    confidential: {
      clientId: confidentialId,
      clientSecret: String(confidential.clientSecret),
      redirectUri: REDIRECT_URI,
    },
    described: { clientId: publicId },
    plain: { clientId: confidentialId },
    widgetOrigin: WIDGET_ORIGIN,
  };
}

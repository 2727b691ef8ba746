import { networkFailureOf, OAUTH_SCOPES, PERMISSIONS } from '@latchkey/contract/constants';
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

/** Calls the control API of a sandbox. @throws Missing if it doesn't respond, or responds with a failure. */
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
    throw new Missing(`no sandbox answers at ${sandbox}: ${networkFailureOf(error).reason}`);
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
  await createRecords(access);
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

/** Creates the records that everything else belongs to, each after what it refers to. */
async function createRecords(access: SandboxAccess): Promise<void> {
  const ids = SANDBOX_IDS;
  const { owner, outsider, main } = ids;
  const name = 'Conformance';
  const goods = { name, priceMinor: 900 };
  const plan = { ...goods, communityId: main, periodDays: 365, renews: false };
  const startsAt = new Date(Date.now() - 3_600_000).toISOString();
  const records: readonly [kind: string, body: object][] = [
    ['users', { id: owner, email: ids.ownerEmail }],
    ['users', { id: outsider, email: ids.outsiderEmail }],
    ['users', { id: ids.member, email: ids.memberEmail, messengerUserId: MEMBER_ACCOUNT }],
    ['users', { id: ids.newcomer, email: ids.newcomerEmail }],
    ['communities', { id: main, ownerId: owner, name }],
    ['communities', { id: ids.noBot, ownerId: owner, name }],
    ['communities', { id: ids.second, ownerId: owner, name }],
    ['communities', { id: ids.foreign, ownerId: outsider, name }],
    ['drops', { communityId: main, name, slots: null, startsAt, endsAt: null }],
    ['plans', { ...plan, id: ids.plan }],
    ['plans', { ...plan, id: ids.renewingPlan, periodDays: 30, renews: true }],
    ['plans', { ...plan, id: ids.noBotPlan, communityId: ids.noBot }],
    ['products', { ...goods, id: ids.product, ownerId: owner, slug: 'conformance', type: 'ebook' }],
    ['memberships', { userId: ids.member, communityId: main }],
  ];
  for (const [kind, body] of records) await create(access, kind, body);
  const change = (path: string, body: object) => control(access, { method: 'PATCH', path, body });
  for (const id of [owner, outsider]) await change(`/data/users/${id}`, { mayProvision: true });
  await change(`/data/communities/${main}`, { messengerBot: 'conformance_bot' });
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
  const settings = {
    ...{ ownerId: SANDBOX_IDS.owner, name: 'Conformance', scopes: [...OAUTH_SCOPES] },
    ...{ redirectUris: [REDIRECT_URI], widgetOrigins: [WIDGET_ORIGIN] },
  };
  const texts = { description: 'Checks of the API.', logoUrl: 'https://conformance.example/logo.png' };
  const open = await create(access, 'clients', { ...settings, ...texts, type: 'public' });
  const secret = await create(access, 'clients', { ...settings, type: 'confidential' });
  const described = { clientId: String(open.clientId) };
  const plain = { clientId: String(secret.clientId) };
  return {
    public: { ...described, redirectUri: REDIRECT_URI },
    confidential: { ...plain, clientSecret: String(secret.clientSecret), redirectUri: REDIRECT_URI },
    described,
    plain,
    widgetOrigin: WIDGET_ORIGIN,
  };
}

import { Missing } from '../session/answer.js';
import {
  DRIVER_ACTIONS,
  type Driver,
  type DriverAction,
  type DriverAnswers,
  type DriverInputs,
} from '../session/driver.js';
import { control, create, SANDBOX_IDS, type SandboxAccess } from './sandbox-fixtures.js';

/** A visitor of the sandbox's pages: keeps cookies, submits forms, and stops at redirects to other origins. */
class PageVisitor {
  readonly #cookies = new Map<string, string>();
  /** Origin of the sandbox. Its forms only accept posts from this origin. */
  readonly #origin: string;
  /** Origin that the requests go to. It differs if a proxy is in front of the sandbox. */
  readonly #address: string;

  constructor(origin: string, address = origin) {
    this.#origin = origin;
    this.#address = address;
  }

  async signIn(email: string): Promise<void> {
    await this.post('/sandbox/sign-in', { email });
  }

  get(path: string): Promise<Response> {
    return this.#send(path, {});
  }

  post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** Returns the path of a redirect within the sandbox; `undefined` for another origin, or without a redirect. */
  pathOf(response: Response): string | undefined {
    const location = response.headers.get('location');
    if (location === null) return undefined;
    const url = new URL(location, this.#origin);
    return [this.#origin, this.#address].includes(url.origin) ? `${url.pathname}${url.search}` : undefined;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#address}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', origin: this.#origin, 'sec-fetch-site': 'same-origin', cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

function hiddenFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [input] of html.matchAll(/<input\b[^>]*>/g)) {
    if (!/\btype="hidden"/.test(input)) continue;
    fields[attribute(input, 'name')] = attribute(input, 'value');
  }
  return fields;
}

function attribute(tag: string, name: string): string {
  const [, value = ''] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? [];
  return value.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** `onWebhook` receives the id of each created webhook. */
type DriverAccess = SandboxAccess & { onWebhook(id: string): void };

type Actions = {
  readonly [Action in DriverAction]: (
    input: DriverInputs[Action],
    access: DriverAccess,
  ) => Promise<DriverAnswers[Action]>;
};

const ACTIONS: Actions = {
  authorize: authorizeAs,
  pay,
  async advance({ seconds }, access) {
    await control(access, { method: 'POST', path: '/clock', body: { duration: `${seconds}s` } });
    return {};
  },
  async createKey({ permissions }, access) {
    const body = { ownerId: SANDBOX_IDS.owner, name: 'Conformance', permissions };
    const { id, key } = await create(access, 'keys', body);
    return { keyId: String(id), apiKey: String(key) };
  },
  async revokeKey({ keyId }, access) {
    await control(access, { method: 'DELETE', path: `/data/keys/${encodeURIComponent(keyId)}` });
    return {};
  },
  async registerClient({ type, scopes, redirectUri }, access) {
    const settings = { type, scopes, redirectUris: [redirectUri], hostedCallback: false };
    const body = { ownerId: SANDBOX_IDS.owner, name: 'Conformance', ...settings };
    const { clientId, clientSecret } = await create(access, 'clients', body);
    return { clientId: String(clientId), ...(typeof clientSecret === 'string' && { clientSecret }) };
  },
  async createWebhook({ url }, access) {
    const body = { ownerId: SANDBOX_IDS.owner, communityId: SANDBOX_IDS.main, url };
    const { id, secret } = await create(access, 'webhooks', body);
    access.onWebhook(String(id));
    return { webhookId: String(id), secret: String(secret) };
  },
  async saveWebhook({ webhookId }, access) {
    const path = `/data/webhooks/${encodeURIComponent(webhookId)}`;
    const { secret } = await control(access, { method: 'PATCH', path });
    return { secret: String(secret) };
  },
  join,
  async buyProduct({ email, webhookUrl }, access) {
    const { owner, product } = SANDBOX_IDS;
    if (webhookUrl !== undefined) {
      const body = { ownerId: owner, productId: product, url: webhookUrl };
      access.onWebhook(String((await create(access, 'webhooks', body)).id));
    }
    const userId = await userIdOf(email, access);
    await control(access, { method: 'POST', path: '/purchases', body: { userId, productId: product } });
    return {};
  },
  async salesReport(_input, { sandbox }) {
    const visitor = new PageVisitor(sandbox);
    await visitor.signIn(SANDBOX_IDS.ownerEmail);
    const page = await visitor.get(`/seller/communities/${SANDBOX_IDS.main}/sales`);
    return { text: await page.text() };
  },
};

/** Returns the driver for a Latchkey sandbox. It uses the control API and the sandbox's own pages. */
export function sandboxDriver(access: SandboxAccess): Driver {
  const webhookIds: string[] = [];
  return {
    actions: DRIVER_ACTIONS,
    run: (action, input) => ACTIONS[action](input, { ...access, onWebhook: (id) => webhookIds.push(id) }),
    /** Deletes the run's webhooks: a sandbox only has room for ten. A sandbox that no longer responds has lost them. */
    async close() {
      for (const id of webhookIds.splice(0)) {
        const path = `/data/webhooks/${encodeURIComponent(id)}`;
        await control(access, { method: 'DELETE', path }).catch(() => undefined);
      }
    },
  };
}

async function authorizeAs(
  { url, email, decision }: DriverInputs['authorize'],
  access: SandboxAccess,
): Promise<DriverAnswers['authorize']> {
  await ensureUser(email, access);
  const visitor = new PageVisitor(access.sandbox, new URL(url).origin);
  await visitor.signIn(email);
  let response = await visitor.get(url.slice(new URL(url).origin.length));
  const consent = visitor.pathOf(response);
  if (consent?.startsWith('/oauth/consent')) {
    const fields = hiddenFields(await (await visitor.get(consent)).text());
    const chosen = decision === 'approve' ? 'allow' : 'decline';
    response = await visitor.post('/oauth/consent', { ...fields, decision: chosen });
  }
  const location = response.headers.get('location');
  if (location !== null) return { location: new URL(location, access.sandbox).href };
  throw new Missing(`authorize answered ${response.status} without a redirect`);
}

async function pay(
  { checkoutUrl, result }: DriverInputs['pay'],
  { sandbox }: SandboxAccess,
): Promise<DriverAnswers['pay']> {
  const visitor = new PageVisitor(sandbox);
  const path = new URL(checkoutUrl).pathname;
  const html = await (await visitor.get(path)).text();
  const isCard = path.startsWith('/checkout/card/');
  const [paid, declined] = isCard ? ['card-4242', 'card-9995'] : ['transfer-arrives', 'transfer-expires'];
  const method = result === 'paid' ? paid : declined;
  const response = await visitor.post(`${path}/pay`, { ...hiddenFields(html), method });
  const location = response.headers.get('location') ?? '';
  if (result === 'paid' && !location.endsWith('?paid')) {
    throw new Missing(`the checkout answered the payment with ${response.status} ${location}`);
  }
  return {};
}

async function join(
  { link, messengerUserId }: DriverInputs['join'],
  access: SandboxAccess,
): Promise<DriverAnswers['join']> {
  const visitor = new PageVisitor(access.sandbox);
  await visitor.post(new URL(link).pathname, { messengerUserId: String(messengerUserId) });
  const { communities } = (await control(access, { path: '/messenger' })) as {
    communities: { joinRequests: { messengerUserId: number; reason: string | null }[] }[];
  };
  const requests = communities.flatMap(({ joinRequests }) => joinRequests);
  const request = requests.find((made) => made.messengerUserId === messengerUserId);
  return { admitted: request !== undefined && request.reason === null };
}

async function ensureUser(email: string, access: SandboxAccess): Promise<void> {
  if ((await findUserId(email, access)) === undefined) await create(access, 'users', { email });
}

async function userIdOf(email: string, access: SandboxAccess): Promise<string> {
  // An address that nobody has proved isn't a user yet. The operator vouches for it here.
  await ensureUser(email, access);
  const id = await findUserId(email, access);
  if (id !== undefined) return id;
  throw new Missing(`the sandbox has no user ${email}`);
}

async function findUserId(email: string, access: SandboxAccess): Promise<string | undefined> {
  const path = `/data/users?text=${encodeURIComponent(email)}`;
  const { users } = (await control(access, { path })) as { users: { id: string; email: string }[] };
  return users.find((user) => user.email === email)?.id;
}

import { createHash, randomBytes } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { JOURNEY } from './levels.js';
import { expect, openPopup, pickUser, test, type World } from './world.js';

const victim = sandboxScenario.publicClient.clientId;
const attackerClient = `oac_${'e'.repeat(24)}`;

const codeVerifier = randomBytes(32).toString('base64url');
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');

/** Returns a state as the widget writes it, with additional fields of the attacker. */
function stateOf(fields: Record<string, string>): string {
  return Buffer.from(JSON.stringify({ n: 'attackers-nonce', ...fields })).toString('base64url');
}

function authorizeUrl(world: World, parameters: Record<string, string>): string {
  const url = new URL('/oauth/authorize', world.service.baseUrl);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: victim,
    redirect_uri: `${world.service.baseUrl}/widget/callback/${victim}`,
    scope: 'memberships.read',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...parameters,
  }).toString();
  return url.href;
}

/** The attacker's page: opens the service's sign-in in a popup on a click, and records every message. */
function attackersPage(url: string): string {
  return `<!doctype html><title>Free coffee</title><button id="go">Win free coffee</button><ol id="messages"></ol>
<script>
  addEventListener('message', (event) => {
    const item = document.createElement('li');
    item.textContent = JSON.stringify(event.data);
    messages.append(item);
  });
  go.onclick = () => { window.open(${JSON.stringify(url)}, 'popup', 'width=480,height=640'); };
</script>`;
}

/** The only message to a page with a rejected origin: the rejection, and the page's own state. */
const ORIGIN_REJECTION =
  /^\{"type":"latchkey:authorization-response","state":"[\w-]+","error":"origin_refused"\}$/;

/** Registers a client whose owner is the attacker, with the attacker's origin allowed. */
async function registerAttackersClient(world: World, origin: string): Promise<void> {
  const mallory = await world.service.operator.createUser({ email: 'mallory@example.com' });
  await world.service.operator.registerClient({
    clientId: attackerClient,
    type: 'public',
    name: 'Free coffee',
    scopes: ['memberships.read'],
    redirectUris: [],
    widgetOrigins: [origin],
    ownerId: mallory.id,
    hostedCallback: true,
  });
}

test('a state that names another client, whose owner is the attacker, gets no code', {
  tag: JOURNEY,
}, async ({ page, world }) => {
  const named = {
    c: attackerClient,
    client: attackerClient,
    clientId: attackerClient,
    client_id: attackerClient,
  };
  const site = await world.site((origin) =>
    attackersPage(authorizeUrl(world, { state: stateOf({ o: origin, ...named }) })),
  );
  await registerAttackersClient(world, site.origin);
  const asked: string[] = [];
  page.context().on('request', (request) => {
    if (request.url().includes('/oauth/client/')) asked.push(request.url());
  });
  await page.goto(site.url);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button').click();
  const popup = await opened;

  // The service refuses before it asks who the visitor is.
  await expect(popup.getByRole('main')).toContainText(site.origin);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain(`/oauth/client/${victim}`);
  await expect(page.locator('#messages li')).toHaveText([ORIGIN_REJECTION]);
});

test("the attacker's client can neither use nor register the victim's callback", async ({ page, world }) => {
  await registerAttackersClient(world, 'http://localhost:9');
  const asAttacker = await page.request.get(
    authorizeUrl(world, {
      client_id: attackerClient,
      redirect_uri: `${world.service.baseUrl}/widget/callback/${victim}`,
    }),
    { maxRedirects: 0 },
  );
  expect(asAttacker.status()).toBe(400);
  expect(await asAttacker.json()).toMatchObject({ error: 'invalid_request' });

  const mallory = await world.service.operator.createUser({ email: 'mallory2@example.com' });
  await expect(
    world.service.operator.registerClient({
      type: 'public',
      name: 'Free coffee',
      scopes: ['memberships.read'],
      redirectUris: [`${world.service.baseUrl}/widget/callback/${victim}`],
      widgetOrigins: [],
      ownerId: mallory.id,
    }),
  ).rejects.toThrow(/callback/i);
});

test('a foreign redirect URI is rejected without a redirect', async ({ page, world }) => {
  for (const redirectUri of [
    'https://evil.example/',
    `${world.service.baseUrl}/widget/callback/${victim}/`,
    `${world.service.baseUrl}/widget/callback/${victim}?next=https://evil.example`,
  ]) {
    const answer = await page.request.get(authorizeUrl(world, { redirect_uri: redirectUri }), {
      maxRedirects: 0,
    });
    expect(answer.status()).toBe(400);
    expect(answer.headers().location).toBeUndefined();
  }
});

test('a replayed code and a wrong verifier get no token, and the replay revokes the first pair', {
  tag: JOURNEY,
}, async ({ page, world }) => {
  const bodies: string[] = [];
  page.context().on('request', (request) => {
    if (new URL(request.url()).pathname === '/oauth/token') bodies.push(request.postData() ?? '');
  });
  await page.goto(world.scriptTagShop.url);
  const popup = await openPopup(page);
  const closed = popup.waitForEvent('close');
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
  expect(bodies).toHaveLength(1);

  const replay = new URLSearchParams(bodies[0]);
  const wrongVerifier = new URLSearchParams(bodies[0]);
  wrongVerifier.set('code_verifier', codeVerifier);
  for (const form of [replay, wrongVerifier]) {
    const answer = await page.request.post(`${world.service.baseUrl}/oauth/token`, {
      form: Object.fromEntries(form),
    });
    expect(answer.status()).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
  }
});

test('the service rejects a form post from another site', async ({ page, world }) => {
  const site = await world.site(
    () =>
      `<!doctype html><form method="post" action="${world.service.baseUrl}/sandbox/sign-in"><input name="email" value="ben@example.com"><input name="continue" value="/account"><button>Win</button></form>`,
  );
  await page.goto(site.url);
  await page.getByRole('button').click();
  await page.waitForURL(`${world.service.baseUrl}/**`);
  await page.goto(`${world.service.baseUrl}/account`);
  await expect(page).toHaveURL(/\/sign-in/);
});

test('a foreign page cannot sign a visitor of the shop in as another user', async ({ page, world }) => {
  const shop = world.backendShop.url;
  const site = await world.site(
    () =>
      `<!doctype html><form method="post" enctype="text/plain" action="${shop}/auth/exchange"><input name='{"code":"x","codeVerifier":"${codeVerifier}","redirectUri":"' value='"}'><button>Win</button></form>`,
  );
  await page.goto(site.url);
  const answered = page.waitForResponse(`${shop}/auth/exchange`);
  await page.getByRole('button').click();
  expect([400, 403, 415]).toContain((await answered).status());
  expect(await (await page.request.get(`${shop}/auth/session`)).json()).toMatchObject({ signedIn: false });
});

test('the sign-in pages cannot be framed', async ({ page, world }) => {
  for (const path of ['/sign-in', `/widget/callback/${victim}`]) {
    const answer = await page.request.get(`${world.service.baseUrl}${path}`);
    expect(answer.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  }
});

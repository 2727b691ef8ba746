import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { errorsOn, fillIn, hiddenFields } from './area-forms.js';
import { allow, publicRequest, signedIn } from './authorization-flow.js';
import { type Browser, type FormFields, locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { hmacOf, idsOf, type Received } from './webhook-receiver.js';
import { it } from './webhook-world.js';

const { community, products } = sandboxScenario;
const LIST = '/developer/webhooks';
const NEW = { path: '/developer/webhooks/new', action: LIST };
const CLUB = { subject: `community:${community.id}` };

async function pageOf(browser: Browser, path: string) {
  return parsePage(await (await browser.get(path)).text());
}

/** Creates a webhook and returns its page's address and its secret. */
async function create(browser: Browser, typed: FormFields): Promise<{ path: string; secret: string }> {
  const response = await fillIn(browser, NEW, typed);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const $ = parsePage(await response.text());
  const path = $('a:contains("Continue to the")').attr('href') ?? '';
  return { path, secret: textOf($, '.copy-secret .copy-value') };
}

/** Saves a webhook again and returns the secret that is shown. */
async function save(browser: Browser, path: string, typed: FormFields): Promise<string> {
  const response = await fillIn(browser, { path: `${path}/edit`, action: path }, typed);
  expect(response.status).toBe(200);
  return textOf(parsePage(await response.text()), '.copy-secret .copy-value');
}

describe('creation of a webhook', () => {
  it('shows its secret, shows it again when it is saved again, and nowhere else', {
    tags: ['webhook.secret-shown', 'webhook.secret-format'],
  }, async ({ world: { service, receiver } }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const { path, secret } = await create(dana, { ...CLUB, url: receiver.url });
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    for (const later of [LIST, path, `${path}/edit`]) {
      expect(await (await dana.get(later)).text()).not.toContain(secret);
    }
    expect(await save(dana, path, { url: receiver.url })).toBe(secret);
    expect(service.log.join()).not.toContain(secret);
  });

  it('offers the communities and products that the user owns, and accepts no others', {
    tags: ['webhook.registered-by-owner'],
  }, async ({ world: { service, receiver } }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const $ = await pageOf(dana, NEW.path);
    const offered = $('#subject option')
      .toArray()
      .map((option) => $(option).attr('value'));
    expect(offered).toContain(CLUB.subject);
    expect(offered).toContain(`product:${products.brewGuide.id}`);

    const ben = await signedIn(service, 'ben@example.com');
    expect(textOf(await pageOf(ben, NEW.path), 'main')).toContain('belongs to a community or a product');
    const { account = '' } = await hiddenFields(ben, '/developer/api-keys/new', '/developer/api-keys');
    for (const subject of [CLUB.subject, `product:${products.brewGuide.id}`, 'community:x', 'x', '']) {
      const refused = await ben.post(LIST, { account, subject, url: receiver.url });
      expect(refused.status).toBe(400);
    }
    expect(textOf(await pageOf(ben, LIST), 'main')).toContain('You have no webhooks.');
  });

  it('shows the error of an invalid endpoint next to it and keeps the typed text', async ({
    world: { service },
  }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const url = 'ftp://shop.example/"hooks"';
    const response = await fillIn(dana, NEW, { subject: `product:${products.brewGuide.id}`, url });
    expect(response.status).toBe(400);
    const $ = parsePage(await response.text());
    expect(textOf($, '#url-errors')).toContain('https://');
    expect($('#url').attr('value')).toBe(url);
    expect($('option[selected]').attr('value')).toBe(`product:${products.brewGuide.id}`);
  });

  it('happens once per form and is limited to ten per target', async ({ world: { service, receiver } }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const fields = { ...(await hiddenFields(dana, NEW.path, LIST)), ...CLUB, url: receiver.url };
    for (const status of [200, 303]) expect((await dana.post(LIST, fields)).status).toBe(status);
    expect((await pageOf(dana, LIST))('#webhooks tbody tr')).toHaveLength(1);
    for (let n = 2; n <= 10; n += 1) await create(dana, { ...CLUB, url: `${receiver.url}/${n}` });
    const full = await fillIn(dana, NEW, { ...CLUB, url: receiver.url });
    expect((await errorsOn(full)).subject).toContain('already has 10 webhooks');
  });
});

describe('webhook', () => {
  it('gets a new secret when the box is ticked, once per form', async ({ world: { service, receiver } }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const { path, secret } = await create(dana, { ...CLUB, url: receiver.url });
    const form = await hiddenFields(dana, `${path}/edit`, path);
    const rotated = await save(dana, path, { ...form, url: receiver.url, rotateSecret: 'on' });
    expect(rotated).toMatch(/^[0-9a-f]{64}$/);
    expect(rotated).not.toBe(secret);
    expect(await save(dana, path, { ...form, url: receiver.url, rotateSecret: 'on' })).toBe(rotated);
  });

  it('shows that it fails, and since when', async ({ world }) => {
    const { service, receiver } = world;
    const dana = await signedIn(service, 'dana@example.com');
    const { path } = await create(dana, { ...CLUB, url: receiver.url });
    expect((await pageOf(dana, path))('.warning')).toHaveLength(0);
    receiver.answer((response) => response.writeHead(500).end());
    await world.emit();
    await world.deliver();
    const $ = await pageOf(dana, path);
    expect(textOf($, '.warning')).toContain('Every attempt has failed since 12 Jun 2026, 14:05 UTC');
    expect(textOf($, '#deliveries')).toContain('500');
    expect(textOf(await pageOf(dana, LIST), '#webhooks tbody tr')).toContain('Failing');
    expect(textOf(await pageOf(dana, '/developer'), '.warning')).toContain('One of your webhooks is failing');
  });

  it('can be disabled and enabled, and receives nothing in between', async ({ world }) => {
    const { service, receiver } = world;
    const dana = await signedIn(service, 'dana@example.com');
    const { path } = await create(dana, { ...CLUB, url: receiver.url });
    const off = await fillIn(dana, { path, action: `${path}/switch-off` }, {});
    expect(textOf(await pageOf(dana, locationOf(off)), '[role="status"]')).toContain('disabled');
    await world.emit();
    await world.deliver();
    expect(receiver.received).toHaveLength(0);
    const on = await fillIn(dana, { path, action: `${path}/resume` }, {});
    expect(textOf(await pageOf(dana, locationOf(on)), '[role="status"]')).toContain('Webhook enabled');
    await world.emit();
    await world.deliver();
    expect(receiver.received.length).toBeGreaterThan(0);
  });

  it('is deleted after a confirmation', async ({ world: { service, receiver } }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const { path } = await create(dana, { ...CLUB, url: receiver.url });
    expect(textOf(await pageOf(dana, `${path}/delete`), 'main')).toContain(receiver.url);
    const deleted = await fillIn(dana, { path: `${path}/delete` }, {});
    expect(locationOf(deleted)).toBe(`${LIST}?done=deleted`);
    expect((await dana.get(path)).status).toBe(404);
  });
});

describe('secret of a webhook', () => {
  it('is revealed in the response to a form only, which is not cached, and is not logged', async ({
    world: { service, receiver },
  }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const { path, secret } = await create(dana, { ...CLUB, url: receiver.url });
    const form = await hiddenFields(dana, path, `${path}/switch-off`);
    const shown = await dana.post(`${path}/secret`, form);
    expect(shown.status).toBe(200);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(textOf(parsePage(await shown.text()), '.copy-secret .copy-value')).toBe(secret);
    for (const later of [LIST, path, '/developer']) {
      expect(await (await dana.get(later)).text()).not.toContain(secret);
    }
    expect(service.log.join()).not.toContain(secret);
  });

  it('is not shown again when its address is opened', async ({ world: { service, receiver } }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const { path } = await create(dana, { ...CLUB, url: receiver.url });
    const opened = await dana.get(`${path}/secret`);
    expect(opened.status).toBe(303);
    expect(locationOf(opened)).toBe(path);
  });

  it('is not revealed to a form of another site', async ({ world: { service, receiver } }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const { path, secret } = await create(dana, { ...CLUB, url: receiver.url });
    const form = await hiddenFields(dana, path, `${path}/switch-off`);
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const response = await dana.post(`${path}/secret`, form, foreign);
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain(secret);
  });
});

describe('list of webhooks', () => {
  it('shows the source, the last delivery, the failures and the status of each', async ({ world }) => {
    const { service, receiver } = world;
    const dana = await signedIn(service, 'dana@example.com');
    await create(dana, { ...CLUB, url: receiver.url });
    expect(textOf(await pageOf(dana, LIST), '#webhooks tbody tr')).toContain('None yet');
    await world.emit();
    await world.deliver();
    const row = textOf(await pageOf(dana, LIST), '#webhooks tbody tr');
    for (const text of [
      community.name,
      receiver.url,
      '12 Jun 2026, 14:05 UTC',
      'membership.created: 204',
      'Active',
    ])
      expect(row).toContain(text);
  });
});

describe('start page of the developer area', () => {
  it('shows the next step until all are done', async ({ world }) => {
    const { service, receiver } = world;
    const dana = await signedIn(service, 'dana@example.com');
    const next = async () =>
      textOf(await pageOf(dana, '/developer'), '#quick-start [aria-current="step"] .button');
    expect(await next()).toBe('Open code');
    await allow(await signedIn(service), publicRequest(service));
    expect(await next()).toBe('Create webhook');
    await create(dana, { ...CLUB, url: receiver.url });
    expect(await next()).toBe('View webhooks');
    await world.emit();
    await world.deliver();
    expect((await pageOf(dana, '/developer'))('#quick-start')).toHaveLength(0);
  });

  it('lists recent failures, with links, and the ids of communities to copy', async ({ world }) => {
    const { service, receiver } = world;
    const dana = await signedIn(service, 'dana@example.com');
    await create(dana, { ...CLUB, url: receiver.url });
    expect(textOf(await pageOf(dana, '/developer'), '#failures')).toContain('was delivered or is on its way');
    receiver.answer((response) => response.writeHead(503).end());
    await world.emit();
    await world.deliver();
    const $ = await pageOf(dana, '/developer');
    const row = $('#failures tbody tr');
    expect(row.text()).toContain('503');
    expect(row.text()).toContain('Retrying');
    const delivery = row.find('a').first().attr('href') ?? '';
    expect(textOf(await pageOf(dana, delivery), '#attempts')).toContain('only 2xx counts as received');
    expect(textOf($, '#api-details thead')).toContain('Community ID');
    expect(textOf($, '#api-details tbody .copy-value')).toBe(community.id);
  });
});

describe('delivery', () => {
  it('shows the request with its signature, and the response as text, whatever the endpoint sends', async ({
    world,
  }) => {
    const { service, receiver } = world;
    const dana = await signedIn(service, 'dana@example.com');
    const { path, secret } = await create(dana, { ...CLUB, url: receiver.url });
    const markup = '<script>alert(1)</script><img src=x>';
    receiver.answer((response) => response.writeHead(500, { 'X-Html': markup }).end(markup));
    await world.emit();
    await world.deliver();
    const delivery = (await pageOf(dana, path))('a[href*="/deliveries/"]').attr('href') ?? '';
    const html = await (await dana.get(delivery)).text();
    expect(html).not.toContain(markup);
    expect(html).not.toContain(secret);
    const $ = parsePage(html);
    expect($('[role=group][aria-label="Response body"] code').text()).toBe(markup);
    expect($('[role=group][aria-label="Response headers"] code').text()).toContain(`x-html: ${markup}`);
    const [request] = receiver.received as [Received];
    const signature = hmacOf(request, secret);
    expect($('[role=group][aria-label="Request headers"] code').text()).toContain(
      `X-Svc-Signature: ${signature}`,
    );
    expect(textOf($, '#delivery')).toContain(signature);
    const curl = $('[role=group][aria-label="curl command"] code').text();
    expect(curl).toContain(`--data-raw '${request.body.toString()}'`);
    expect(curl).toContain(signature);
  });

  it('shows its body, its attempts and the responses, and is resent as the same event', async ({ world }) => {
    const { service, receiver } = world;
    const dana = await signedIn(service, 'dana@example.com');
    const { path } = await create(dana, { ...CLUB, url: receiver.url });
    await world.emit();
    await world.deliver();
    const delivery = (await pageOf(dana, path))('a[href*="/deliveries/"]').attr('href') ?? '';
    const $ = await pageOf(dana, delivery);
    const [request] = receiver.received as [Received];
    const body = $('[role=group][aria-label="Body"] code').text();
    expect(body).toContain('\n  "type": "membership.created"');
    expect(JSON.stringify(JSON.parse(body))).toBe(request.body.toString());
    expect(textOf($, '#attempts summary')).toContain('204');
    expect(textOf($, '[role=group][aria-label="Response headers"]')).toContain('HTTP/1.1 204 No Content');

    const again = await fillIn(dana, { path: delivery, action: `${delivery}/redeliver` }, {});
    expect(textOf(await pageOf(dana, locationOf(again)), '[role="status"]')).toContain('Delivery scheduled');
    await world.deliver();
    const [first, second] = idsOf(receiver);
    expect(receiver.received).toHaveLength(2);
    expect(second).toBe(first);
    expect((await pageOf(dana, delivery))('#attempts summary')).toHaveLength(2);
  });

  it('cannot be resent while its webhook is disabled, and the page says so', async ({ world }) => {
    const { service, receiver } = world;
    const dana = await signedIn(service, 'dana@example.com');
    const { path } = await create(dana, { ...CLUB, url: receiver.url });
    await world.emit();
    await world.deliver();
    const delivery = (await pageOf(dana, path))('a[href*="/deliveries/"]').attr('href') ?? '';
    await fillIn(dana, { path, action: `${path}/switch-off` }, {});
    const held = await fillIn(dana, { path: delivery, action: `${delivery}/redeliver` }, {});
    expect(textOf(await pageOf(dana, locationOf(held)), '[role="status"]')).toContain('not active');
  });
});

describe('webhook of another owner', () => {
  it('is not found, nor are its deliveries', async ({ world }) => {
    const { service, receiver } = world;
    const dana = await signedIn(service, 'dana@example.com');
    const { path } = await create(dana, { ...CLUB, url: receiver.url });
    await world.emit();
    await world.deliver();
    const delivery = (await pageOf(dana, path))('a[href*="/deliveries/"]').attr('href') ?? '';
    const ben = await signedIn(service, 'ben@example.com');
    const { account = '' } = await hiddenFields(ben, '/developer/api-keys/new', '/developer/api-keys');
    for (const address of [
      path,
      `${path}/edit`,
      `${path}/secret`,
      `${path}/delete`,
      delivery,
      `${LIST}/x`,
      `${LIST}/deliveries/x`,
    ]) {
      expect((await ben.get(address)).status).toBe(404);
    }
    const form = { account, url: 'https://ben.example/hooks' };
    for (const suffix of ['', '/secret', '/switch-off', '/resume', '/delete']) {
      expect((await ben.post(`${path}${suffix}`, form)).status).toBe(404);
    }
    expect((await ben.post(`${delivery}/redeliver`, form)).status).toBe(404);
    expect(textOf(await pageOf(dana, path), '.facts')).toContain(receiver.url);
    expect(textOf(await pageOf(ben, LIST), 'main')).toContain('You have no webhooks.');
  });
});

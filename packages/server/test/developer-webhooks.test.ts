import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { errorsOn, fillIn, hiddenFields } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import { type Browser, type FormFields, locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { idsOf } from './webhook-receiver.js';
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
  return { path, secret: $('#secret').attr('value') ?? '' };
}

/** Saves a webhook again and returns the secret that is shown. */
async function save(browser: Browser, path: string, typed: FormFields): Promise<string> {
  const response = await fillIn(browser, { path: `${path}/edit`, action: path }, typed);
  expect(response.status).toBe(200);
  return parsePage(await response.text())('#secret').attr('value') ?? '';
}

describe('creation of a webhook', () => {
  it('shows its secret, shows it again when it is saved again, and nowhere else [webhook.secret-shown] [webhook.secret-format]', async ({
    world: { service, receiver },
  }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const { path, secret } = await create(dana, { ...CLUB, url: receiver.url });
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    for (const later of [LIST, path, `${path}/edit`]) {
      expect(await (await dana.get(later)).text()).not.toContain(secret);
    }
    expect(await save(dana, path, { url: receiver.url })).toBe(secret);
    expect(service.log.join()).not.toContain(secret);
  });

  it('offers the communities and products that the user owns, and accepts no others [webhook.registered-by-owner]', async ({
    world: { service, receiver },
  }) => {
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
    const answers = await Promise.all([dana.post(LIST, fields), dana.post(LIST, fields)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 303]);
    expect((await pageOf(dana, LIST))('.row')).toHaveLength(1);
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
    expect(textOf($, '.warning')).toContain('Every attempt has failed since 12 June 2026, 14:05 UTC');
    expect(textOf($, 'section[aria-labelledby="deliveries"]')).toContain('500');
    expect(textOf(await pageOf(dana, LIST), '.row')).toContain('Failing');
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

describe('delivery', () => {
  it('shows its body, its attempts and the responses, and is resent as the same event', async ({ world }) => {
    const { service, receiver } = world;
    const dana = await signedIn(service, 'dana@example.com');
    const { path } = await create(dana, { ...CLUB, url: receiver.url });
    await world.emit();
    await world.deliver();
    const delivery = (await pageOf(dana, path))('a[href*="/deliveries/"]').attr('href') ?? '';
    const $ = await pageOf(dana, delivery);
    expect($('.snippet code').text()).toBe(receiver.received[0]?.body.toString());
    expect(textOf($, 'section[aria-labelledby="attempts"] .row')).toContain('204');

    const again = await fillIn(dana, { path: delivery, action: `${delivery}/redeliver` }, {});
    expect(textOf(await pageOf(dana, locationOf(again)), '[role="status"]')).toContain('Delivery scheduled');
    await world.deliver();
    const [first, second] = idsOf(receiver);
    expect(receiver.received).toHaveLength(2);
    expect(second).toBe(first);
    expect((await pageOf(dana, delivery))('section[aria-labelledby="attempts"] .row')).toHaveLength(2);
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
      `${path}/delete`,
      delivery,
      `${LIST}/x`,
      `${LIST}/deliveries/x`,
    ]) {
      expect((await ben.get(address)).status).toBe(404);
    }
    const form = { account, url: 'https://ben.example/hooks' };
    for (const suffix of ['', '/switch-off', '/resume', '/delete']) {
      expect((await ben.post(`${path}${suffix}`, form)).status).toBe(404);
    }
    expect((await ben.post(`${delivery}/redeliver`, form)).status).toBe(404);
    expect(textOf(await pageOf(dana, path), '.facts')).toContain(receiver.url);
    expect(textOf(await pageOf(ben, LIST), 'main')).toContain('You have no webhooks.');
  });
});

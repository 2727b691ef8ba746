import { describe, expect } from 'vitest';
import { it, type ServiceUnderTest } from './service-under-test.js';

/** Requests a code for Ada. Returns it with headers that send the cookies of the browser that requested it. */
async function requestCode(service: ServiceUnderTest) {
  const browser = service.browser();
  expect((await browser.post('/sign-in/code', { email: 'ada@example.com' })).status).toBe(303);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    code: service.server.mailbox?.latestFor('ada@example.com')?.code ?? '',
    headers: { origin: service.baseUrl, cookie },
  };
}

describe('emailed code', () => {
  it('counts concurrent tries', async ({ service }) => {
    const { code, headers } = await requestCode(service);
    const browser = service.browser();
    const guesses = Array.from({ length: 40 }, (_, index) => `${index}`.padStart(6, '9'));
    await Promise.all(guesses.map((guess) => browser.post('/sign-in/verify', { code: guess }, headers)));
    expect((await browser.post('/sign-in/verify', { code }, headers)).status).toBe(400);
  });

  it('signs in once, however often it is sent concurrently', async ({ service }) => {
    const { code, headers } = await requestCode(service);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => service.browser().post('/sign-in/verify', { code }, headers)),
    );
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('is sent five times for twenty concurrent requests', async ({ service }) => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => service.browser().post('/sign-in/code', { email: 'ada@example.com' })),
    );
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(5);
    expect(service.server.mailbox?.list('ada@example.com')).toHaveLength(5);
  });
});

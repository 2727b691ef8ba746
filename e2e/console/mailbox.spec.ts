import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from '@playwright/test';
import { test } from '../calm-press.js';
import { JOURNEY } from '../levels.js';
import { sharedSandbox } from './console-page.js';

const sandbox = sharedSandbox();
const { ada } = sandboxScenario.users;

test('the frame of a mail is as high as the mail', async ({ page, request }) => {
  const { baseUrl, mailbox } = sandbox();
  await request.post(`${baseUrl}/sign-in/code`, { form: { email: ada.email }, headers: { Origin: baseUrl } });
  const { id } = mailbox.latestFor(ada.email) ?? {};
  await page.goto(`${baseUrl}/sandbox/mailbox/${id}`);
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 860 });
    const frame = page.locator('.mail-frame');
    const hidden = () =>
      frame.evaluate((element: HTMLIFrameElement) => {
        const mail = element.contentDocument?.documentElement;
        return mail === undefined ? -1 : mail.scrollHeight - element.clientHeight;
      });
    await expect.poll(hidden).toBe(0);
    // A frame that is higher than its mail would show a blank part.
    const last = page.frameLocator('.mail-frame').locator('.mail-page');
    const [outer, inner] = [await frame.boundingBox(), await last.boundingBox()];
    expect(Math.abs((outer?.height ?? 0) - (inner?.height ?? 0))).toBeLessThan(4);
  }
});

test('a hostile mail runs no script, loads nothing and sends nothing', { tag: JOURNEY }, async ({ page }) => {
  const { baseUrl, mailbox } = sandbox();
  const html = `<html><head><script>parent.document.title = 'taken'</script></head><body>
    <img src="/sandbox/mailbox?from-the-mail" onerror="parent.document.title = 'taken'">
    <link rel="stylesheet" href="/from-the-mail.css"><iframe src="/account?from-the-mail"></iframe>
    <svg onload="parent.document.title = 'taken'"></svg>
    <form action="/from-the-mail" method="post"><button>Send</button></form></body></html>`;
  await mailbox.send({ to: ada.email, subject: 'Hostile', text: 'Hostile', html });
  const loaded: string[] = [];
  page.on('response', (response) => loaded.push(response.url()));
  await page.goto(`${baseUrl}/sandbox/mailbox/${mailbox.latestFor(ada.email)?.id}`);
  const mail = page.frameLocator('.mail-frame');
  await mail.getByRole('button', { name: 'Send' }).click();
  await expect(page.locator('.mail-frame')).toHaveAttribute('style', /block-size/);
  expect(loaded.filter((url) => url.includes('from-the-mail'))).toEqual([]);
  await expect(page).toHaveTitle(/^Mail: Hostile/);
});

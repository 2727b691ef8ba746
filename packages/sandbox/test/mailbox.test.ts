import { describe, expect } from 'vitest';
import { mailDocument } from '../src/mailbox/mail-page.js';
import { callControl } from './control-caller.js';
import { it } from './sandbox-under-test.js';

const BEN = 'ben@example.com';

describe('mailbox', () => {
  it('returns the newest code of an address, whatever else arrives', async ({ service }) => {
    const { mailbox } = service.server;
    await service.browser().post('/sign-in/code', { email: BEN });
    const code = mailbox.latestFor(BEN)?.code;
    await mailbox.send({ to: BEN, subject: 'Your receipt', text: 'Receipt' });
    expect(code).toMatch(/^\d{6}$/);
    expect(mailbox.codeFor(BEN)).toBe(code);
    expect(mailbox.latestFor(BEN)?.subject).toBe('Your receipt');
    expect(mailbox.codeFor('eve@example.com')).toBeUndefined();
  });

  it('names the sender of each mail', async ({ service }) => {
    const { mailbox } = service.server;
    await mailbox.send({ to: BEN, subject: 'A', text: 'A' });
    await mailbox.send({ to: BEN, subject: 'B', text: 'B', senderName: 'Ember & Oak via Latchkey' });
    expect(mailbox.list(BEN).map(({ senderName }) => senderName)).toEqual([
      'Ember & Oak via Latchkey',
      'Latchkey',
    ]);
  });

  it('serves the HTML for a frame of its own pages only, without scripts and loaded content', async ({
    service,
  }) => {
    await service.browser().post('/sign-in/code', { email: BEN });
    const { id = '', code } = service.server.mailbox.latestFor(BEN) ?? {};
    const response = await service.request(`/sandbox/mailbox/${id}/html?scheme=dark`);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      'img-src data:',
      "style-src 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    ]);
    expect(await response.text()).toContain(code);
    // Together with the page's origin, scripts could leave the frame.
    expect(policy).not.toContain('allow-scripts');
    const page = await service.request(`/sandbox/mailbox/${id}`);
    expect(await page.clone().text()).toContain(
      'sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"',
    );
    expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'");
  });

  it('has no HTML for mails without, and for unknown ones', async ({ service }) => {
    const { mailbox } = service.server;
    await mailbox.send({ to: BEN, subject: 'A', text: 'A' });
    for (const id of [mailbox.latestFor(BEN)?.id, 'unknown']) {
      expect((await service.request(`/sandbox/mailbox/${id}/html`)).status).toBe(404);
    }
  });

  it('returns the HTML of one mail to programs, and leaves it out of lists', async ({ service }) => {
    await service.browser().post('/sign-in/code', { email: BEN });
    const list = await callControl(service, 'GET /mail');
    expect(JSON.stringify(list.body)).not.toContain('<html');
    const { id } = service.server.mailbox.latestFor(BEN) ?? {};
    const mail = await callControl(service, `GET /mail/${id}`);
    expect(JSON.stringify(mail.body)).toContain('<html');
  });
});

describe('HTML of a mail', () => {
  const html =
    '<html><head><meta name="color-scheme" content="light dark"><style>@media (prefers-color-scheme: dark) {}</style></head><img src="cid:logo"></html>';
  const images = [{ contentId: 'logo', contentType: 'image/png', base64: 'AAAA' }];
  const mail = { to: BEN, subject: 'A', text: 'A', html, images };

  it('is shown in the chosen scheme, with its images', () => {
    expect(mailDocument(mail, 'dark')).toContain('<style>@media all {}');
    expect(mailDocument(mail, 'light')).toContain('<style>@media not all {}');
    expect(mailDocument(mail, 'light')).toContain('content="light"');
    expect(mailDocument(mail, 'light')).toContain('src="data:image/png;base64,AAAA"');
  });
});

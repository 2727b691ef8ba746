import { describe, expect } from 'vitest';
import { authorizePath, publicRequest } from './authorization-flow.js';
import { it } from './checkout-world.js';
import { PUBLIC, type ServiceUnderTest, SHOP } from './service-under-test.js';

const ADA = 'ada@example.com';

/** State of the widget on the page that asks. */
const STATE = Buffer.from(JSON.stringify({ n: 'nonce', o: SHOP })).toString('base64url');

async function mailFor(service: ServiceUnderTest) {
  const continueTo = authorizePath(publicRequest(service, { state: STATE }));
  expect((await service.browser().post('/sign-in/code', { email: ADA, continue: continueTo })).status).toBe(
    303,
  );
  const mail = service.server.mailbox?.latestFor(ADA);
  if (mail === undefined) throw new Error('No mail arrived.');
  return mail;
}

describe('code for a verified app', () => {
  it('carries its name, and says which site asks, when, and for how long', async ({ service }) => {
    const mail = await mailFor(service);
    expect(mail.subject).toBe(`${mail.code} is your Ember & Oak code`);
    expect(mail.senderName).toBe('Ember & Oak via Latchkey');
    expect(mail.text).toContain(
      `Site: ${new URL(SHOP).host}\nRequested: 12 Jun 2026, 14:05 UTC\nReference: `,
    );
    expect(mail.text).toContain('It is valid for 10 minutes.');
    expect(mail.text).toContain('We’ll never ask you for this code.');
    expect(mail.html).toContain('>Ember &amp; Oak</bdi>');
  });

  it('carries its logo and its accent', async ({ service, db }) => {
    const logo_url = 'data:image/png;base64,iVBORw0KGgo=';
    await db.updateTable('oauth_clients').set({ logo_url, accent: '#b4541a' }).execute();
    const mail = await mailFor(service);
    expect(mail.images).toEqual([{ contentId: 'logo', contentType: 'image/png', base64: 'iVBORw0KGgo=' }]);
    expect(mail.html).toContain('src="cid:logo"');
    expect(mail.html).not.toContain('#0b6f60');
  });

  it('has a subject of one line, whatever the database contains', async ({ service, db }) => {
    const name = `Tea\r\nBcc: eve@example.com\u202e${'x'.repeat(300)}`;
    await db.updateTable('oauth_clients').set({ name }).where('client_id', '=', PUBLIC).execute();
    const { subject } = await mailFor(service);
    expect(subject).toMatch(/^\d{6} is your Tea Bcc: eve@example\.com x+… code$/);
    expect(subject.length).toBeLessThan(70);
  });
});

describe('code for an app that is not verified', () => {
  it('carries the name of the service, and quotes that of the app', async ({ service, db }) => {
    await db
      .updateTable('oauth_clients')
      .set({ name: 'Your Bank', verified_at: null, logo_url: 'https://spy.example/1.png', accent: '#ff0000' })
      .execute();
    const mail = await mailFor(service);
    expect(mail.subject).toBe(`${mail.code} is your Latchkey code`);
    expect(mail.senderName).toBe('Latchkey');
    expect(mail.text).toContain('App: “Your Bank”, not verified by Latchkey\nSite: localhost:4401');
    expect(mail.html).not.toMatch(/spy\.example|#ff0000/);
  });

  it.for(['Log in at evil.example', 'Call +1 800 555 0199', 'P\u0430ypal'])(
    'does not repeat a name that would use the trust in the service: %s',
    async (name, { service, db }) => {
      await db.updateTable('oauth_clients').set({ name, verified_at: null }).execute();
      const mail = await mailFor(service);
      expect(mail.text).toContain('App: An app not verified by Latchkey');
      expect(JSON.stringify(mail)).not.toContain(name);
    },
  );
});

describe('code for the service itself', () => {
  it('carries its name and its address', async ({ service }) => {
    await service.browser().post('/sign-in/code', { email: ADA });
    const mail = service.server.mailbox?.latestFor(ADA);
    expect(mail?.subject).toBe(`${mail?.code} is your Latchkey code`);
    expect(mail?.text).toContain(`Site: ${new URL(service.baseUrl).host}`);
    expect(mail?.text).not.toContain('App:');
  });
});

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startMailServer } from '../../../test/mail-server.js';
import { createSmtpMailer } from './smtp-mailer.js';

const mail = { to: 'ada@example.com', subject: 'Code', text: '123456', code: '123456' };
const from = 'codes@members.example';

describe('a mail server without TLS', () => {
  it('gets no mail on another machine', async ({ onTestFinished }) => {
    const server = await startMailServer();
    onTestFinished(() => server.close());
    // Doesn't look like a loopback address, but the system connects it to this machine.
    const mailer = createSmtpMailer({ smtpUrl: `smtp://0.0.0.0:${server.port}`, from });
    await expect(mailer.send(mail)).rejects.toThrow();
    expect(server.received).toEqual([]);
  });

  it('gets mail on another machine if the options allow plain text', async ({ onTestFinished }) => {
    const server = await startMailServer();
    onTestFinished(() => server.close());
    const smtpUrl = `smtp://0.0.0.0:${server.port}`;
    await createSmtpMailer({ smtpUrl, from, allowPlaintext: true }).send(mail);
    expect(server.received).toHaveLength(1);
  });

  it('gets mail on the same machine', async ({ onTestFinished }) => {
    const server = await startMailServer();
    onTestFinished(() => server.close());
    await createSmtpMailer({ smtpUrl: `smtp://localhost:${server.port}`, from }).send(mail);
    expect(server.received).toHaveLength(1);
  });
});

describe('an address that is no mail server', () => {
  it.for([
    'smtp://codes:hunter2@mail.example?requireTLS=false',
    'smtp//codes:hunter2@mail.example',
    'codes:hunter2@mail.example',
    'https://codes:hunter2@mail.example',
    'smtp:codes:hunter2@mail.example',
  ])('is rejected at the start, and the error does not contain it: %s', (smtpUrl) => {
    let shown = '';
    try {
      createSmtpMailer({ smtpUrl, from });
    } catch (error) {
      shown = inspect(error);
    }
    expect(shown).toContain('Option "smtpUrl" must be');
    expect(shown).not.toContain('hunter2');
  });
});

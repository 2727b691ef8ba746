import { describe, expect } from 'vitest';
import { composeReceipt } from '../src/features/checkout/payment-mails.js';
import { queueMail } from '../src/features/mail/mail-outbox.js';
import { createMailWorker, type MailComposer } from '../src/features/mail/mail-worker.js';
import type { Mailer, MailMessage } from '../src/index.js';
import { type Database, openDatabase } from '../src/platform/database/open-database.js';
import { createSmtpMailer } from '../src/platform/mail/smtp-mailer.js';
import { it as withDatabase } from './checkout-world.js';
import { type MailServer, startMailServer } from './mail-server.js';
import { parseMail } from './received-mail.js';
import type { ServiceUnderTest } from './service-under-test.js';

const PNG = 'iVBORw0KGgo=';
const NEVER = new AbortController().signal;
const service = {
  baseUrl: 'https://members.example',
  brand: { name: 'Members Ltd', logoUrl: `data:image/png;base64,${PNG}`, accent: '#b4541a' },
};

const composeTest: MailComposer = async ({ subjectId }) => ({
  subject: `Mail ${subjectId}`,
  text: 'Text',
  html: '<p>Text</p>',
});

interface MailWorld {
  readonly db: Database;
  readonly server: MailServer;
  readonly log: readonly string[];
  /** Runs a worker of its own, as another process would. */
  run(options?: {
    mailer?: Mailer;
    signal?: AbortSignal;
    compose?: MailComposer;
    connection?: Database;
  }): Promise<number>;
  advance(ms: number): void;
  queue(subjectId: string, facts?: object): Promise<void>;
}

const it = withDatabase.extend<{ world: MailWorld }>({
  world: async ({ service: sandbox, db }, use) => {
    const server = await startMailServer();
    const smtp = createSmtpMailer({
      smtpUrl: `smtp://127.0.0.1:${server.port}`,
      from: 'codes@members.example',
      defaultName: 'Members Ltd',
    });
    await use(mailWorld({ sandbox, db, server, smtp }));
    await server.close();
  },
});

function mailWorld(parts: {
  sandbox: ServiceUnderTest;
  db: Database;
  server: MailServer;
  smtp: Mailer;
}): MailWorld {
  const { sandbox, db, server, smtp } = parts;
  const { clock } = sandbox;
  const log: string[] = [];
  const write = (fields: object, message: string) => void log.push(JSON.stringify({ message, ...fields }));
  return {
    db,
    server,
    log,
    async run({ mailer = smtp, signal = NEVER, compose = composeTest, connection = db } = {}) {
      const composers = {
        receipt: compose,
        refunded: compose,
        'renewal-failed': compose,
        invitation: compose,
        'two-step': compose,
        'email-change': compose,
        'account-deleted': compose,
      };
      const logger = { info: write, warn: write, error: write };
      return await createMailWorker(
        { clock, db: connection, logger, mailer, mailService: service },
        composers,
      ).runOnce(signal);
    },
    advance: (ms) => clock.advance(ms),
    queue: (subjectId, facts = {}) =>
      queueMail(db, { kind: 'receipt', subjectId, to: 'ada@example.com', facts }, clock.now()),
  };
}

async function rows(db: Database) {
  return await db.selectFrom('mail_outbox').select(['status', 'attempts', 'leased_until']).execute();
}

describe('mail worker', () => {
  it('sends text and HTML with its image through SMTP', async ({ world }) => {
    const facts = {
      ...{ item: 'Jährlich', seller: 'Café “Zoë”', communityId: null, amountMinor: 900, currency: 'EUR' },
      ...{ paidAt: 0, validUntil: null, nextPayment: null },
    };
    await world.queue('p-1', { ...facts, seller: null });
    await world.queue('p-2', facts);
    await world.run({ compose: composeReceipt });
    const raw = [...world.server.received].sort((a, b) => a.indexOf('p-2') - b.indexOf('p-2'));
    const [plain, named] = raw.map(parseMail);
    expect(plain?.header('From')).toBe('Members Ltd <codes@members.example>');
    expect(plain?.header('To')).toBe('ada@example.com');
    expect(plain?.header('Subject')).toBe('Your receipt from Members Ltd: €9.00');
    expect(plain?.header('Auto-Submitted')).toBe('auto-generated');
    expect(plain?.header('Message-ID')).toMatch(/^<[0-9a-f-]{36}@members\.example>$/);
    expect(plain?.part('text/plain')).toContain(
      'Your receipt\n\n€9.00\n\nSeller: A seller\nProduct: Jährlich',
    );
    expect(plain?.part('text/html')).toContain('src="cid:logo"');
    expect(plain?.part('text/html')).toContain('Jährlich');
    expect(raw[0]).toMatch(/Content-Id: <logo>/i);
    expect(raw[0]).toContain(PNG);
    expect(named?.header('From')).toBe('Members Ltd <codes@members.example>');
    expect(named?.header('Reply-To')).toBe('');
    expect(named?.header('Subject')).not.toContain('Zoë');
    expect(named?.part('text/plain')).toContain('Seller: Café “Zoë”');
  });

  it('ends a mail with one click where the mail has a link for it', async ({ world }) => {
    await world.queue('p-1');
    const unsubscribeUrl = `https://members.example/mail/invitations?key=${'k'.repeat(43)}`;
    await world.run({
      compose: async () => ({ subject: 'Invitation', text: 'Text', unsubscribeUrl }),
    });
    const mail = parseMail(world.server.received[0] ?? '');
    expect(mail.header('List-Unsubscribe')).toBe(`<${unsubscribeUrl}>`);
    expect(mail.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  });

  it('adds no header and no recipient by line breaks in what it sends', async ({ world }) => {
    await world.queue('p-1');
    const injected = 'X\r\nBcc: eve@example.com\r\n\r\nBody';
    await world.run({
      compose: async () => ({
        subject: injected,
        senderName: injected,
        text: 'Text',
        unsubscribeUrl: 'https://x/',
      }),
    });
    const mail = parseMail(world.server.received[0] ?? '');
    expect(mail.header('Bcc')).toBe('');
    expect(mail.header('Subject')).toContain('Bcc: eve@example.com');
    expect(mail.part('text/plain')).toContain('Text');
  });

  it('shows an encoded word of a header as it is, and not what it stands for', async ({ world }) => {
    await world.queue('p-1');
    const encoded = '=?utf-8?Q?Call_=30800_555_0199?=';
    await world.run({ compose: async () => ({ subject: encoded, senderName: encoded, text: 'Text' }) });
    const raw = world.server.received[0] ?? '';
    expect(raw).toContain('Subject: = ?utf-8?Q?Call_=30800_555_0199?=');
    expect(raw.split('\r\n\r\n')[0]).not.toMatch(/=\?utf-8\?Q\?Call/i);
  });

  it('tries again later, with a Message-ID that stays the same', async ({ world }) => {
    await world.queue('p-1');
    const { id } = await world.db.selectFrom('mail_outbox').select('id').executeTakeFirstOrThrow();
    world.server.rejectRecipients('451 try again later ada@example.com');
    await world.run();
    expect(await rows(world.db)).toEqual([{ status: 'pending', attempts: 1, leased_until: null }]);
    expect(await world.run()).toBe(0);
    world.server.rejectRecipients(undefined);
    world.advance(75_000);
    expect(await world.run()).toBe(1);
    expect(world.server.received).toHaveLength(1);
    expect(parseMail(world.server.received[0] ?? '').header('Message-ID')).toBe(`<${id}@members.example>`);
    expect(await rows(world.db)).toMatchObject([{ status: 'sent', attempts: 2 }]);
    expect(world.log.filter((line) => line.includes('An attempt to send a mail failed'))).toHaveLength(1);
  });

  it('gives up after a day, with a log entry', async ({ world }) => {
    await world.queue('p-1');
    const failing = { send: () => Promise.reject(new Error('no connection')) };
    for (let hours = 0; hours < 30; hours += 1) {
      await world.run({ mailer: failing });
      world.advance(3600_000);
    }
    const [row] = await rows(world.db);
    expect(row?.status).toBe('failed');
    expect(row?.attempts).toBeGreaterThan(10);
    expect(world.log.filter((line) => line.includes('A mail could not be sent'))).toHaveLength(1);
    expect(await world.db.selectFrom('mail_outbox').select('recipient').execute()).toEqual([
      { recipient: '' },
    ]);
  });

  it('does not repeat a mail that the mail server rejects for good', async ({ world }) => {
    await world.queue('p-1');
    world.server.rejectRecipients('550 no such mailbox');
    await world.run();
    expect(await rows(world.db)).toMatchObject([{ status: 'failed', attempts: 1 }]);
  });

  it('sends each mail once with several workers', async ({ world, database }) => {
    const connection = await openDatabase(database);
    for (let index = 0; index < 30; index += 1) await world.queue(`p-${index}`);
    await Promise.all([world.run(), world.run({ connection }), world.run({ connection })]);
    await connection.destroy();
    const subjects = world.server.received.map((raw) => parseMail(raw).header('Subject'));
    expect(subjects).toHaveLength(30);
    expect(new Set(subjects).size).toBe(30);
    expect(new Set((await rows(world.db)).map(({ attempts }) => attempts))).toEqual(new Set([1]));
  });

  it('leaves a mail in flight to others when it stops, not before the lease ends', async ({ world }) => {
    await world.queue('p-1');
    const stop = new AbortController();
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const hanging = {
      send: () => {
        begin();
        return new Promise<never>(() => undefined);
      },
    };
    const running = world.run({ mailer: hanging, signal: stop.signal });
    await begun;
    stop.abort();
    await running;
    expect(await world.run()).toBe(0);
    world.advance(5 * 60_000);
    expect(await world.run()).toBe(1);
    expect(world.server.received).toHaveLength(1);
  });

  it('finishes a mail in flight when it stops', async ({ world }) => {
    await world.queue('p-1');
    const stop = new AbortController();
    const sent: MailMessage[] = [];
    const slow = {
      async send(message: MailMessage) {
        stop.abort();
        await new Promise((resolve) => setTimeout(resolve, 50));
        sent.push(message);
      },
    };
    await world.run({ mailer: slow, signal: stop.signal });
    expect(sent).toHaveLength(1);
    expect(await rows(world.db)).toMatchObject([{ status: 'sent' }]);
  });

  it('blocks no other mail with one that cannot be composed', async ({ world }) => {
    await world.queue('broken');
    await world.queue('fine');
    const compose: MailComposer = async (mail, needs) => {
      if (mail.subjectId === 'broken') throw new Error('composer');
      return await composeTest(mail, needs);
    };
    await world.run({ compose });
    expect(world.server.received).toHaveLength(1);
    expect((await rows(world.db)).map(({ status }) => status).sort()).toEqual(['pending', 'sent']);
  });
});

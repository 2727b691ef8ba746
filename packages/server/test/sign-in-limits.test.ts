import { describe, expect } from 'vitest';
import { openDatabase } from '../src/platform/database/open-database.js';
import { everythingStored } from './database/everything-stored.js';
import { parsePage, textOf } from './pages/page-document.js';
import { START, startService } from './service-under-test.js';
import {
  type Client,
  it,
  newestCode,
  newestLink,
  otherCode,
  type SignInWorld,
  signIn,
  startSignInWorld,
} from './sign-in-world.js';

const VICTIM = 'ada@example.com';
const HOME = '198.51.100.7';
const ATTACKER = '203.0.113.66';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Client address number `index` of an attacker with many addresses. */
const attackerAt = (index: number) => `203.0.${Math.floor(index / 250)}.${(index % 250) + 1}`;

/** Requests codes for an address from many client addresses, until all are rejected. */
async function floodMailbox(world: SignInWorld, addressOf: (index: number) => string): Promise<void> {
  for (let index = 0; index < 100; index += 1) {
    const attacker = world.from(attackerAt(index));
    if ((await attacker.ask(addressOf(index))).status === 429) return;
  }
  throw new Error('The mailbox received a mail for each of 100 requests.');
}

/** Enters wrong codes for an address from many client addresses, until all are rejected. Returns the number of wrong codes. */
async function guessFromManyClients(world: SignInWorld, email: string): Promise<number> {
  let guesses = 0;
  for (let index = 0; index < 100; index += 1) {
    const attacker = world.from(attackerAt(index));
    if ((await attacker.ask(email)).status === 429) return guesses;
    const wrong = otherCode(newestCode(world, email));
    for (let tries = 0; tries < 5; tries += 1) {
      if ((await attacker.enter(wrong)).status === 429) return guesses;
      guesses += 1;
    }
  }
  return guesses;
}

async function messageOf(response: Response): Promise<string> {
  return textOf(parsePage(await response.text()), 'main');
}

async function accountOf({ get }: Client): Promise<string> {
  const $ = parsePage(await (await get('/account/profile')).text());
  return $('input[name="account"]').first().attr('value') ?? '';
}

describe('attacker who requests codes for another person', () => {
  it('from one client address does not stop the person, in a browser that never signed in', async ({
    world,
  }) => {
    for (let round = 0; round < 20; round += 1) {
      for (let requests = 0; requests < 6; requests += 1) await world.from(ATTACKER).ask(VICTIM);
      await signIn(world, world.from(`198.51.100.${round}`), VICTIM);
      world.service.clock.advance(HOUR);
    }
  });

  it('gets five codes in fifteen minutes from one client address, then 429 with the true waiting time', async ({
    world,
  }) => {
    for (let requests = 0; requests < 5; requests += 1) {
      expect((await world.from(ATTACKER).ask(VICTIM)).status).toBe(303);
      world.service.clock.advance(MINUTE);
    }
    const refused = await world.from(ATTACKER).ask(VICTIM.toUpperCase());
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('600');
    expect(await messageOf(refused)).toContain('10 minutes');
    world.service.clock.set(START + 15 * MINUTE - 1);
    expect((await world.from(ATTACKER).ask(VICTIM)).headers.get('retry-after')).toBe('1');
    world.service.clock.set(START + 15 * MINUTE);
    expect((await world.from(ATTACKER).ask(VICTIM)).status).toBe(303);
  });

  it('from many client addresses does not stop a browser that signed in before', async ({ world }) => {
    const known = world.from(HOME);
    await signIn(world, known, VICTIM);
    await floodMailbox(world, () => VICTIM);
    await known.browser.post('/sign-out', {});
    await signIn(world, known, VICTIM);
    // The allowance belongs to this browser, also at another client address.
    const travelling = world.from('192.0.2.9');
    for (const [name, value] of known.browser.cookies) {
      if (name.includes('known')) (travelling.browser.cookies as Map<string, string>).set(name, value);
    }
    await signIn(world, travelling, VICTIM);
  });

  it('loses the allowance of a browser that signed in before when the person signs all others out', async ({
    world,
  }) => {
    const [former, home] = [world.from(ATTACKER), world.from(HOME)];
    await signIn(world, former, VICTIM);
    await signIn(world, home, VICTIM);
    const ended = { account: await accountOf(home), which: 'others' };
    expect((await home.browser.post('/account/sessions/end', ended)).status).toBe(303);
    await floodMailbox(world, () => VICTIM);
    expect((await former.ask(VICTIM)).status).toBe(429);
    expect((await home.ask(VICTIM)).status).toBe(303);
  });

  it('from many client addresses does not stop a browser that opens the link in the newest mail', async ({
    world,
  }) => {
    await floodMailbox(world, () => VICTIM);
    const first = world.from(HOME);
    const refused = await first.ask(VICTIM);
    expect(refused.status).toBe(429);
    expect(await messageOf(refused)).toContain('link in one of our newest e-mails');
    const link = newestLink(world, VICTIM) ?? '';
    expect((await first.get(link)).status).toBe(303);
    expect((await first.get('/account')).status).toBe(302);
    await signIn(world, first, VICTIM);
  });

  it('cannot use the link for another address, or an invented one', async ({ world }) => {
    await floodMailbox(world, () => 'mallory@evil.example');
    await floodMailbox(world, () => VICTIM);
    const attacker = world.from(ATTACKER);
    await attacker.get(newestLink(world, 'mallory@evil.example') ?? '');
    expect((await attacker.ask(VICTIM)).status).toBe(429);
    const invented = await attacker.get(`/sign-in/browser?key=${'A'.repeat(43)}`);
    expect(invented.status).toBe(400);
    expect((await attacker.get('/sign-in/browser')).status).toBe(400);
    expect((await attacker.ask(VICTIM)).status).toBe(429);
    expect(world.service.log.join('\n')).not.toContain('key=');
  });

  it('fills no mailbox by aliases of its address: 30 mails a day', async ({ world }) => {
    const alias = (index: number) =>
      ['a.da+1@gmail.com', 'ad.a+x@googlemail.com', 'a.d.a@gmail.com', 'ada+news@gmail.com'][index % 4] ?? '';
    await floodMailbox(world, alias);
    expect(world.mails).toHaveLength(30);
    expect((await world.from(HOME).ask('ADA@gmail.com')).status).toBe(429);
    // Other providers keep dots apart.
    expect((await world.from(HOME).ask('a.da@example.com')).status).toBe(303);
    await floodMailbox(world, (index) => `ben+${index}@example.com`);
    expect(world.mails.filter(({ to }) => to.startsWith('ben+'))).toHaveLength(30);
    world.service.clock.advance(DAY);
    expect((await world.from(HOME).ask('ada@gmail.com')).status).toBe(303);
  });

  it('sends 30 mails with a hundred parallel requests to two servers', async ({
    world,
    database,
    onTestFinished,
  }) => {
    const other = await startSignInWorld({ database });
    onTestFinished(() => other.service.server.close());
    const requests = Array.from({ length: 100 }, (_, index) =>
      (index % 2 === 0 ? world : other).from(attackerAt(index)).ask(VICTIM),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(70);
    expect([...world.mails, ...other.mails]).toHaveLength(30);
  });

  it('never signs in as the person by an alias of the address', async ({ world }) => {
    await signIn(world, world.from(HOME), 'ada@gmail.com');
    const other = world.from(ATTACKER);
    await signIn(world, other, 'a.d.a+1@gmail.com');
    expect(await messageOf(await other.get('/account'))).toContain('a.d.a+1@gmail.com');
  });

  it('sends at most 60 mails to all addresses from one client in fifteen minutes', async ({ world }) => {
    const statuses: number[] = [];
    for (let index = 0; index < 70; index += 1) {
      statuses.push((await world.from(ATTACKER).ask(`person-${index}@example.com`)).status);
    }
    expect(statuses.filter((status) => status === 303)).toHaveLength(60);
    expect((await world.from(HOME).ask(VICTIM)).status).toBe(303);
    world.service.clock.advance(15 * MINUTE);
    expect((await world.from(ATTACKER).ask(VICTIM)).status).toBe(303);
  });
});

describe('attacker who guesses codes', () => {
  it('of many addresses is stopped after 60 wrong codes an hour from one client', async ({ world }) => {
    let guesses = 0;
    for (let index = 0; index < 20; index += 1) {
      const email = `person-${index}@example.com`;
      const attacker = world.from(ATTACKER);
      await attacker.ask(email);
      const wrong = otherCode(newestCode(world, email));
      for (let tries = 0; tries < 5; tries += 1) {
        if ((await attacker.enter(wrong)).status === 400) guesses += 1;
      }
    }
    expect(guesses).toBe(60);
    await signIn(world, world.from(HOME), VICTIM);
  });

  it('of one address is stopped after 15 wrong codes a day from one client, also for the right code', async ({
    world,
  }) => {
    let guesses = 0;
    for (let round = 0; round < 4; round += 1) {
      const attacker = world.from(ATTACKER);
      await attacker.ask(VICTIM);
      const wrong = otherCode(newestCode(world, VICTIM));
      for (let tries = 0; tries < 5; tries += 1) {
        if ((await attacker.enter(wrong)).status === 400) guesses += 1;
      }
      world.service.clock.advance(15 * MINUTE);
    }
    expect(guesses).toBe(15);
    const attacker = world.from(ATTACKER);
    await attacker.ask(VICTIM);
    const refused = await attacker.enter(newestCode(world, VICTIM));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(`${23 * 3600}`);
    expect(await messageOf(refused)).toContain('23 hours');
    await signIn(world, world.from(HOME), VICTIM);
  });

  it('of one address is stopped after 60 wrong codes a day from many clients', async ({ world }) => {
    const known = world.from(HOME);
    await signIn(world, known, VICTIM);
    let guesses = await guessFromManyClients(world, VICTIM);
    expect(guesses).toBe(60);
    for (let hours = 0; hours < 10; hours += 1) {
      world.service.clock.advance(HOUR);
      guesses += await guessFromManyClients(world, VICTIM);
    }
    expect(guesses).toBe(60);
    // The person still signs in: in a browser that is known, and in a new one after the link of a mail.
    await known.browser.post('/sign-out', {});
    await signIn(world, known, VICTIM);
    const other = world.from('192.0.2.1');
    await other.ask(VICTIM);
    expect((await other.enter(newestCode(world, VICTIM))).status).toBe(429);
    expect((await other.get(newestLink(world, VICTIM) ?? '')).status).toBe(303);
    expect((await other.enter(newestCode(world, VICTIM))).status).toBe(303);
  });

  it('in parallel gets no more guesses', async ({ world, database }) => {
    const attackers = Array.from({ length: 20 }, (_, index) => world.from(attackerAt(index)));
    for (const attacker of attackers) await attacker.ask(VICTIM);
    const codes = new Set(world.mails.map(({ code }) => code));
    const wrong = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(6, '7')).find(
      (code) => !codes.has(code),
    );
    const guesses = attackers.flatMap((attacker) =>
      Array.from({ length: 8 }, () => attacker.enter(wrong ?? '')),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
    const db = await openDatabase(database);
    const { tries } = await db
      .selectFrom('sign_in_codes')
      .select(({ fn }) => fn.sum<number>('tries').as('tries'))
      .executeTakeFirstOrThrow();
    await db.destroy();
    expect(Number(tries)).toBe(60);
    const last = world.from(attackerAt(21));
    await last.ask(VICTIM);
    expect((await last.enter(newestCode(world, VICTIM))).status).toBe(429);
  });

  it('costs the person nothing: right codes are not counted', async ({ world }) => {
    for (let signIns = 0; signIns < 10; signIns += 1) {
      const browser = world.from(HOME);
      await signIn(world, browser, VICTIM);
      world.service.clock.advance(15 * MINUTE);
    }
  });
});

describe('client address', () => {
  it('of version 6 counts by its network of 64 bits', async ({ world }) => {
    for (let host = 1; host <= 5; host += 1) {
      expect((await world.from(`2001:db8:1:2::${host}`).ask(VICTIM)).status).toBe(303);
    }
    expect((await world.from('2001:db8:1:2:ffff::1').ask(VICTIM)).status).toBe(429);
    expect((await world.from('2001:db8:1:3::1').ask(VICTIM)).status).toBe(303);
  });

  it('of version 6 shares the budget of four clients with its network of 48 bits', async ({
    onTestFinished,
  }) => {
    const world = await startSignInWorld({ signInLimits: { codesPerClient: 3 } });
    onTestFinished(() => world.service.server.close());
    const statuses: number[] = [];
    for (let network = 1; network <= 15; network += 1) {
      const attacker = world.from(`2001:db8:1:${network}::1`);
      statuses.push((await attacker.ask(`person-${network}@example.com`)).status);
    }
    expect(statuses.filter((status) => status === 303)).toHaveLength(12);
    expect((await world.from('2001:db8:2::1').ask(VICTIM)).status).toBe(303);
  });

  it('cannot be forged: the header counts only as far as the trusted proxies wrote it', async ({
    world,
    onTestFinished,
  }) => {
    for (let index = 0; index < 5; index += 1) {
      expect((await world.from(`${attackerAt(index)}, ${ATTACKER}`).ask(VICTIM)).status).toBe(303);
    }
    expect((await world.from(`192.0.2.200, ${ATTACKER}`).ask(VICTIM)).status).toBe(429);

    const direct = await startSignInWorld({ trustProxy: false });
    onTestFinished(() => direct.service.server.close());
    for (let index = 0; index < 5; index += 1) await direct.from(attackerAt(index)).ask(VICTIM);
    expect((await direct.from('192.0.2.200').ask(VICTIM)).status).toBe(429);
    // One line tells the operator why all visitors share one budget.
    const warnings = direct.service.log.filter((line) => line.includes('X-Forwarded-For'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('trustProxy');
  });

  it('is rejected as an option that trusts every proxy', async () => {
    await expect(startService({ trustProxy: true as never })).rejects.toThrow(
      /"trustProxy".*true.*number of proxies/,
    );
  });

  it('is not stored', async ({ world, database }) => {
    await world.from(ATTACKER).ask(VICTIM);
    expect((await everythingStored(database)).includes(ATTACKER)).toBe(false);
  });
});

describe('budget of the service', () => {
  it('stops new browsers at many client addresses, and not those that signed in before', async ({
    onTestFinished,
  }) => {
    const world = await startSignInWorld({ signInLimits: { codesPerService: 10, wrongCodesPerService: 8 } });
    onTestFinished(() => world.service.server.close());
    const known = world.from(HOME);
    await signIn(world, known, VICTIM);
    for (let index = 0; index < 9; index += 1) {
      expect((await world.from(attackerAt(index)).ask(`person-${index}@example.com`)).status).toBe(303);
    }
    const refused = await world.from(attackerAt(20)).ask('person-20@example.com');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('3600');
    await signIn(world, known, VICTIM);
    world.service.clock.advance(HOUR);
    expect((await world.from(attackerAt(20)).ask('person-20@example.com')).status).toBe(303);
  });

  it('limits wrong codes of all addresses', async ({ onTestFinished }) => {
    const world = await startSignInWorld({ signInLimits: { wrongCodesPerService: 8 } });
    onTestFinished(() => world.service.server.close());
    let guesses = 0;
    for (let index = 0; index < 4; index += 1) {
      const attacker = world.from(attackerAt(index));
      await attacker.ask(`person-${index}@example.com`);
      const wrong = otherCode(newestCode(world, `person-${index}@example.com`));
      for (let tries = 0; tries < 4; tries += 1) {
        if ((await attacker.enter(wrong)).status === 400) guesses += 1;
      }
    }
    expect(guesses).toBe(8);
    // A person whose browser is new gets in by the link that the mails now contain.
    const home = world.from(HOME);
    await home.ask(VICTIM);
    const refused = await home.enter(newestCode(world, VICTIM));
    expect(refused.status).toBe(429);
    expect(await messageOf(refused)).toContain('open the link in its e-mail');
    expect((await home.get(newestLink(world, VICTIM) ?? '')).status).toBe(303);
    expect((await home.enter(newestCode(world, VICTIM))).status).toBe(303);
  });

  it('limits no other path: OAuth and API keys never answer 429', async ({ world }) => {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const headers = { 'x-forwarded-for': ATTACKER, 'content-type': 'application/json' };
        const path = ['/oauth/token', '/membership/provision-external', '/oauth/revoke'][index % 3] ?? '';
        return (await world.service.request(path, { method: 'POST', headers, body: '{}' })).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([400, 401]));
  });
});

describe('page of a rejected request', () => {
  it('names the newest code only in a browser that has one, and leads to its form', async ({ world }) => {
    const asking = world.from(ATTACKER);
    for (let requests = 0; requests < 5; requests += 1) await asking.ask(VICTIM);
    const page = parsePage(await (await asking.ask(VICTIM)).text());
    expect(textOf(page, 'main')).toContain('newest code that this browser requested');
    expect(page('a.button').attr('href')).toBe('/sign-in/verify?continue=%2Faccount');
    expect((await asking.enter(newestCode(world, VICTIM))).status).toBe(303);

    const other = await world.from(ATTACKER).ask(VICTIM);
    expect(other.status).toBe(429);
    const otherPage = parsePage(await other.text());
    expect(textOf(otherPage, 'main')).not.toContain('newest code');
    expect(otherPage('a.button').attr('href')).toBe('/sign-in?continue=%2Faccount');
  });

  it('counts requests at processes whose clocks differ a little', async ({ world }) => {
    const attacker = world.from(ATTACKER);
    world.service.clock.set(START + 2_000);
    for (let requests = 0; requests < 4; requests += 1) await attacker.ask(VICTIM);
    world.service.clock.set(START);
    expect((await attacker.ask(VICTIM)).status).toBe(303);
    const sixth = await attacker.ask(VICTIM);
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '902']);
  });

  it('follows a clock that is set back', async ({ world }) => {
    world.service.clock.set(START + 365 * DAY);
    for (let requests = 0; requests < 6; requests += 1) await world.from(ATTACKER).ask(VICTIM);
    world.service.clock.set(START);
    expect((await world.from(ATTACKER).ask(VICTIM)).status).toBe(303);
  });
});

describe('code page and mail', () => {
  it('show the same reference, so that the person finds the own code among others', async ({ world }) => {
    const home = world.from(HOME);
    await home.ask(VICTIM);
    const mine = world.mails.at(-1)?.text ?? '';
    await world.from(ATTACKER).ask(VICTIM);
    const [, reference = 'none'] = /Reference: ([B-Z]{4})/.exec(mine) ?? [];
    expect(await messageOf(await home.get('/sign-in/verify'))).toContain(reference);
    expect(world.mails.at(-1)?.text).not.toContain(reference);
  });

  it('contain no link as long as few codes are requested', async ({ world }) => {
    await world.from(HOME).ask(VICTIM);
    expect(newestLink(world, VICTIM)).toBeUndefined();
  });
});

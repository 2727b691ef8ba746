import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import express, { type Express } from 'express';
import express4 from 'express4';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Latchkey } from '../src/index.js';
import { SHOP_MEMBERS } from './community-directory.js';
import { getRaw } from './raw-request.js';
import { type Shop, startShop } from './shop.js';

const ada = fakeUser('ada@example.com', [fakeMembership()]);
const ben = fakeUser('ben@example.com');
const members = SHOP_MEMBERS;
const VIDEO = Buffer.from(Array.from({ length: 1000 }, (_byte, index) => index % 256));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-files-'));
  await mkdir(join(folder, 'course/lesson one'), { recursive: true });
  await mkdir(join(folder, 'public'));
  await writeFile(join(folder, 'secret.txt'), 'outside of the folder');
  await writeFile(join(folder, 'course/video.mp4'), VIDEO);
  await writeFile(join(folder, 'course/notes.html'), '<p>Notes</p>');
  await writeFile(join(folder, 'course/index.html'), '<p>Course</p>');
  await writeFile(join(folder, 'course/.env'), 'KEY=1');
  await writeFile(join(folder, 'course/lesson one/plan.txt'), 'The plan');
  await mkdir(join(folder, 'course/.git'));
  await writeFile(join(folder, 'course/.git/config'), 'KEY=1');
  await mkdir(join(folder, 'elsewhere'));
  await writeFile(join(folder, 'elsewhere/secret.txt'), 'outside of the folder');
  await symlink(join(folder, 'secret.txt'), join(folder, 'course/link.txt'));
  await symlink('../secret.txt', join(folder, 'course/relative.txt'));
  await symlink(join(folder, 'elsewhere'), join(folder, 'course/linked'));
  await symlink('link.txt', join(folder, 'course/chain.txt'));
  await symlink('.env', join(folder, 'course/env.txt'));
  await symlink('notes.html', join(folder, 'course/inside.html'));
  await symlink('/dev/zero', join(folder, 'course/zero'));
  await symlink('/proc/self/environ', join(folder, 'course/environment'));
  await symlink('loop', join(folder, 'course/loop'));
  await symlink(join(folder, 'course'), join(folder, 'current'));
  execFileSync('mkfifo', [join(folder, 'course/pipe')]);
  await utimes(join(folder, 'course/notes.html'), 1_700_000_000, 1_700_000_000);
});
afterAll(() => rm(folder, { recursive: true }));

describe.each<[string, () => Express]>([
  ['Express 5', express],
  ['Express 4', express4 as unknown as () => Express],
])('gatedFiles on %s', (_version, createApp) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await startShop({
      createApp,
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/', (_request, response) => response.send('Start'));
        app.use('/course', auth.gatedFiles(join(folder, 'course'), members, { upgradeUrl: '/join' }));
        app.use(express.static(join(folder, 'public')));
      },
    });
  });
  afterEach(() => shop.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    shop.browser.request(`${shop.url}${path}`, { headers });

  it('serves a file to a member, who has to ask again before each use', async () => {
    await shop.signIn(ada);
    const page = await get('/course/notes.html');
    expect(page).toMatchObject({ status: 200, text: '<p>Notes</p>' });
    expect(page.headers.get('cache-control')).toBe('private, no-cache');
    expect(page.headers.get('vary')).toContain('Cookie');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect((await get('/course/lesson%20one/plan.txt')).text).toBe('The plan');
    expect((await get('/course/')).text).toBe('<p>Course</p>');
  });

  it('rejects visitors and non-members as requireMembership does', async () => {
    expect(await get('/course/video.mp4')).toMatchObject({
      status: 401,
      json: { error: 'sign_in_required' },
    });
    const away = await shop.browser.open(`${shop.url}/course/notes.html`, { follow: false });
    expect(away.headers.get('location')).toBe(`${shop.url}/auth/login?returnTo=%2Fcourse%2Fnotes.html`);
    await shop.signIn(ben);
    const rejected = await get('/course/video.mp4', { range: 'bytes=0-9' });
    expect(rejected).toMatchObject({
      status: 403,
      json: { error: 'membership_required', upgradeUrl: '/join' },
    });
    expect(rejected.headers.get('cache-control')).toBe('private, no-store');
    expect((await get('/course/missing.mp4')).status).toBe(403);
  });

  it('serves ranges of a video', async () => {
    await shop.signIn(ada);
    const part = await fetch(`${shop.url}/course/video.mp4`, {
      headers: { range: 'bytes=100-199', cookie: shop.browser.headerFor('/') },
    });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe('bytes 100-199/1000');
    expect(part.headers.get('cache-control')).toBe('private, no-cache');
    expect(Buffer.from(await part.arrayBuffer())).toEqual(VIDEO.subarray(100, 200));
    const end = await get('/course/video.mp4', { range: 'bytes=-5' });
    expect(end.headers.get('content-range')).toBe('bytes 995-999/1000');
    expect((await get('/course/video.mp4', { range: 'bytes=2000-' })).status).toBe(416);
  });

  it('answers conditional requests with 304, to members only', async () => {
    await shop.signIn(ada);
    const { headers } = await get('/course/notes.html');
    const etag = headers.get('etag') ?? '';
    const modified = headers.get('last-modified') ?? '';
    const cookie = shop.browser.headerFor('/');
    const conditional = (condition: Record<string, string>) =>
      getRaw(shop.url, '/course/notes.html', { cookie, ...condition });
    expect(await conditional({ 'if-none-match': etag })).toMatchObject({
      status: 304,
      text: '',
      headers: { 'cache-control': 'private, no-cache' },
    });
    expect((await conditional({ 'if-modified-since': modified })).status).toBe(304);
    expect((await conditional({ range: 'bytes=0-3', 'if-range': '"another"' })).status).toBe(200);
    expect((await conditional({ 'if-none-match': etag, cookie: '' })).status).toBe(401);
  });

  const WAYS_ROUND = [
    '/course//notes.html',
    '/course/./notes.html',
    '/course/x/../notes.html',
    '/course/%6eotes.html',
    '/course/lesson%20one/..%2fnotes.html',
    '/course%2fnotes.html',
    '/%63ourse/notes.html',
    '//course/notes.html',
    '/./course/notes.html',
    '/public/../course/notes.html',
    '/COURSE/notes.html',
    '/course\\notes.html',
    '/course;/notes.html',
    '/course/notes.html/',
    '/course/notes.html%00.txt',
  ];

  it.each(WAYS_ROUND)('serves nothing of the folder to a non-member at %s', async (path) => {
    await shop.signIn(ben);
    const cookie = shop.browser.headerFor('/');
    for (const headers of [{}, { cookie }]) {
      const page = await getRaw(shop.url, path, headers);
      expect([301, 302, 400, 401, 403, 404]).toContain(page.status);
      expect(page.text).not.toContain('Notes');
    }
  });

  it.each([
    '/course/../secret.txt',
    '/course/..%2fsecret.txt',
    '/course/%2e%2e/secret.txt',
    '/course/%2e%2e%2fsecret.txt',
    '/course/..%5csecret.txt',
    '/course/lesson%20one/%2e%2e/%2e%2e/secret.txt',
    '/course/.env',
    '/course/%2eenv',
    '/course/.git/config',
    '/course/lesson%20one/../.env',
    '/course/..%c0%af..%c0%afsecret.txt',
    '/course/..%252fsecret.txt',
    '/course/%252e%252e/secret.txt',
    '/course/..%2f..%2f..%2f..%2f..%2fetc/passwd',
    '/course//..//secret.txt',
    '/course/lesson%20one%5c..%5c..%5csecret.txt',
    '/course/C:%5csecret.txt',
    '/course/notes.html::$DATA',
    '/course/notes.html%00',
    '/course/%ff',
    '/course/link.txt',
    '/course/relative.txt',
    '/course/chain.txt',
    '/course/linked/secret.txt',
    '/course/linked/',
    '/course/linked',
    '/course/env.txt',
    '/course/inside.html',
    '/course/zero',
    '/course/environment',
    '/course/loop',
    '/course/pipe',
  ])('serves nothing outside of the folder and no dotfile to a member at %s', async (path) => {
    await shop.signIn(ada);
    const page = await getRaw(shop.url, path, { cookie: shop.browser.headerFor('/') });
    expect([400, 403, 404]).toContain(page.status);
    expect(page.text).not.toMatch(/outside|KEY|Notes|PATH=|root:/);
  });

  it('never redirects a member to another site', async () => {
    await shop.signIn(ada);
    const cookie = shop.browser.headerFor('/');
    const paths = ['/course//evil.example/..', '/course/lesson%20one', '/course//lesson%20one'];
    for (const path of [...paths, 'http://evil.example/course/lesson%20one']) {
      const { location } = (await getRaw(shop.url, path, { cookie })).headers;
      if (location !== undefined) expect(new URL(location, shop.url).origin).toBe(shop.url);
    }
  });

  it('passes requests of members for missing files and other methods to the next handler', async () => {
    await shop.signIn(ada);
    expect((await get('/course/missing.html')).status).toBe(404);
    const posted = await shop.browser.request(`${shop.url}/course/notes.html`, { method: 'POST' });
    expect(posted.status).toBe(404);
  });
});

describe('gatedFiles', () => {
  it('serves a folder that is reached by a link, as the newest release of a site', async () => {
    const shop = await startShop({
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/', (_request, response) => response.send('Start'));
        app.use('/course', auth.gatedFiles(join(folder, 'current'), members));
      },
    });
    await shop.signIn(ada);
    expect((await shop.browser.request(`${shop.url}/course/notes.html`)).text).toBe('<p>Notes</p>');
    expect((await shop.browser.request(`${shop.url}/course/link.txt`)).status).toBe(404);
    await shop.close();
  });

  it('serves nothing from elsewhere while a folder and a file turn into links and back', async () => {
    const course = await mkdtemp(join(folder, 'race-'));
    await mkdir(join(course, 'part'));
    await writeFile(join(course, 'part/secret.txt'), 'inside');
    const shop = await startShop({
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/', (_request, response) => response.send('Start'));
        app.use('/course', auth.gatedFiles(course, members));
      },
    });
    await shop.signIn(ada);
    const cookie = shop.browser.headerFor('/');
    let isOver = false;
    const swapping = (async () => {
      while (!isOver) {
        await rename(join(course, 'part'), join(course, 'away'));
        await symlink(join(folder, 'elsewhere'), join(course, 'part'));
        await unlink(join(course, 'part'));
        await rename(join(course, 'away'), join(course, 'part'));
        await symlink(join(folder, 'secret.txt'), join(course, 'new'));
        await rename(join(course, 'new'), join(course, 'part/secret.txt'));
        await writeFile(join(course, 'new'), 'inside');
        await rename(join(course, 'new'), join(course, 'part/secret.txt'));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const texts = new Set<string>();
    for (let round = 0; round < 60; round += 1) {
      const pages = Array.from({ length: 10 }, () => getRaw(shop.url, '/course/part/secret.txt', { cookie }));
      for (const page of await Promise.all(pages))
        texts.add(page.status === 200 ? page.text : String(page.status));
    }
    isOver = true;
    await swapping;
    await shop.close();
    expect([...texts]).toContain('inside');
    expect([...texts].filter((text) => text !== 'inside' && text !== '404')).toEqual([]);
  });

  it('answers sockets with 404, and sends HEAD, empty files and wrong preconditions without a body', async ({
    onTestFinished,
  }) => {
    await writeFile(join(folder, 'course/empty.txt'), '');
    await link(join(folder, 'course/notes.html'), join(folder, 'course/copy.html'));
    const socket = createServer().listen(join(folder, 'course/socket'));
    onTestFinished(() => void socket.close());
    const shop = await startShop({
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/', (_request, response) => response.send('Start'));
        app.use('/course', auth.gatedFiles(join(folder, 'course'), members));
      },
    });
    onTestFinished(() => shop.close());
    await shop.signIn(ada);
    const cookie = shop.browser.headerFor('/');
    const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${shop.url}${path}`, { headers: { cookie, ...headers }, method });
    expect((await ask('/course/socket')).status).toBe(404);
    expect(await (await ask('/course/empty.txt')).text()).toBe('');
    const head = await ask('/course/video.mp4', {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '1000', '']);
    expect((await ask('/course/notes.html', { 'if-match': '"other"' })).status).toBe(412);
    const old = 'Mon, 01 Jan 2001 00:00:00 GMT';
    expect((await ask('/course/notes.html', { 'if-unmodified-since': old })).status).toBe(412);
    expect((await ask('/course/notes.html', { 'if-match': '*' })).status).toBe(200);
    expect((await ask('/course/video.mp4', { range: 'bytes=0-1,5-6' })).status).toBe(200);
    expect((await ask('/course/copy.html')).status).toBe(200);
  });
});

describe('the options of gatedFiles', () => {
  const routes = (create: (auth: Latchkey) => unknown) =>
    startShop({ routes: (_app, auth) => void create(auth) });

  it('reject a folder that does not exist', async () => {
    await expect(routes((auth) => auth.gatedFiles(join(folder, 'nothing'), members))).rejects.toThrow(
      /gatedFiles folder: does not exist or is not a folder: ".*nothing"/,
    );
    await expect(routes((auth) => auth.gatedFiles(join(folder, 'secret.txt'), members))).rejects.toThrow(
      /is not a folder/,
    );
    await expect(routes((auth) => auth.gatedFiles('', members))).rejects.toThrow(
      /must be the path of a folder/,
    );
  });

  it('are those of requireMembership', async () => {
    await expect(
      routes((auth) => auth.gatedFiles(folder, members, { holdSeconds: 1 } as never)),
    ).rejects.toThrow(/gatedFiles holdSeconds: is not an option of this gate/);
  });
});

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type NextFunction, type Response, Router } from 'express';
import type { Services } from '../../app/services.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/http-failure.js';
import { requestQuery } from '../../platform/http/request-input.js';
import { currentLanguage, phrase, t } from '../../platform/language/language.js';
import { renderDocument } from '../../web/kit/frame/document.js';
import { sendMessage } from '../../web/kit/frame/message-page.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { AlertIcon } from '../../web/kit/parts/icons.js';
import { findClient } from '../clients/clients.js';

const MAIN = 'latchkey.js';

/** The module that `latchkey.js` imports for a sign-in. The import has the hash of its contents, as `?v=`. */
const PART = 'latchkey-sign-in.js';

export const WIDGET_FILES = [
  MAIN,
  PART,
  'latchkey-all.js',
  'latchkey-plans.js',
  'callback.js',
  'messages/registry.js',
  ...['ar', 'de', 'es', 'fr', 'ja', 'pt'].map((language) => `messages/${language}.js`),
] as const;

interface WidgetRelease {
  /** Hash of the contents. Each build has a different one. */
  name: string;
  part: string;
  contents: Readonly<Record<string, string>>;
}

/** Reads the build in a folder. Returns `undefined` if a file is missing: the widget isn't built. */
async function readWidgetRelease(directory: string): Promise<WidgetRelease | undefined> {
  const contents: Record<string, string> = {};
  const hash = createHash('sha256');
  for (const file of WIDGET_FILES) {
    const content = await readFile(join(directory, file), 'utf8').catch(() => undefined);
    if (content === undefined) return undefined;
    hash.update(`${file}\n${content}\n`);
    contents[file] = content;
  }
  const part = createHash('sha256').update(`${contents[PART]}`).digest('hex').slice(0, 16);
  return { name: hash.digest('hex').slice(0, 16), part, contents };
}

/** Reads and hashes the build again only after one of its files has changed. A request costs one `stat` per file. */
export function createReleaseReader(directory: string | undefined): () => Promise<WidgetRelease | undefined> {
  let read: { state: string; release: Promise<WidgetRelease | undefined> } | undefined;
  return async () => {
    if (directory === undefined) return undefined;
    const files = await Promise.all(
      WIDGET_FILES.map((file) => stat(join(directory, file)).catch(() => undefined)),
    );
    const state = files.map((file) => (file ? `${file.mtimeMs} ${file.size} ${file.ino}` : 'none')).join();
    if (read?.state !== state) read = { state, release: readWidgetRelease(directory) };
    return await read.release;
  };
}

/** Browsers may use a cached copy of a script for ten minutes. */
const SCRIPT_CACHING = 'public, max-age=600';

/** Allows only the service's own script, style and requests: the page's URL contains a code. */
const CALLBACK_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** All sites may load the scripts, as classic scripts and as modules. */
const OPEN_TO_ALL = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

const RELEASE_NAME = /^[0-9a-f]{16}$/;

/** The name of a release is a hash of its contents, so browsers can cache its files forever. */
const RELEASE_CACHING = 'public, max-age=31536000, immutable';

/**
 * Routes of the widget: its scripts at stable URLs, which change with each build, and at permanent URLs for each release.
 * `release.json` lists the permanent URLs. `/widget/callback/{clientId}` is the redirect target of the popup.
 */
export function widgetRoutes(needs: Services): Router {
  const { baseUrl, clock, db, widgetDirectory, widgetCache } = needs;
  const router = Router({ caseSensitive: true, strict: true });
  const onlyGet = methodNotAllowed('GET');
  const currentRelease = createReleaseReader(widgetDirectory);
  router
    .route('/widget/release.json')
    .get(async (_request, response) => {
      const release = await currentRelease();
      if (release === undefined) return notBuilt(response, 'The widget');
      // A site that reads this may pin the release, and must still find it here after the next one is installed.
      await keepWidgetRelease(db, release, clock.now());
      const files = Object.entries(release.contents).map(([file, content]) => {
        const integrity = `sha384-${createHash('sha384').update(content).digest('base64')}`;
        return [file, { url: `${baseUrl}/widget/${release.name}/${file}`, integrity }];
      });
      response
        .set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' })
        .json({ name: release.name, files: Object.fromEntries(files) });
    })
    .all(onlyGet);

  let kept: string | undefined;
  /** A browser with a cached `latchkey.js` may request the module after the next build is installed. */
  const keepPart = async () => {
    const release = await currentRelease();
    if (release === undefined || release.part === kept) return;
    const contents = { [PART]: `${release.contents[PART]}` };
    await keepWidgetRelease(db, { name: release.part, contents }, clock.now());
    kept = release.part;
  };
  const sendKept = async (
    release: string,
    file: string,
    { response, next }: { response: Response; next: NextFunction },
  ) => {
    const current = await currentRelease();
    const isCurrent = release === current?.name || (file === PART && release === current?.part);
    const content = isCurrent ? current?.contents[file] : await findWidgetFile(db, release, file);
    if (content === undefined) return next('router');
    response.set({ ...OPEN_TO_ALL, 'Cache-Control': RELEASE_CACHING });
    response.type('text/javascript').send(content);
  };

  for (const file of WIDGET_FILES) {
    router
      .route(`/widget/${file}`)
      .get(async (request, response, next) => {
        const version = requestQuery(request).get('v');
        if (file === PART && version !== null) return await sendKept(version, file, { response, next });
        const path = widgetDirectory && join(widgetDirectory, file);
        if (path === undefined || !(await isReadable(path))) return notBuilt(response, file);
        if (file === MAIN) await keepPart();
        response.set({ ...OPEN_TO_ALL, 'Cache-Control': widgetCache ? SCRIPT_CACHING : 'no-cache' });
        response.type('text/javascript').sendFile(path, { cacheControl: false, dotfiles: 'allow' });
      })
      .all(onlyGet);
    router
      .route(`/widget/:release/${file}`)
      .get(async (request, response, next) => {
        const { release } = request.params;
        if (!RELEASE_NAME.test(release)) return next('router');
        await sendKept(release, file, { response, next });
      })
      .all(onlyGet);
  }

  router
    .route('/widget/callback/:clientId')
    .get(async (request, response) => {
      const client = await findClient(db, request.params.clientId);
      if (client === undefined) {
        return sendMessage(response, 404, {
          title: t('No such app'),
          text: t('The address names an app that is not registered here.'),
        });
      }
      const page = widgetCallbackPage({ clientId: client.clientId, baseUrl, clientName: client.name });
      const headers = { 'Content-Security-Policy': CALLBACK_POLICY, 'Referrer-Policy': 'no-referrer' };
      sendPage(response, page, { headers });
    })
    .all(onlyGet);
  return router;
}

function notBuilt(response: Response, what: string): void {
  response
    .status(503)
    .type('text/plain')
    .set('Cache-Control', 'no-store')
    .send(`${what} of @latchkey/widget is not built. Run "npm run build", or set the option widgetAssets.\n`);
}

async function isReadable(path: string): Promise<boolean> {
  return await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Renders the redirect target of the popup. Its script `/widget/callback.js` passes the code to the widget and closes
 * the window, or shows an error. It finds the elements by their ids.
 */
export function widgetCallbackPage(props: { clientId: string; baseUrl: string; clientName: string }): Page {
  return renderDocument({
    title: t('Finishing sign-in to {app}', { app: props.clientName }),
    layout: 'card',
    scripts: ['/widget/callback.js'],
    children: (
      <main
        class="card message callback"
        id="callback"
        data-client-id={props.clientId}
        data-base-url={props.baseUrl}
        {...(currentLanguage().language !== 'en' && { 'data-texts': scriptTexts() })}
      >
        <span class="spinner" aria-hidden="true" />
        <span class="state-icon when-refused">
          <AlertIcon />
        </span>
        <h1 id="callback-title">{t('Signing in to {app}', { app: <bdi>{props.clientName}</bdi> })}</h1>
        <p class="lead" id="callback-text" role="status">
          {t('Finishing sign-in…')}
        </p>
        <p class="detail" id="callback-detail" hidden />
        <p class="hint" id="callback-hint" hidden />
        <button class="button primary" id="callback-close" type="button" hidden>
          {t('Close this window')}
        </button>
        <noscript>
          <p class="hint">
            {t(
              'Sign-in needs JavaScript. Allow it for this page and reload, or close this window and start again.',
            )}
          </p>
        </noscript>
      </main>
    ),
  });
}

/** Strings of `callback.js`, which finds their translations by the English string, here and in `callback.html`. */
export const SCRIPT_TEXTS: readonly string[] = [
  phrase('This page must not be framed'),
  phrase('It finishes a sign-in only in its own window.'),
  phrase('Nothing to finish here'),
  phrase(
    'This page finishes a sign-in that a site started. Close this window and sign in again from the site.',
  ),
  phrase('The site is out of reach'),
  phrase(
    'The page that started this sign-in was closed, or its settings cut it off from this window. Nothing was sent to it. Close this window and sign in again.',
  ),
  phrase(
    'For the owner of the site: its header Cross-Origin-Opener-Policy must not be “same-origin”; “same-origin-allow-popups” works.',
  ),
  phrase('You can close this window'),
  phrase(
    'The sign-in in this window is finished. If the site does not show your account, sign in again from the site.',
  ),
  phrase('The connection failed'),
  phrase(
    'The service could not check whether this site may receive your sign-in. Try again within a minute, or sign in again from the site.',
  ),
  phrase('Try again'),
  phrase('This site may not receive your sign-in'),
  phrase('The application does not allow this site to receive your sign-in. Nothing was sent to the site.'),
  phrase(
    'For the owner of the application: to allow the site, add exactly this origin to the “Allowed web origins” of the client.',
  ),
  phrase('For the owner of the site: this callback page works for pages of {origin} only.'),
  phrase('Close this window'),
];

function scriptTexts(): string {
  return JSON.stringify(Object.fromEntries(SCRIPT_TEXTS.map((text) => [text, t(text)])));
}

async function keepWidgetRelease(
  db: Database,
  { name, contents }: Pick<WidgetRelease, 'name' | 'contents'>,
  now: number,
): Promise<void> {
  const files = Object.entries(contents).map(([file, content]) => ({
    release: name,
    file,
    content,
    released_at: now,
  }));
  await db
    .insertInto('widget_files')
    .values(files)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function findWidgetFile(db: Database, release: string, file: string) {
  const row = await db
    .selectFrom('widget_files')
    .select('content')
    .where('release', '=', release)
    .where('file', '=', file)
    .executeTakeFirst();
  return row?.content;
}

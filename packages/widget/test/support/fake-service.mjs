// The site of the service in browser tests: the fake API and the callback page, as middleware of the test server. The id
// of a client contains the name of its behaviour, so that tests share no state: `declines`, `refuses`, `stays`, … Every other
// client signs in at once. `live.localhost` is a service without the widget's files, and `no-cors.localhost` one whose
// responses no page may read.
import { createFakeService, fakeUser, readRequest, respond } from '@latchkey/conformance/scripted-service';
import { clientId, clientName } from './client-id.ts';

const CALLBACK = /^\/widget\/callback\/([\w-]+)$/;

const service = createFakeService({
  credentials: 'unchecked',
  visitor: fakeUser('ada@example.com', [{}]),
  clients: [{ clientId: clientId('refuses'), name: 'A shop', allowedOrigins: [] }],
  newToken: (kind, _serial, client) => (kind === 'code' ? 'the-code' : `${kind}-${client}`),
  fallback: ({ path }) => callbackPage(CALLBACK.exec(path)?.[1]),
});
service.on('/oauth/authorize', ({ query }) => {
  const name = clientName(query.get('client_id'));
  if (name === 'stays') return html('<!doctype html><title>Sign in</title><h1>Sign in</h1>');
  if (name === 'isolated') return isolated(query);
  if (name === 'declines') return declined(query);
});
service.on('/oauth/token', ({ form }) => {
  if (clientName(form.get('client_id')) === 'late')
    return Response.json({ error: 'invalid_grant' }, { status: 400 });
  if (clientName(form.get('client_id')) === 'down') return Response.json({}, { status: 503 });
});
service.on(`/oauth/client/${clientId('unknown')}`, respond(404, { success: false, errorCode: 'not_found' }));
service.on(`/oauth/client/${clientId('broken')}`, respond(503, {}));

export async function fakeService(context, next) {
  const { path, hostname } = context;
  if (/^(live|no-cors)\./.test(hostname) && path.startsWith('/widget/')) {
    context.status = 404;
    context.body = 'Not found';
    return;
  }
  if (path === '/site/page') {
    context.type = 'html';
    context.body = sitePage(context.query.attributes);
    return;
  }
  if (path === '/site/parts') {
    if (context.query.policy) context.set('content-security-policy', context.query.policy);
    context.type = 'html';
    context.body = partsPage(context);
    return;
  }
  const [, behaviour, partFile] = /^\/parts\/([\w-]+)\/([\w.-]+)$/.exec(path) ?? [];
  if (behaviour) return await servePart(context, next, behaviour, partFile);
  const [, siteFile] = /^\/latchkey\/((?:latchkey|latchkey-sign-in|callback)\.(?:js|html))$/.exec(path) ?? [];
  if (siteFile) {
    context.url = `/packages/widget/dist/${siteFile}${context.search}`;
    return next();
  }
  if (/^\/widget\/(callback|latchkey(-plans|-sign-in|-all)?)\.js$/.test(path)) {
    // A module from another origin is loaded with CORS only.
    context.set('access-control-allow-origin', '*');
    context.url = `/packages/widget/dist/${path.slice('/widget/'.length)}`;
    return next();
  }
  if (!path.startsWith('/oauth/') && !CALLBACK.test(path)) return next();
  const { response } = await service.handle(await readRequest(context.req));
  if (hostname.startsWith('no-cors.')) response.headers.delete('access-control-allow-origin');
  context.status = response.status;
  context.set(Object.fromEntries(response.headers));
  context.body = await response.text();
}

function declined(query) {
  return new Response(null, {
    status: 302,
    headers: { location: answerUrl(query, { error: 'access_denied' }) },
  });
}

/** A page of the service that severs the popup from its opener, and goes on by itself. */
function isolated(query) {
  const target = answerUrl(query, { code: 'the-code' }).replaceAll('&', '&amp;');
  return html(`<!doctype html><title>Sign in</title><meta http-equiv="refresh" content="1;url=${target}">`, {
    'cross-origin-opener-policy': 'same-origin',
  });
}

function answerUrl(query, answer) {
  const target = new URL(query.get('redirect_uri'));
  for (const [name, value] of Object.entries({ ...answer, state: query.get('state') }))
    target.searchParams.set(name, value);
  return target.href;
}

function callbackPage(client) {
  if (client === undefined) return undefined;
  const name = clientName(client);
  if (name === 'german') return html(page.replace('<main ', `<main data-texts='${JSON.stringify(GERMAN)}' `));
  return name === 'severed'
    ? html(`${page}${report}`, { 'cross-origin-opener-policy': 'same-origin' })
    : html(page);
}

function html(body, headers = {}) {
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } });
}

/** Texts that the service sends to a visitor who reads German. */
const GERMAN = {
  'Nothing to finish here': 'Hier ist nichts abzuschließen',
  'Close this window': 'Dieses Fenster schließen',
};

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Finishing sign-in</title>
<main id="callback" data-client-id="oac_from_the_page" data-base-url="/">
<h1 id="callback-title">Signing in</h1><p id="callback-text" role="status">Finishing sign-in…</p>
<p id="callback-detail" hidden></p><p id="callback-hint" hidden></p>
<button id="callback-close" type="button" hidden>Close this window</button></main>
<script src="/widget/callback.js"></script></html>`;

/** A severed window reports its own content, because no other page can read it. */
const report = `<script>
const asked = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
new BroadcastChannel('callback-report').postMessage({
  text: document.querySelector('main').innerText,
  asked: asked.filter((path) => path.startsWith('/oauth/')),
});
</script>`;

/** A page of a site that serves the widget's files itself. */
function sitePage(attributes) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page of the site</title>
<script src="/latchkey/latchkey.js"></script><latchkey-login ${attributes}></latchkey-login></html>`;
}

/** A page whose scripts come from the service, such as `good/latchkey.js`. They have the nonce `n`. */
function partsPage({ query, origin }) {
  // The page to which a redirect returns has the same settings.
  const redirect = `client-id="${clientId('good')}" mode="redirect" storage="local" return-url="/site/parts?redirect"`;
  const { scripts = 'good/latchkey.js', attributes = 'redirect' in query ? redirect : undefined } = query;
  const service = origin.replace('localhost', '127.0.0.1');
  const tags = scripts
    .split(' ')
    .map((src) => `<script nonce="n" defer src="${service}/parts/${src}"></script>`);
  const login = attributes === undefined ? '' : `<latchkey-login ${attributes}></latchkey-login>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>${tags.join('')}${login}</html>`;
}

/** What each folder waits for. */
const waiting = new Map();
const released = new Set();

/**
 * A folder of the widget's files. Its name begins with what happens to the part of `latchkey.js`: `missing`, `changed`, `late`
 * (until `release` is requested), `early` (missing until then), or anything else, such as `good`.
 */
async function servePart(context, next, folder, file) {
  context.set({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  const release = waiting.get(folder) ?? Promise.withResolvers();
  waiting.set(folder, release);
  if (file === 'release') {
    release.resolve();
    released.add(folder);
    context.body = 'released';
    return;
  }
  if (file === 'latchkey-sign-in.js') {
    if (folder.startsWith('late')) await release.promise;
    if (folder.startsWith('missing') || (folder.startsWith('early') && !released.has(folder))) {
      context.status = 404;
      context.body = 'Not found';
      return;
    }
    if (folder.startsWith('changed')) {
      context.type = 'js';
      context.body = 'window.hacked = true; export default () => ({});';
      return;
    }
  }
  context.url = `/packages/widget/dist/${file}`;
  await next();
}

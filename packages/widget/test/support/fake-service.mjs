// The service's part of the popup flow, just enough of it, as middleware of the test server. What it does is named by the
// client id, so that it needs no memory: `oac_declines`, `oac_refuses`, `oac_stays`, … Any other client signs in at once.
const CALLBACK = /^\/widget\/callback\/([\w-]+)$/;
const CLIENT = /^\/oauth\/client\/([\w-]+)$/;

const user = { sub: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0001', email: 'ada@example.com' };
const membership = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0002',
  productType: 'community',
  isActive: true,
  validFrom: '2025-01-01T00:00:00.000Z',
};

export async function fakeService(context, next) {
  const { path, query, method } = context;
  if (path === '/oauth/authorize') return authorize(context, query);
  const called = CALLBACK.exec(path)?.[1];
  if (called) return callback(context, called);
  // A module from another origin is loaded with CORS only.
  context.set('access-control-allow-origin', '*');
  if (path === '/widget/callback.js' || path === '/widget/latchkey.js') {
    context.url = `/packages/widget/dist/${path.slice('/widget/'.length)}`;
    return next();
  }
  const client = CLIENT.exec(path)?.[1];
  if (client) return clientIdentity(context, client, query);
  if (!path.startsWith('/oauth/')) return next();

  context.set('access-control-allow-headers', 'authorization, content-type');
  if (method === 'OPTIONS') {
    context.status = 204;
  } else if (path === '/oauth/token') token(context, await formOf(context.req));
  else if (path === '/oauth/userinfo') json(context, 200, user);
  else if (path === '/oauth/memberships') json(context, 200, { memberships: [membership] });
}

function authorize(context, { client_id: client, redirect_uri: redirectUri, state }) {
  if (client === 'oac_stays') return html(context, '<!doctype html><title>Sign in</title><h1>Sign in</h1>');
  const answer = client === 'oac_declines' ? { error: 'access_denied' } : { code: 'the-code' };
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, state })) address.searchParams.append(name, value);
  context.redirect(address.href);
}

function callback(context, client) {
  if (client === 'oac_severed') context.set('cross-origin-opener-policy', 'same-origin');
  html(context, client === 'oac_severed' ? `${callbackPage}${report}` : callbackPage);
}

function clientIdentity(context, client, { widget_origin: origin }) {
  if (client === 'oac_unknown') {
    return json(context, 404, { success: false, errorCode: 'not_found', message: 'No such client.' });
  }
  if (client === 'oac_broken') return json(context, 503, {});
  const widgetOriginAllowed = client !== 'oac_refuses' && origin !== undefined;
  json(context, 200, { success: true, data: { clientId: client, name: 'A shop', widgetOriginAllowed } });
}

function token(context, form) {
  const client = form.get('client_id');
  if (client === 'oac_late') return json(context, 400, { error: 'invalid_grant' });
  if (client === 'oac_down') return json(context, 503, {});
  json(context, 201, {
    access_token: `access-${client}`,
    refresh_token: `refresh-${client}`,
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'memberships.read',
  });
}

const callbackPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Finishing sign-in</title>
<main id="callback" data-client-id="oac_from_the_page" data-base-url="/">
<h1 id="callback-title">Signing in</h1><p id="callback-text" role="status">Finishing sign-in…</p>
<p id="callback-detail" hidden></p><p id="callback-hint" hidden></p>
<button id="callback-close" type="button" hidden>Close this window</button></main>
<script src="/widget/callback.js"></script></html>`;

/** A window that is cut off can be looked into by nobody: it reports by itself. */
const report = `<script>
const asked = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
new BroadcastChannel('callback-report').postMessage({
  text: document.querySelector('main').innerText,
  asked: asked.filter((path) => path.startsWith('/oauth/')),
});
</script>`;

function html(context, body) {
  context.type = 'text/html; charset=utf-8';
  context.body = body;
}

function json(context, status, body) {
  context.status = status;
  context.type = 'application/json';
  context.body = JSON.stringify(body);
}

async function formOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
}

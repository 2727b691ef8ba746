// The floor: hand-written code for one button that signs in through a popup. It reports no failure, stores no session and
// refreshes no token.
const button = document.querySelector('button');
const service = new URL(document.currentScript.src).origin;
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const verifier = random();
const state = base64url(new TextEncoder().encode(JSON.stringify({ n: random(), o: location.origin })));
const redirectUri = `${service}/widget/callback/oac_floor`;
let popup;

crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)).then((digest) => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'oac_floor',
    redirect_uri: redirectUri,
    scope: 'memberships.read',
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  });
  button.onclick = () => {
    popup = open(`${service}/oauth/authorize?${query}`, 'sign-in', 'popup,width=480,height=640');
  };
});

addEventListener('message', async ({ origin, source, data }) => {
  if (origin !== service || source !== popup || data.state !== state) return;
  popup.close();
  const form = { grant_type: 'authorization_code', client_id: 'oac_floor', code: data.code };
  const body = new URLSearchParams({ ...form, redirect_uri: redirectUri, code_verifier: verifier });
  const tokens = await (await fetch(`${service}/oauth/token`, { method: 'POST', body })).json();
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const [user] = await Promise.all(
    ['userinfo', 'memberships'].map(async (name) =>
      (await fetch(`${service}/oauth/${name}`, { headers })).json(),
    ),
  );
  button.textContent = user.email;
  dispatchEvent(new Event('signed-in'));
});

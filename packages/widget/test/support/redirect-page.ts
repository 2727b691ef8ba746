import { createLoginSession, type LoginSession } from '../../src/session/index.js';

declare global {
  interface Window {
    session: LoginSession;
    /** What the page's address was when the session had been made. */
    addressAfter: string;
  }
}

/** A page of the site with a session of its own, set by what is behind the `#` of its address. */
const { client, ...settings } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const kept = JSON.parse(sessionStorage.getItem('settings') ?? 'null') ?? { client, settings };
sessionStorage.setItem('settings', JSON.stringify(kept));

window.session = createLoginSession({
  clientId: kept.client,
  serviceUrl: location.origin.replace('localhost', '127.0.0.1'),
  mode: 'redirect',
  returnUrl: new URL('redirect-page.html?return', import.meta.url).href,
  ...kept.settings,
});
window.addressAfter = location.href;

import { createLoginSession, type LoginSession } from '../../src/session/index.js';

declare global {
  interface Window {
    session: LoginSession;
    /** Address of the page after the session was created. */
    addressAfter: string;
  }
}

/** A page of the site with its own session. The fragment of its address contains the settings. */
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

import { backendDrawer, howButton } from '../how/how-drawer.js';
import { Html, html } from '../html.js';

/** Addresses of the running demo. */
interface ShopPlaces {
  serviceUrl: string;
  scriptTagShopUrl: string;
  clientId: string;
}

/** The request's data that the layout needs. */
export interface PageFrame {
  places: ShopPlaces;
  title: string;
  /** Path of the page. The navigation marks it, and a sign-in returns to it. */
  path: string;
  /** The signed-in user of the server's session, or undefined. */
  signedInAs: string | undefined;
}

/** The layout of every page of the shop. The server inserts the visitor's name. */
export function shopLayout({ places, title, path, signedInAs }: PageFrame, main: Html): string {
  const { serviceUrl, scriptTagShopUrl } = places;
  return html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    <link rel="preload" href="/assets/fonts/figtree.woff2" as="font" type="font/woff2" crossorigin>
    <link rel="preload" href="/assets/fonts/bitter-700.woff2" as="font" type="font/woff2" crossorigin>
    <link rel="stylesheet" href="/assets/shop.css">
    <link rel="stylesheet" href="/assets/pages.css">
    <link rel="stylesheet" href="/assets/how.css">
    <script src="/assets/how-room.js"></script>
    <script type="module" src="${serviceUrl}/widget/latchkey.js"></script>
    <script type="module" src="/shop.js"></script>
  </head>
  <body data-signed-in="${signedInAs === undefined ? 'no' : 'yes'}">
    <a class="skip" href="#main">Skip to the page</a>
    <aside class="strip" aria-label="About this demo">
      <div class="wrap">
        <div class="strip-links sideways">
          <ul>
            <li><a href="${scriptTagShopUrl}/">Static shop</a></li>
            <li><a href="/" aria-current="true">Shop with a backend</a></li>
          </ul>
          <ul class="aside">
            <li><a href="${serviceUrl}/sandbox">Service sandbox</a></li>
          </ul>
        </div>
        ${howButton}
      </div>
    </aside>
    <header class="masthead">
      <div class="wrap">
        <a class="brand" href="/"><svg aria-hidden="true"><use href="/assets/art.svg#mark"/></svg>Ember &amp; Oak</a>
        <nav class="sideways" aria-label="Shop">
          <ul>
            ${navigationItem('/', 'The club', path)}
            ${navigationItem('/table', 'The Roaster’s Table', path)}
            ${navigationItem('/course', 'The course', path)}
            ${navigationItem('/drop', 'The drop', path)}
          </ul>
        </nav>
        <div class="account">${signedInAs === undefined ? signInLink(path) : signedIn(signedInAs)}</div>
      </div>
    </header>
    <main id="main">
${main}
    </main>
    <footer class="colophon">
      <div class="wrap">
        <div><h2>Ember &amp; Oak</h2><p>Roasters since the shed stopped leaking.</p></div>
        <div><h2>Visit</h2><address>Wren Street 14, round the back</address><p>Tuesday to Saturday, eight to four</p></div>
        <div><h2>This is a demo</h2><p>The shop is invented. The sign-in is real, at a sandbox on this machine.</p></div>
      </div>
    </footer>
${backendDrawer(serviceUrl)}
  </body>
</html>
`.markup;
}

function navigationItem(href: string, text: string, path: string): Html {
  const isHere = href === path ? 'page' : path.startsWith(`${href}/`) && href !== '/' ? 'true' : undefined;
  const current = isHere === undefined ? '' : new Html(` aria-current="${isHere}"`);
  return html`<li><a href="${href}"${current}>${text}</a></li>`;
}

function signInLink(path: string): Html {
  return html`<a class="button button-quiet" href="/auth/login?returnTo=${encodeURIComponent(path)}">Sign in</a>`;
}

function signedIn(name: string): Html {
  return html`<a class="account-name" href="/account" title="Your account"><bdi data-address>${name}</bdi><span data-short>Account</span></a>
          <form method="post" action="/auth/logout"><button class="button button-quiet" type="submit">Sign out</button></form>`;
}

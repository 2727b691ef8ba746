import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const SCRIPTS = {
  '/turbo.js': '../node_modules/@hotwired/turbo/dist/turbo.es2017-umd.js',
  '/htmx.js': '../node_modules/htmx.org/dist/htmx.js',
};

const page = (script) => `<!doctype html><html lang="en"><head><title>A site</title>
<script src="${script}" defer></script><script src="/latchkey.js" defer></script></head><body><main>
<latchkey-login client-id="oac_c0ffee00c0ffee00c0ffee00" service-url="http://127.0.0.1:4400" backend="/auth"></latchkey-login>
<latchkey-gate backend="/auth" community="5eed0000-0000-4000-8000-0000000000c0">
<p>Members see this.</p><p slot="locked">This part is for members.</p></latchkey-gate>
<latchkey-gate backend="/auth" community="5eed0000-0000-4000-8000-0000000000c0" src="/members">
<p slot="locked">This part is for members.</p></latchkey-gate>
<a href="?other" ${script === '/htmx.js' ? 'hx-get="?other" hx-target="body" hx-push-url="true"' : ''}>Other page</a>
</main></body></html>`;

createServer(({ url }, response) => {
  const { pathname } = new URL(url, 'http://localhost');
  const file = SCRIPTS[pathname];
  if (file) response.setHeader('content-type', 'text/javascript').end(readFileSync(file));
  else response.setHeader('content-type', 'text/html').end(page(`${pathname}.js`));
}).listen(process.env.PORT, '127.0.0.1');

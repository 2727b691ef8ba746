import { createServer } from 'node:http';
import express4 from 'express4';
import { expect, it } from 'vitest';
import { latchkey } from '../src/index.js';
import { listen } from './listen.js';
import { COOKIE_SECRET } from './shop.js';

it('on Express 4 every request fails with an error that names the fix', async () => {
  const app = express4();
  app.set('env', 'test');
  const { url, close } = await listen(createServer(app));
  const auth = latchkey({
    serviceUrl: 'https://service.example',
    clientId: `oac_${'a'.repeat(24)}`,
    appUrl: url,
    cookieSecret: COOKIE_SECRET,
  });
  app.use(auth.router);
  app.get(
    '/members',
    auth.requireMembership({ productType: 'community' }),
    (_request: unknown, response: { send(text: string): void }) => response.send('The table is set'),
  );
  for (const path of ['/members', '/auth/login']) {
    const answer = await fetch(`${url}${path}`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('@latchkey/express requires Express 5: npm install express@5');
  }
  await close();
});

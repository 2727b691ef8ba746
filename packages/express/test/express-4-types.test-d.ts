// Compiled, never run. Proves that an app with the types of Express 4 can mount every handler of the kit.
import express4 from 'express4';
import { latchkey } from '../src/index.js';

const auth = latchkey({
  serviceUrl: 'https://service.example',
  clientId: 'oac_a1b2c3d4e5f60718293a4b5c',
  appUrl: 'https://shop.example',
  cookieSecret: 'at least 32 random characters, kept secret',
});
const app = express4();
app.use(auth.router);
app.use('/members', auth.requireMembership({ communityId: 'c' }));
app.get('/account', auth.requireSignIn(), (request, response) => {
  response.send(request.latchkey?.user?.sub);
});
app.get('/orders/:id', auth.requireScope('products.read'), (request, response) => {
  response.json({ order: request.params.id, of: auth.visitor(request).user?.sub });
});
app.get('/view', auth.locals(), (_request, response) => {
  response.json({ isMember: response.locals.latchkey?.signedIn });
});
app.all('/webhooks', auth.webhooks({ secret: 'ab'.repeat(32) }));

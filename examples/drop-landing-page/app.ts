import { isLatchkeyApiError, LatchkeyClient } from '@latchkey/client';
import express from 'express';

const { PORT = '4406', LATCHKEY_SERVICE_URL = 'http://127.0.0.1:4400' } = process.env;
const COMMUNITY_ID = process.env.LATCHKEY_COMMUNITY_ID ?? '5eed0000-0000-4000-8000-0000000000c0';

const service = new LatchkeyClient({
  serviceUrl: LATCHKEY_SERVICE_URL,
  // The key stays on the server and is never sent to a browser. The default is the public key of the sandbox.
  apiKey: process.env.LATCHKEY_API_KEY ?? `svc_${'sandbox'.repeat(6)}0`,
});

/** Messages after a signup, by result. */
const RESULTS = new Map(
  Object.entries({
    // The same for an address that has an account or is on the list already. The page must not reveal whose address that is.
    joined: 'Thank you. We will email you when the drop opens.',
    full: 'This drop is full. Please come back for the next one.',
    none: 'No drop is planned at the moment.',
    foreign: 'Your browser sent the form from another site. Please use the form on this page.',
    check:
      'Please check your email address, and enter the phone number with its country code, for example +44 20 7946 0018.',
    later: 'Your signup could not be saved. Please try again in a minute.',
  }),
);

const app = express();

app.get('/', (request, response) => {
  const result = RESULTS.get(String(request.query.result)) ?? '';
  response.send(`<!doctype html><html lang="en"><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><title>Spring harvest</title>
    <main><h1>Spring harvest</h1><p>Two hundred bags, once a year. Leave your address to be notified first.</p>
    <p role="status">${result}</p>
    <form method="post" action="/signup">
      <p><label>E-mail <input name="email" type="email" required autocomplete="email"></label></p>
      <p><label>Phone, for a text message <input name="phone" type="tel" autocomplete="tel"></label></p>
      <p><button>Notify me</button></p>
    </form></main></html>`);
});

app.post('/signup', express.urlencoded({ extended: false }), async (request, response) => {
  const { email = '', phone = '' } = request.body ?? {};
  // A page of another site could otherwise sign visitors up with its own form.
  const isOwnPage = ['same-origin', undefined].includes(request.get('sec-fetch-site'));
  const result = isOwnPage ? await signUp(String(email), String(phone)) : 'foreign';
  response.redirect(303, `/?result=${result}`);
});

/** Signs an address up for the community's next drop. Returns a key of {@link RESULTS}. */
async function signUp(email: string, phone: string): Promise<string> {
  try {
    const phoneNumber = phone === '' ? undefined : phone;
    // It also succeeds for the address of an account, which is not added.
    await service.dropSignup({ communityId: COMMUNITY_ID, email, phoneNumber });
    return 'joined';
  } catch (error) {
    if (!isLatchkeyApiError(error)) throw error;
    // The client retries after a lost response, so the first attempt may have succeeded.
    if (error.status === 409) return error.errorCode === 'already_exists' ? 'joined' : 'full';
    if (error.status === 400) return 'check';
    if (error.status === 404) return 'none';
    process.stderr.write(`${error.report}\n`);
    return 'later';
  }
}

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));

import { isLatchkeyApiError, LatchkeyClient } from '@latchkey/client';
import express from 'express';

const { PORT = '4406', LATCHKEY_SERVICE_URL = 'http://127.0.0.1:4400' } = process.env;
const COMMUNITY_ID = process.env.LATCHKEY_COMMUNITY_ID ?? '5eed0000-0000-4000-8000-0000000000c0';

const service = new LatchkeyClient({
  serviceUrl: LATCHKEY_SERVICE_URL,
  // Stays on this server: a browser never sees it. The default is the sandbox's key, which everybody may know.
  apiKey: process.env.LATCHKEY_API_KEY ?? `svc_${'sandbox'.repeat(6)}0`,
});

/** What the page says after a signup. */
const RESULTS = new Map(
  Object.entries({
    joined: 'You are on the list. We will write to you when the drop opens.',
    account: 'You have an account already, so you will hear of the drop there.',
    already: 'You are on the list already.',
    full: 'Every place of this drop is taken. Come back for the next one.',
    none: 'No drop is planned at the moment.',
    check: 'Please check the address, and write the phone number with its country code: +44 20 7946 0018.',
    later: 'That did not work. Please try again in a minute.',
  }),
);

const app = express();

app.get('/', (request, response) => {
  const result = RESULTS.get(String(request.query.result)) ?? '';
  response.send(`<!doctype html><html lang="en"><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><title>Spring harvest</title>
    <main><h1>Spring harvest</h1><p>Two hundred bags, once a year. Leave your address to hear first.</p>
    <p role="status">${result}</p>
    <form method="post" action="/signup">
      <p><label>E-mail <input name="email" type="email" required autocomplete="email"></label></p>
      <p><label>Phone, for a text message <input name="phone" type="tel" autocomplete="tel"></label></p>
      <p><button>Tell me</button></p>
    </form></main></html>`);
});

app.post('/signup', express.urlencoded({ extended: false }), async (request, response) => {
  const { email = '', phone = '' } = request.body ?? {};
  const result = await signUp(String(email), String(phone));
  response.redirect(303, `/?result=${result}`);
});

/** Signs an address up for the community's next drop, and gives the name of what the page is to say. */
async function signUp(email: string, phone: string): Promise<string> {
  try {
    const phoneNumber = phone === '' ? undefined : phone;
    const { signedUp } = await service.dropSignup({ communityId: COMMUNITY_ID, email, phoneNumber });
    // A success that signed nobody up: the address has an account.
    return signedUp ? 'joined' : 'account';
  } catch (error) {
    if (!isLatchkeyApiError(error)) throw error;
    // Also when the answer to a first attempt was lost, and the second found the signup done.
    if (error.status === 409) return error.errorCode === 'already_exists' ? 'already' : 'full';
    if (error.status === 400) return 'check';
    if (error.status === 404) return 'none';
    process.stderr.write(`${error.report}\n`);
    return 'later';
  }
}

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));

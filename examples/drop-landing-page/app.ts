import express from 'express';

const { PORT = '4406', LATCHKEY_SERVICE_URL = 'http://127.0.0.1:4400' } = process.env;
/** Stays on this server: an API key never goes to a browser. The default is the sandbox's, which everybody may know. */
const API_KEY = process.env.LATCHKEY_API_KEY ?? `svc_${'sandbox'.repeat(6)}0`;
const COMMUNITY_ID = process.env.LATCHKEY_COMMUNITY_ID ?? '5eed0000-0000-4000-8000-0000000000c0';

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
  const result = await signUp(String(email), String(phone)).catch(() => 'later');
  response.redirect(303, `/?result=${result}`);
});

/** Signs an address up for the community's next drop, and gives the name of what the page is to say. */
async function signUp(email: string, phone: string): Promise<string> {
  const answer = await fetch(`${LATCHKEY_SERVICE_URL}/api/drop-notification/signup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    // A field without a value is left out: null would be refused.
    body: JSON.stringify({ communityId: COMMUNITY_ID, email, ...(phone !== '' && { phoneNumber: phone }) }),
    signal: AbortSignal.timeout(10_000),
  });
  // The status first, then the body.
  if (answer.status === 400) return 'check';
  if (answer.status === 404) return 'none';
  const { data, errorCode } = (await answer.json()) as {
    data?: { signedUp?: boolean };
    errorCode?: string;
  };
  if (answer.status === 409) return errorCode === 'already_exists' ? 'already' : 'full';
  if (!answer.ok) return 'later';
  // A success that signed nobody up: the address has an account.
  return data?.signedUp === true ? 'joined' : 'account';
}

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));

import type { ProviderWebhook } from './payment-driver.js';
import { BrokenPromise, CannotRun, casesOf, expectThat, type PaymentSession } from './payment-session.js';

/** Name of the error for a webhook that the provider didn't send. */
const INVALID = 'InvalidProviderWebhookError';

/** Pays on the provider's page, and returns the webhooks about it without reading them. */
async function webhooksOf(session: PaymentSession) {
  const { payment } = await session.payOnPage();
  const webhooks = await session.take();
  const [webhook] = webhooks;
  if (webhook === undefined) throw new CannotRun('the provider sent no webhook about a payment on its page');
  return { payment, webhooks, webhook };
}

async function isRejected(session: PaymentSession, webhook: ProviderWebhook, what: string): Promise<void> {
  const error = await session.driver.provider.readEvents(webhook).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) throw new BrokenPromise(`A webhook ${what} was accepted.`);
  const name =
    error instanceof Error || (typeof error === 'object' && error !== null && 'name' in error)
      ? error.name
      : '';
  expectThat(
    name === INVALID,
    `A webhook ${what} threw ${String(error)}. Throw ${INVALID}, so that the answer is 400.`,
  );
}

/** Returns the headers with the signature: what `readEvents` needs in addition to every request's headers. */
async function signatureHeaders(session: PaymentSession, webhook: ProviderWebhook): Promise<string[]> {
  const names: string[] = [];
  for (const name of Object.keys(webhook.headers)) {
    const { [name]: _, ...headers } = webhook.headers;
    const reading = session.driver.provider.readEvents({ ...webhook, headers });
    if (
      await reading.then(
        () => false,
        () => true,
      )
    )
      names.push(name);
  }
  return names;
}

function tampered({ body }: ProviderWebhook): Uint8Array {
  const changed = Uint8Array.from(body);
  // A digit stays a digit, so the body is still JSON and only the signature can tell.
  const digit = changed.findLastIndex((byte) => byte >= 0x30 && byte <= 0x38);
  const index = digit === -1 ? changed.length - 1 : digit;
  changed[index] = (changed[index] ?? 0) + 1;
  return changed;
}

export const eventChecks = casesOf('event', {
  async 'unsigned: A webhook without its signature is rejected.'(session) {
    const { webhook } = await webhooksOf(session);
    await isRejected(
      session,
      { ...webhook, headers: { 'content-type': 'application/json' } },
      'without a signature',
    );
    const names = await signatureHeaders(session, webhook);
    expectThat(
      names.length > 0,
      'No header of a webhook carries a signature: without any one of them it was accepted.',
    );
  },
  async 'wrong-signature: A webhook with another signature is rejected.'(session) {
    const { webhook } = await webhooksOf(session);
    const names = await signatureHeaders(session, webhook);
    const changed = names.map((name) => {
      const value = webhook.headers[name] ?? '';
      const last = value.at(-1) === '0' ? '1' : '0';
      return [name, `${value.slice(0, -1)}${last}`];
    });
    expectThat(changed.length > 0, 'No header of a webhook carries a signature.');
    const headers = { ...webhook.headers, ...Object.fromEntries(changed) };
    await isRejected(session, { ...webhook, headers }, 'with another signature');
  },
  async 'tampered-body: A webhook whose body was changed is rejected, though it is valid JSON.'(session) {
    const { webhook } = await webhooksOf(session);
    await isRejected(session, { ...webhook, body: tampered(webhook) }, 'with a changed body');
    const longer = new Uint8Array([...webhook.body, 0x20]);
    await isRejected(session, { ...webhook, body: longer }, 'with a space at its end');
  },
  async 'foreign-signature: The signature of another webhook doesn’t fit.'(session) {
    const [one, other] = [await webhooksOf(session), await webhooksOf(session)];
    await isRejected(
      session,
      { headers: one.webhook.headers, body: other.webhook.body },
      'with the signature of another',
    );
  },
  async 'empty: An empty body is rejected.'(session) {
    const { webhook } = await webhooksOf(session);
    await isRejected(session, { ...webhook, body: new Uint8Array() }, 'with an empty body');
  },
  async 'replayed: A webhook that arrives again has the same event ids, so that it counts once.'(session) {
    const { payment, webhooks } = await webhooksOf(session);
    const ids: string[][] = [[], []];
    for (const round of ids) {
      for (const webhook of webhooks) round.push(...(await session.read(webhook)).map(({ id }) => id));
    }
    const [first = [], second = []] = ids;
    expectThat(
      first.join() === second.join(),
      `The same webhook had the event ids ${first} and then ${second}.`,
    );
    const { paid } = session.ledger.entry(payment.orderId);
    expectThat(paid.size === 1, `A replayed webhook settled the order as ${[...paid].join(' and ')}.`);
  },
  async 'own-ids: Different events have different ids.'(session) {
    await session.payOnPage();
    await session.payOnPage();
    const events = await session.readAll();
    const kinds = new Map<string, string>();
    for (const { id, orderId, kind } of events) {
      const about = `${kind} of ${orderId}`;
      const before = kinds.get(id) ?? about;
      expectThat(before === about, `The event id ${id} is that of "${before}" and of "${about}".`);
      kinds.set(id, about);
    }
  },
  async 'settled-once: The result of start, the event and the look-up of one payment have one reference.'(
    session,
  ) {
    const { payment, page } = await session.payOnPage();
    await session.readAll();
    await session.start(payment);
    await session.find(payment, page.reference);
    session.expectOnePayment(payment);
  },
  async 'out-of-order: Events in another order lead to the same state: a payment and its refund.'(session) {
    const { payment, page } = await session.payOnPage();
    const { reference } = await session.findPaid('The buyer has paid', payment, page.reference);
    await session.refund({ orderId: payment.orderId, reference }, payment.amountMinor);
    for (const webhook of (await session.take()).toReversed()) await session.read(webhook);
    const { state, refundedMinor } = session.ledger.entry(payment.orderId);
    expectThat(state === 'paid', `The order was paid, and reversed events say "${state}".`);
    const later = await session.find(payment, page.reference);
    const known = later.kind === 'paid' ? Math.max(refundedMinor, later.refundedMinor ?? 0) : refundedMinor;
    expectThat(
      known === payment.amountMinor,
      `${payment.amountMinor} were refunded, and ${known} are reported.`,
    );
  },
});

import type { DisputeStep } from './payments/simulated-bank.js';
import { type CreateSandboxOptions, createSandbox } from './start-sandbox.js';

/** The method for what a buyer does, in the conformance kit's words. */
const METHODS = {
  pay: 'card-4242',
  'pay-with-action': 'card-3220',
  'fail-action': 'card-3220',
  decline: 'card-0002',
  cancel: 'card-3220',
};

type BuyerAct = keyof typeof METHODS;
type Page = Readonly<Record<'url' | 'reference', string>>;

/**
 * Starts a sandbox without data, and returns the conformance kit's driver for its simulated payment provider:
 * `latchkey conformance payments --driver @latchkey/sandbox/payment-driver`. It plays the buyer on the pages, and the
 * bank through the control API. Its webhooks don't go to the service: the kit reads them.
 */
export default async function startPaymentDriver(options: Omit<CreateSandboxOptions, 'scenario'> = {}) {
  const { bank, baseUrl, clock, close, control } = await createSandbox({ ...options, scenario: 'empty' });
  const taken = new Set<string>();
  bank.webhooks = 'withhold';

  async function answer({ url }: Page, given: string): Promise<string | undefined> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { origin: baseUrl, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ answer: given }),
      redirect: 'manual',
    });
    if (response.status >= 400) throw new Error(`The page answered ${response.status}.`);
    return response.headers.get('location') ?? undefined;
  }

  return {
    provider: bank.provider,
    methodDeclinedLater: 'card-0341',
    methodFor: (act: BuyerAct) => METHODS[act],
    async act(act: BuyerAct, page: Page) {
      if (act === 'fail-action') return await answer(page, 'fail');
      if (act !== 'cancel') return await answer(page, 'approve');
      const html = await (await fetch(page.url)).text();
      return /<a href="([^"]+)">Cancel/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    },
    async takeWebhooks() {
      const webhooks = (await bank.store.all()).flatMap((payment) => payment.webhooks);
      const fresh = webhooks.filter(({ id }) => !taken.has(id));
      for (const { id } of fresh) taken.add(id);
      return fresh
        .toSorted((one, other) => one.createdAt - other.createdAt)
        .map((webhook) => bank.signed(webhook));
    },
    async charges(orderId: string) {
      const payment = await bank.store.find('order_id', orderId);
      return payment?.state === 'paid' ? [payment] : [];
    },
    async expire({ reference }: Page) {
      const { expiresAt } = await bank.require(reference);
      await control.clock.moveTo(expiresAt + 1);
    },
    async dispute({ reference }: Pick<Page, 'reference'>, step: DisputeStep) {
      await control.payments.dispute(reference, step);
    },
    async setDown(isDown: boolean) {
      control.payments.set({ isDown });
    },
    now: () => clock.now(),
    close,
  };
}

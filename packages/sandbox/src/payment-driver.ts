import type { PaymentProvider, ProviderWebhook } from '@latchkey/server';
import { type CreateSandboxOptions, createSandbox } from './start-sandbox.js';

/** What a buyer does, in the conformance kit's words. */
type BuyerAct = 'pay' | 'pay-with-action' | 'fail-action' | 'decline' | 'cancel';

interface Page {
  readonly url: string;
  readonly reference: string;
}

const METHODS: Readonly<Record<BuyerAct, string>> = {
  pay: 'card-4242',
  'pay-with-action': 'card-3220',
  'fail-action': 'card-3220',
  decline: 'card-0002',
  cancel: 'card-3220',
};

/** A conformance kit driver for payment providers. It plays the buyer on the pages, and the bank through the control API. */
export interface SimulatedPaymentDriver {
  readonly provider: PaymentProvider;
  readonly methodDeclinedLater: string;
  methodFor(act: BuyerAct): string;
  act(act: BuyerAct, page: Page): Promise<string | undefined>;
  takeWebhooks(): Promise<readonly ProviderWebhook[]>;
  charges(orderId: string): Promise<readonly { amountMinor: number; currency: string }[]>;
  expire(page: Page): Promise<void>;
  dispute(payment: { reference: string }, step: 'open' | 'win' | 'lose'): Promise<void>;
  setDown(isDown: boolean): Promise<void>;
  now(): number;
  close(): Promise<void>;
}

/**
 * Starts a sandbox without data, and returns the driver for its simulated payment provider:
 * `latchkey conformance payments --driver @latchkey/sandbox/payment-driver`. Its webhooks don't go to the service: the
 * kit reads them.
 */
export default async function startPaymentDriver(
  options: Omit<CreateSandboxOptions, 'scenario'> = {},
): Promise<SimulatedPaymentDriver> {
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
    methodFor: (act) => METHODS[act],
    async act(act, page) {
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
    async charges(orderId) {
      const payment = await bank.store.find('order_id', orderId);
      return payment?.state === 'paid' ? [payment] : [];
    },
    async expire({ reference }) {
      const { expiresAt } = await bank.require(reference);
      await control.clock.moveTo(expiresAt + 1);
    },
    async dispute({ reference }, step) {
      await control.payments.dispute(reference, step);
    },
    async setDown(isDown) {
      control.payments.set({ isDown });
    },
    now: () => clock.now(),
    close,
  };
}

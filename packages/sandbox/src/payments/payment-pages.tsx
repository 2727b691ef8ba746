import {
  formatPrice,
  formOf,
  methodNotAllowed,
  readForm,
  redirect,
  sameOriginGuard,
} from '@latchkey/server/extension';
import {
  AlertIcon,
  Button,
  messagePage,
  type Page,
  renderDocument,
  sendPage,
  Time,
} from '@latchkey/server/ui';
import { type Request, type Response, Router } from 'express';
import type { Needs } from '../services/services.js';
import type { SimulatedPayment } from './payment-store.js';
import { BUYER_ANSWERS, type WebhookMode } from './payment-words.js';
import { PAYMENT_PAGE_PATH, PaymentRefusal, type SimulatedBank } from './simulated-bank.js';
import { simulatedMethod } from './simulated-payments.js';

/** The simulated provider's pages. The secret in the URL is the permission to respond. */
export function paymentRoutes(services: Needs<'baseUrl' | 'clock' | 'db'>, bank: SimulatedBank): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const find = (request: Request<{ key: string }>) => bank.store.find('page_key', request.params.key);
  const pageOf = (payment: SimulatedPayment, key: string, error?: string) => {
    const action = `${PAYMENT_PAGE_PATH}/${encodeURIComponent(key)}`;
    return paymentPage({ payment, action, webhooks: bank.webhooks, error });
  };
  router
    .route(`${PAYMENT_PAGE_PATH}/:key`)
    .get(async (request, response) => {
      const payment = await find(request);
      if (payment === undefined) return sendUnknown(response);
      if (payment.state !== 'open') return sendPage(response, answeredPage(payment));
      sendPage(response, pageOf(payment, request.params.key));
    })
    .post(sameOriginGuard(services), readForm, async (request: Request<{ key: string }>, response) => {
      const payment = await find(request);
      if (payment === undefined) return sendUnknown(response);
      if (payment.state !== 'open') return sendPage(response, answeredPage(payment), { status: 409 });
      const answer = BUYER_ANSWERS.find((known) => known === formOf(request).get('answer'));
      const refuse = (status: number, error: string) =>
        sendPage(response, pageOf(payment, request.params.key, error), { status });
      if (answer === undefined) return refuse(400, 'Choose an answer.');
      try {
        redirect(response, 303, await bank.answer(payment, answer));
      } catch (error) {
        if (!(error instanceof PaymentRefusal)) throw error;
        refuse(409, error.message);
      }
    })
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function sendUnknown(response: Response): void {
  const page = messagePage({
    title: 'No such payment page',
    text: 'Another attempt has replaced it, or the sandbox was reset since.',
    isHarmless: true,
    action: { href: '/sandbox/payments', label: 'To the payments' },
  });
  sendPage(response, page, { status: 404 });
}

interface PaymentPageProps {
  readonly payment: SimulatedPayment;
  /** Root-relative URL of the page itself. */
  readonly action: string;
  readonly webhooks: WebhookMode;
  readonly error?: string | undefined;
}

const MODE_TEXTS: Readonly<Record<WebhookMode, string>> = {
  send: 'The webhook about your answer is sent at once.',
  late: 'The webhook about your answer is sent ten minutes late.',
  double: 'The webhook about your answer is sent twice.',
  withhold: 'The webhook about your answer is withheld.',
};

/**
 * Returns the simulated provider's page: the buyer's bank asks for confirmation (3-D Secure), or the buyer waits for a
 * transfer. `POST` of `answer` to `action`.
 */
export function paymentPage(props: PaymentPageProps): Page {
  const { payment, action, webhooks, error } = props;
  const isBank = simulatedMethod(payment.method).first === 'bank-asks';
  const title = isBank ? 'Approve your payment' : 'Waiting for your transfer';
  return renderDocument({
    title: error === undefined ? title : `Not possible: ${title}`,
    layout: 'card',
    children: (
      <main class="card">
        <div class="heading">
          <h1>{title}</h1>
          <p class="lead">
            {isBank
              ? 'A simulated bank asks if you make this payment. Your answer is its 3-D Secure check.'
              : 'A simulated transfer takes an hour. You can wait on the shop’s page.'}
          </p>
        </div>
        {error !== undefined && (
          <p class="notice refusal" role="alert">
            <AlertIcon />
            <span>{error}</span>
          </p>
        )}
        <PaymentFacts payment={payment} />
        <form class="stack" method="post" action={action} data-at-once>
          {isBank ? (
            <>
              <Button kind="primary" name="answer" value="approve">
                Approve the payment
              </Button>
              <Button kind="danger" name="answer" value="fail">
                Fail the check
              </Button>
            </>
          ) : (
            <Button kind="primary" name="answer" value="arrive">
              Let the transfer arrive now
            </Button>
          )}
        </form>
        <p class="centred">
          <a href={payment.cancelUrl}>Cancel and go back</a>
        </p>
        <p class="centred">
          <a href={payment.returnUrl}>Return to the shop without an answer</a>
        </p>
        <p class="fine centred">
          {MODE_TEXTS[webhooks]} <a href="/sandbox/payments">Change that</a>
        </p>
      </main>
    ),
  });
}

function PaymentFacts({ payment }: { payment: SimulatedPayment }) {
  const { amountMinor, currency, description, method, arrivesAt, expiresAt } = payment;
  return (
    <dl class="bill transfer">
      <dt>Amount</dt>
      <dd>{formatPrice(amountMinor, currency)}</dd>
      <dt>For</dt>
      <dd>
        <bdi>{description}</bdi>
      </dd>
      <dt>Paid with</dt>
      <dd>{simulatedMethod(method).name}</dd>
      <dt>{arrivesAt === null ? 'Open until' : 'Arrives'}</dt>
      <dd>
        <Time at={arrivesAt ?? expiresAt} isUtc />
      </dd>
    </dl>
  );
}

function answeredPage({ state, returnUrl }: Pick<SimulatedPayment, 'state' | 'returnUrl'>): Page {
  const isPaid = state === 'paid';
  return messagePage({
    title: isPaid ? 'This payment is made' : 'This payment is over',
    text: isPaid
      ? 'Nothing is left to do here. The shop knows about it by the webhook, or when you return.'
      : 'It was not made, and can’t be made here any more. You can start again at the shop.',
    isDone: isPaid,
    isHarmless: true,
    action: { href: returnUrl, label: 'Return to the shop' },
  });
}

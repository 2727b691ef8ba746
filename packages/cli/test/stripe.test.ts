import { WEBHOOK_EVENTS } from '@latchkey/stripe';
import { startFakeStripe } from '@latchkey/stripe/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { latchkey } from './call.js';

const SECRET = 'whsec_of_the_tests';
const SERVE = ['serve', '--database', 'sqlite::memory:', '--smtp-url', 'smtp://localhost:25', '--port', '0'];

describe('latchkey serve --payments stripe', () => {
  it('lists every missing value, with its place in Stripe', async () => {
    const { code, err } = await latchkey([...SERVE, '--payments', 'stripe']);
    expect(code).toBe(2);
    expect(err).toContain('LATCHKEY_STRIPE_SECRET_KEY (Developers > API keys)');
    expect(err).toContain('LATCHKEY_STRIPE_WEBHOOK_SECRET (Developers > Webhooks)');
    expect(err).toContain('--stripe-mode');
  });

  it('never prints a value that cannot be right', async () => {
    const env = {
      LATCHKEY_STRIPE_SECRET_KEY: 'pk_test_mistaken',
      LATCHKEY_STRIPE_WEBHOOK_SECRET: 'mistaken',
    };
    const { code, err } = await latchkey([...SERVE, '--payments', 'stripe', '--stripe-mode', 'test'], env);
    expect(code).toBe(2);
    expect(err).toContain('publishable');
    expect(err).toContain('whsec_');
    expect(err).not.toContain('mistaken');
  });

  it('does not start with a key of the other mode', async () => {
    const env = { LATCHKEY_STRIPE_SECRET_KEY: 'sk_live_1', LATCHKEY_STRIPE_WEBHOOK_SECRET: SECRET };
    const { code, err, docs } = await latchkey(
      [...SERVE, '--payments', 'stripe', '--stripe-mode', 'test'],
      env,
    );
    expect([code, docs]).toEqual([1, 'start_failed']);
    expect(err).toContain('copy the key of test mode');
  });
});

describe('latchkey doctor --payments stripe', () => {
  /** Runs the doctor on a service that nobody runs. */
  async function doctor(endpoint: { enabledEvents?: readonly string[] } | undefined, env = {}) {
    const stripe = await startFakeStripe();
    onTestFinished(() => stripe.close());
    const service = 'http://127.0.0.1:1';
    if (endpoint !== undefined)
      stripe.addEndpoint({ url: `${service}/payments/stripe/webhook`, secret: SECRET, ...endpoint });
    return await latchkey(['doctor', '--payments', 'stripe', '--service', service, '--json'], {
      LATCHKEY_STRIPE_SECRET_KEY: stripe.secretKey,
      LATCHKEY_STRIPE_WEBHOOK_SECRET: SECRET,
      LATCHKEY_STRIPE_MODE: 'test',
      LATCHKEY_STRIPE_API_URL: stripe.url,
      ...env,
    });
  }

  it('finds an endpoint that is missing, and lists its events', async () => {
    const { code, out } = await doctor(undefined);
    expect(code).toBe(1);
    for (const type of WEBHOOK_EVENTS) expect(out).toContain(type);
  });

  it('finds events that the endpoint does not send', async () => {
    const { out } = await doctor({
      enabledEvents: WEBHOOK_EVENTS.filter((type) => type !== 'charge.refunded'),
    });
    expect(JSON.parse(out).findings).toContainEqual(
      expect.objectContaining({ status: 'problem', message: 'It doesn’t send charge.refunded.' }),
    );
  });

  it('finds a key that Stripe does not take', async () => {
    const { out } = await doctor({}, { LATCHKEY_STRIPE_SECRET_KEY: 'sk_test_revoked' });
    expect(out).toContain('Stripe doesn’t accept the secret key.');
    expect(out).not.toContain('sk_test_revoked');
  });

  it('accepts an endpoint with all events, and finds that the service does not run', async () => {
    const { code, out } = await doctor({ enabledEvents: WEBHOOK_EVENTS });
    expect(code).toBe(1);
    const statuses = JSON.parse(out).findings.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['ok', 'ok', 'ok', 'ok', 'problem']);
  });
});

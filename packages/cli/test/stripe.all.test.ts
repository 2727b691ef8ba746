import { startFakeStripe } from '@latchkey/stripe/testing';
import { expect, it, onTestFinished } from 'vitest';
import { latchkey } from './call.js';
import { listeningAt, startLatchkey } from './running-latchkey.js';

it('the doctor finds that a running service is ready to sell, and that it has another webhook secret', async () => {
  const stripe = await startFakeStripe();
  onTestFinished(() => stripe.close());
  const env = {
    LATCHKEY_STRIPE_SECRET_KEY: stripe.secretKey,
    LATCHKEY_STRIPE_WEBHOOK_SECRET: 'whsec_of_the_service',
    LATCHKEY_STRIPE_MODE: 'test',
    LATCHKEY_STRIPE_API_URL: stripe.url,
  };
  const serve = ['serve', '--payments', 'stripe', '--database', 'sqlite::memory:', '--port', '0'];
  const running = startLatchkey([...serve, '--smtp-url', 'smtp://localhost:25'], env);
  onTestFinished(() => void running.process.kill('SIGKILL'));
  const service = await listeningAt(running);
  stripe.addEndpoint({ url: `${service}/payments/stripe/webhook`, secret: 'whsec_of_the_service' });

  const doctor = ['doctor', '--payments', 'stripe', '--service', service];
  const ready = await latchkey(doctor, env);
  expect([ready.code, ready.out]).toEqual([0, expect.stringContaining('Ready to sell.')]);
  const other = await latchkey(doctor, { ...env, LATCHKEY_STRIPE_WEBHOOK_SECRET: 'whsec_another' });
  expect([other.code, other.out]).toEqual([1, expect.stringContaining('another webhook secret')]);
});

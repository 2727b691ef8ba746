import express, { type Request, Router } from 'express';
import type { Needs } from '../../app/services.js';
import { HttpFailure, methodNotAllowed } from '../../platform/http/http-failure.js';
import { throttledWarning } from '../../platform/logging/logger.js';
import { identifyActor } from '../audit/audit.js';
import { receiveEvents } from '../checkout/provider-events.js';

const BODY_MAX_BYTES = 1_000_000;

/** The signature covers the bytes as sent, so they're neither decoded nor parsed. */
const readBytes = express.raw({ type: () => true, limit: BODY_MAX_BYTES, inflate: false });

/**
 * Webhook of the payment provider: `POST /payments/<name>/webhook`.
 *
 * | response | when |
 * |---|---|
 * | 200 | each event is stored with its effect, or was stored before |
 * | 400 | the provider did not sign the request |
 * | 413, 415 | the body is larger than 1 MB, or encoded |
 * | 5xx | an event could not be stored; the provider sends it again |
 */
export function providerWebhookRoutes(needs: Needs<'db' | 'clock' | 'logger' | 'payments'>): Router {
  const { payments } = needs;
  const router = Router({ caseSensitive: true, strict: true });
  if (payments === undefined) return router;
  const warn = throttledWarning(needs);
  router
    .route(`/payments/${payments.name}/webhook`)
    .post(readBytes, async (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const webhook = { headers: headersOf(request), body: new Uint8Array(body) };
      const events = await payments.readEvents(webhook).catch((error: unknown) => {
        // Checks the name instead of the class: a provider can have a separate copy of the class.
        if (!(error instanceof Error) || error.name !== 'InvalidProviderWebhookError') throw error;
        warn(
          { provider: payments.name, reason: error.message },
          'Rejected a webhook of the payment provider',
        );
        throw new HttpFailure(400, 'The signature of this webhook is not valid.');
      });
      identifyActor('system', null);
      await receiveEvents({ ...needs, payments }, events);
      response.set('Cache-Control', 'no-store').json({ received: events.length });
    })
    .all(methodNotAllowed('POST'));
  return router;
}

function headersOf({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

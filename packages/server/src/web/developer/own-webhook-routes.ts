import { webhookHeadersOf } from '@latchkey/contract/constants';
import type { Router } from 'express';
import type { Services } from '../../app/services.js';
import { noteSubmission } from '../../domain/users/form-submission.js';
import { checkEndpointUrl } from '../../domain/webhooks/endpoint/endpoint-address.js';
import { listDeliveries } from '../../domain/webhooks/log/deliveries.js';
import { createWebhookSecret } from '../../domain/webhooks/registration/register-webhook.js';
import {
  deleteWebhook,
  findWebhook,
  findWebhookSecret,
  type ListedWebhook,
  saveWebhook,
} from '../../domain/webhooks/registration/webhooks.js';
import { type HttpFailure, notFound } from '../../platform/http/http-failure.js';
import { type AreaForm, type AreaRequest, areaRoutes, readId } from '../sign-in/area-route.js';
import { confirmPage } from '../ui/frame/confirm-page.js';
import { sendPage } from '../ui/frame/send-page.js';
import { newSubmissionId, submissionIdOf } from '../ui/parts/form-parts.js';
import { inDeveloper, WEBHOOKS_HOME } from './developer-area.js';
import { developerWebhookPage, webhookSecretPage } from './webhook-page.js';
import { developerWebhookFormPage, webhookFieldsOf } from './webhook-pages.js';
import { webhookPath } from './webhook-state.js';

/** Maximum number of deliveries on the page of a webhook. */
const SHOWN_DELIVERIES = 50;

/** Confirmations by the value of the query parameter `done`. */
export const WEBHOOK_NOTICES: ReadonlyMap<string | null, string> = new Map([
  ['on', 'Webhook enabled. Pending events are sent now.'],
  ['off', 'Webhook disabled. It receives no events until you enable it.'],
  ['deleted', 'Webhook deleted.'],
  ['due', 'Delivery scheduled. It is sent in a moment.'],
  ['held', 'Nothing was sent, because the webhook is not active. Enable or resume it first.'],
  ['sent-before', 'This form was already processed and created this webhook. Reveal its secret below.'],
]);

type Subject = { webhook: ListedWebhook; path: string };

/** Routes that show, edit, disable, enable and delete a webhook (spec, "Events", 1). */
export function ownWebhookRoutes(needs: Services): Router {
  const { db, clock, serviceNames, webhookPolicy } = needs;
  const headers = webhookHeadersOf(serviceNames);
  const one = webhookPath(':id');
  return areaRoutes<Subject>(
    needs,
    { home: WEBHOOKS_HOME, subject: ownWebhook },
    {
      [one]: { get: show, post: save },
      [`${one}/edit`]: { get: showEdit },
      // A secret is shown in the response to a form only, so no link leads to it. Opening its address again leads back.
      [`${one}/secret`]: { get: ({ path }) => path, post: revealSecret },
      [`${one}/switch-off`]: { post: (area) => switchTo(area, false) },
      [`${one}/resume`]: { post: (area) => switchTo(area, true) },
      [`${one}/delete`]: { get: askToDelete, post: remove },
    },
  );

  async function ownWebhook({ user, request }: AreaRequest): Promise<Subject> {
    const webhook = await findWebhook(db, { id: readId(request.params.id), ownerId: user.id });
    if (webhook === undefined) throw noSuchWebhook();
    return { webhook, path: webhookPath(webhook.id) };
  }

  async function show({ frame, query, webhook }: AreaRequest & Subject) {
    const notice = WEBHOOK_NOTICES.get(query.get('done'));
    return developerWebhookPage({ frame, webhook, notice, ...(await shownDeliveries(webhook)) });
  }

  async function revealSecret({ frame, response, webhook }: AreaForm & Subject) {
    const secret = await findWebhookSecret(db, webhook);
    if (secret === undefined) throw noSuchWebhook();
    const page = developerWebhookPage({ frame, webhook, secret, ...(await shownDeliveries(webhook)) });
    return sendPage(response, page);
  }

  async function shownDeliveries(webhook: ListedWebhook) {
    const deliveries = await listDeliveries(db, webhook, SHOWN_DELIVERIES + 1);
    return {
      signatureHeader: headers.signature,
      deliveries: deliveries.slice(0, SHOWN_DELIVERIES),
      hasOlder: deliveries.length > SHOWN_DELIVERIES,
    };
  }

  function showEdit({ frame, webhook: { id, url } }: AreaRequest & Subject) {
    const fields = { url, subject: '', rotateSecret: false };
    return developerWebhookFormPage({ frame, fields, submission: newSubmissionId(), of: { id } });
  }

  async function save({ user, frame, form, response, webhook: { id, ownerId } }: AreaForm & Subject) {
    const fields = webhookFieldsOf(form);
    const submission = submissionIdOf(form);
    const checked = checkEndpointUrl(fields.url, webhookPolicy);
    if (checked.kind === 'invalid') {
      const errors = [{ field: 'url', message: checked.message }];
      return developerWebhookFormPage({ frame, fields, submission, of: { id }, errors });
    }
    // A form that is sent twice shows the secret from the first time.
    const rotateSecret =
      fields.rotateSecret && (await noteSubmission(db, { userId: user.id, id: submission }, clock.now()));
    const { url } = checked;
    const changes = { url, secret: rotateSecret ? createWebhookSecret() : undefined };
    const saved = await saveWebhook(db, { id, ownerId }, changes, clock.now());
    if (saved === undefined) throw noSuchWebhook();
    const shown = { secret: saved.secret, title: 'Webhook saved', headers };
    return sendPage(response, webhookSecretPage(frame, { id, url }, shown));
  }

  async function switchTo({ webhook, path }: Subject, isActive: boolean) {
    const saved = await saveWebhook(db, webhook, { isActive }, clock.now());
    if (saved === undefined) throw noSuchWebhook();
    return `${path}?done=${isActive ? 'on' : 'off'}`;
  }

  function askToDelete({ frame, webhook, path }: AreaRequest & Subject) {
    return confirmPage({
      ...inDeveloper(frame, WEBHOOKS_HOME),
      title: 'Delete the webhook?',
      subject: webhook.url,
      consequences: [
        'It receives no more events. Pending events are not delivered.',
        'Its deliveries and their attempts are deleted too.',
      ],
      action: `${path}/delete`,
      button: 'Delete webhook',
      cancel: { href: path, label: 'Cancel' },
    });
  }

  async function remove({ webhook }: Subject) {
    if (!(await deleteWebhook(db, webhook))) throw noSuchWebhook();
    return `${WEBHOOKS_HOME}?done=deleted`;
  }
}

/** Failure for a webhook or delivery that does not exist or belongs to another user. */
export function noSuchWebhook(): HttpFailure {
  return notFound('There is no such webhook.');
}

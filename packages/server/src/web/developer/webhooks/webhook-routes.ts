import { webhookHeadersOf } from '@latchkey/contract/constants';
import { Router } from 'express';
import type { Services } from '../../../app/services.js';
import { noteSubmission } from '../../../domain/users/form-submission.js';
import { checkEndpointUrl } from '../../../domain/webhooks/endpoint/endpoint-address.js';
import { findLastDeliveries, listDeliveries } from '../../../domain/webhooks/log/deliveries.js';
import {
  createWebhookSecret,
  listWebhookSubjects,
  registerWebhook,
} from '../../../domain/webhooks/registration/register-webhook.js';
import {
  deleteWebhook,
  findWebhook,
  findWebhookSecret,
  type ListedWebhook,
  listWebhooks,
  saveWebhook,
} from '../../../domain/webhooks/registration/webhooks.js';
import { readPosition } from '../../../platform/database/keyset.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { redirect } from '../../../platform/http/redirect.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { areaForm, areaPage } from '../../sign-in/area-route.js';
import type { AreaFrame } from '../../ui/frame/area-page.js';
import { confirmPage } from '../../ui/frame/confirm-page.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { Page } from '../../ui/frame/site.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { newSubmissionId, submissionIdOf } from '../../ui/parts/submission-id.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import { developerWebhookFormPage } from './developer-webhook-form-page.js';
import { developerWebhookPage } from './developer-webhook-page.js';
import { developerWebhooksPage } from './developer-webhooks-page.js';
import {
  noSuchWebhook,
  ownWebhookForm,
  ownWebhookPage,
  WEBHOOKS_HOME,
  webhookNotice,
  webhookPath,
} from './own-webhook.js';
import { NO_SUBJECT, readWebhookFields, webhookFieldsOf } from './webhook-form.js';
import { webhookSecretPage } from './webhook-secret-page.js';

const NEW = '/developer/webhooks/new';

/** Maximum number of deliveries on the page of a webhook. */
const SHOWN_DELIVERIES = 50;

/** Routes that list, create, show, edit, disable, enable and delete webhooks (spec, "Events", 1). */
export function webhookRoutes(needs: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(WEBHOOKS_HOME)
    .get(showWebhooks(needs))
    .post(createWebhook(needs))
    .all(methodNotAllowed('GET, POST'));
  router.route(NEW).get(showNewWebhook(needs)).all(methodNotAllowed('GET'));
  router
    .route('/developer/webhooks/:id')
    .get(showWebhook(needs))
    .post(postChanges(needs))
    .all(methodNotAllowed('GET, POST'));
  router.route('/developer/webhooks/:id/edit').get(showEdit(needs)).all(methodNotAllowed('GET'));
  router
    .route('/developer/webhooks/:id/secret')
    .get(leaveSecret(needs))
    .post(revealSecret(needs))
    .all(methodNotAllowed('GET, POST'));
  router
    .route('/developer/webhooks/:id/switch-off')
    .post(switchTo(needs, { isActive: false, done: 'off' }))
    .all(methodNotAllowed('POST'));
  router
    .route('/developer/webhooks/:id/resume')
    .post(switchTo(needs, { isActive: true, done: 'on' }))
    .all(methodNotAllowed('POST'));
  router
    .route('/developer/webhooks/:id/delete')
    .get(askToDelete(needs))
    .post(postDeletion(needs))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function showWebhooks(needs: Services) {
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const after = readPosition(requestQuery(request).get('after'));
    const { rows, next } = await listWebhooks(needs.db, user.id, after);
    const webhookIds = rows.map(({ id }) => id);
    const last = await findLastDeliveries(needs.db, { ownerId: user.id, webhookIds });
    const html = developerWebhooksPage({
      frame,
      webhooks: { rows: rows.map((row) => ({ ...row, lastDelivery: last.get(row.id) })), next },
      isFirst: after === undefined,
      notice: webhookNotice(request),
    });
    sendPage(response, html);
  });
}

function showNewWebhook(needs: Services) {
  return areaPage(needs, async ({ user, frame, response }) => {
    const html = developerWebhookFormPage({
      frame,
      fields: { url: '', subject: '', rotateSecret: false },
      submission: newSubmissionId(),
      of: { subjects: await listSubjects(needs, user.id) },
    });
    sendPage(response, html);
  });
}

function createWebhook(needs: Services) {
  const { db, clock } = needs;
  return areaForm(needs, NEW, async ({ user, frame, form, response }) => {
    const fields = webhookFieldsOf(form);
    // The id of the form becomes the id of the webhook, so that the form is processed only once.
    const id = submissionIdOf(form);
    const sendErrors = async (errors: readonly FormError[], submission = id) => {
      const of = { subjects: await listSubjects(needs, user.id) };
      const html = developerWebhookFormPage({ frame, fields, submission, of, errors });
      sendPage(response, html, { status: 400 });
    };
    const read = readWebhookFields(fields, needs.webhookPolicy);
    if (read.kind === 'invalid') return await sendErrors(read.errors);
    const { url, subject } = read;
    const result = await registerWebhook(db, { id, ownerId: user.id, url, ...subject }, clock.now());
    if (result.kind === 'not-owner') return await sendErrors([NO_SUBJECT]);
    if (result.kind === 'too-many') {
      const message =
        result.of === 'subject'
          ? `This community or product already has ${result.max} webhooks, which is the maximum. Delete one first.`
          : `You have ${result.max} webhooks, which is the maximum. Delete one first.`;
      return await sendErrors([{ field: 'subject', message }]);
    }
    if (result.kind === 'registered') {
      const { secret } = result;
      const page = webhookSecretPage(needs, {
        frame,
        webhook: { id, url },
        secret,
        title: 'Webhook created',
      });
      return sendPage(response, page);
    }
    const own = await findWebhook(db, { id, ownerId: user.id });
    if (own !== undefined) return redirect(response, 303, `${webhookPath(id)}?done=sent-before`);
    await sendErrors(
      [{ field: 'url', message: 'The webhook could not be created. Please send the form again.' }],
      newSubmissionId(),
    );
  });
}

function showWebhook(needs: Services) {
  return ownWebhookPage(needs, async ({ user, frame, request, response }, webhook) => {
    const page = await webhookPage(needs, { frame, webhook, userId: user.id });
    sendPage(response, page({ notice: webhookNotice(request) }));
  });
}

/** A secret is shown in the response to a form only, so no link leads to it and no list contains it. */
function revealSecret(needs: Services) {
  return ownWebhookForm(needs, async ({ user, frame, response }, webhook) => {
    const secret = await findWebhookSecret(needs.db, { id: webhook.id, ownerId: user.id });
    if (secret === undefined) throw noSuchWebhook();
    const page = await webhookPage(needs, { frame, webhook, userId: user.id });
    sendPage(response, page({ secret }));
  });
}

/** Opening the address of a revealed secret again leads back to the webhook, without the secret. */
function leaveSecret(needs: Services) {
  return ownWebhookPage(needs, ({ response }, { id }) => redirect(response, 303, webhookPath(id)));
}

async function webhookPage(
  { db, serviceNames }: Services,
  { frame, webhook, userId }: { frame: AreaFrame; webhook: ListedWebhook; userId: string },
): Promise<(shown: { secret?: string; notice?: string | undefined }) => Page> {
  const deliveries = await listDeliveries(db, { id: webhook.id, ownerId: userId }, SHOWN_DELIVERIES + 1);
  const { signature } = webhookHeadersOf(serviceNames);
  return (shown) =>
    developerWebhookPage({
      frame,
      webhook,
      signatureHeader: signature,
      deliveries: deliveries.slice(0, SHOWN_DELIVERIES),
      hasOlder: deliveries.length > SHOWN_DELIVERIES,
      ...shown,
    });
}

function showEdit(needs: Services) {
  return ownWebhookPage(needs, ({ frame, response }, { id, url }) => {
    const fields = { url, subject: '', rotateSecret: false };
    const submission = newSubmissionId();
    sendPage(response, developerWebhookFormPage({ frame, fields, submission, of: { id } }));
  });
}

function postChanges(needs: Services) {
  const { db, clock, webhookPolicy } = needs;
  return ownWebhookForm(needs, async ({ user, frame, form, response }, { id }) => {
    const fields = webhookFieldsOf(form);
    const submission = submissionIdOf(form);
    const checked = checkEndpointUrl(fields.url, webhookPolicy);
    if (checked.kind === 'invalid') {
      const errors = [{ field: 'url', message: checked.message }];
      const html = developerWebhookFormPage({ frame, fields, submission, of: { id }, errors });
      return sendPage(response, html, { status: 400 });
    }
    // A form that is sent twice shows the secret from the first time.
    const rotateSecret =
      fields.rotateSecret && (await noteSubmission(db, { userId: user.id, id: submission }, clock.now()));
    const { url } = checked;
    const changes = { url, secret: rotateSecret ? createWebhookSecret() : undefined };
    const saved = await saveWebhook(db, { id, ownerId: user.id }, changes, clock.now());
    if (saved === undefined) throw noSuchWebhook();
    const { secret } = saved;
    sendPage(
      response,
      webhookSecretPage(needs, { frame, webhook: { id, url }, secret, title: 'Webhook saved' }),
    );
  });
}

function switchTo(needs: Services, { isActive, done }: { isActive: boolean; done: string }) {
  return ownWebhookForm(needs, async ({ user, response }, { id }) => {
    const saved = await saveWebhook(needs.db, { id, ownerId: user.id }, { isActive }, needs.clock.now());
    if (saved === undefined) throw noSuchWebhook();
    redirect(response, 303, `${webhookPath(id)}?done=${done}`);
  });
}

function askToDelete(needs: Services) {
  return ownWebhookPage(needs, ({ frame, response }, webhook) => {
    const html = confirmPage({
      frame,
      area: 'developer',
      sections: DEVELOPER_SECTIONS,
      section: WEBHOOKS_HOME,
      title: 'Delete the webhook?',
      subject: webhook.url,
      consequences: [
        'It receives no more events. Pending events are not delivered.',
        'Its deliveries and their attempts are deleted too.',
      ],
      action: `${webhookPath(webhook.id)}/delete`,
      button: 'Delete webhook',
      cancel: { href: webhookPath(webhook.id), label: 'Cancel' },
    });
    sendPage(response, html);
  });
}

function postDeletion(needs: Services) {
  return ownWebhookForm(needs, async ({ user, response }, { id }) => {
    const removed = await deleteWebhook(needs.db, { id, ownerId: user.id });
    if (!removed) throw noSuchWebhook();
    redirect(response, 303, `${WEBHOOKS_HOME}?done=deleted`);
  });
}

/** Lists communities that the user owns, and products of the user. A webhook belongs to one of them. */
async function listSubjects({ db }: Services, userId: string) {
  const { communities, products } = await listWebhookSubjects(db, userId);
  return [
    ...communities.map(({ id, name }) => ({ value: `community:${id}`, label: `Community: ${name}` })),
    ...products.map(({ id, name }) => ({ value: `product:${id}`, label: `Product: ${name}` })),
  ];
}

import { uuidField } from '@latchkey/contract';
import { webhookHeadersOf } from '@latchkey/contract/constants';
import type { Router } from 'express';
import type { Services } from '../../app/services.js';
import { checkEndpointUrl } from '../../domain/webhooks/endpoint/endpoint-address.js';
import {
  findDelivery,
  findLastDeliveries,
  scheduleRedelivery,
} from '../../domain/webhooks/log/deliveries.js';
import { listWebhookSubjects, registerWebhook } from '../../domain/webhooks/registration/register-webhook.js';
import { findWebhook, listWebhooks } from '../../domain/webhooks/registration/webhooks.js';
import { type AreaForm, type AreaRequest, areaRoutes, readId } from '../sign-in/area-route.js';
import { sendPage } from '../ui/frame/send-page.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../ui/parts/form-parts.js';
import { shownList } from '../ui/parts/list-panel.js';
import { developerDeliveryPage } from './delivery-page.js';
import { WEBHOOKS_HOME } from './developer-area.js';
import { noSuchWebhook, WEBHOOK_NOTICES } from './own-webhook-routes.js';
import { webhookSecretPage } from './webhook-page.js';
import { developerWebhookFormPage, developerWebhooksPage, webhookFieldsOf } from './webhook-pages.js';
import { deliveryPath, webhookPath } from './webhook-state.js';

const NEW = `${WEBHOOKS_HOME}/new`;

/** Error for a missing subject, or one of another user. */
const NO_SUBJECT: FormError = {
  field: 'subject',
  message: 'Choose a community that you own or one of your products.',
};

/** Routes that list and create webhooks (spec, "Events", 1), and that show a delivery of an event and send it again. */
export function webhookRoutes(needs: Services): Router {
  const { db, clock, serviceNames, webhookPolicy } = needs;
  const headers = webhookHeadersOf(serviceNames);
  return areaRoutes(
    needs,
    { home: WEBHOOKS_HOME },
    {
      [WEBHOOKS_HOME]: { home: NEW, get: list, post: create },
      [NEW]: { get: showNew },
      [deliveryPath(':id')]: { get: showDelivery },
      [`${deliveryPath(':id')}/redeliver`]: { post: redeliver },
    },
  );

  async function list({ user, frame, query }: AreaRequest) {
    const { rows, ...page } = await shownList(query, (after) => listWebhooks(db, user.id, after));
    const webhookIds = rows.map(({ id }) => id);
    const last = await findLastDeliveries(db, { ownerId: user.id, webhookIds });
    return developerWebhooksPage({
      frame,
      webhooks: { rows: rows.map((row) => ({ ...row, lastDelivery: last.get(row.id) })), ...page },
      notice: WEBHOOK_NOTICES.get(query.get('done')),
    });
  }

  async function showNew({ user, frame }: AreaRequest) {
    return developerWebhookFormPage({
      frame,
      fields: { url: '', subject: '', rotateSecret: false },
      submission: newSubmissionId(),
      of: { subjects: await listSubjects(user.id) },
    });
  }

  async function create({ user, frame, form, response }: AreaForm) {
    const fields = webhookFieldsOf(form);
    // The id of the form becomes the id of the webhook, so that the form is processed only once.
    const id = submissionIdOf(form);
    const withErrors = async (errors: readonly FormError[], submission = id) => {
      const of = { subjects: await listSubjects(user.id) };
      return developerWebhookFormPage({ frame, fields, submission, of, errors });
    };
    const checked = checkEndpointUrl(fields.url, webhookPolicy);
    // The database checks later that the subject belongs to the user.
    const subject = subjectOf(fields.subject);
    const missing = subject === undefined ? [NO_SUBJECT] : [];
    if (checked.kind === 'invalid')
      return withErrors([{ field: 'url', message: checked.message }, ...missing]);
    if (subject === undefined) return withErrors(missing);
    const { url } = checked;
    const result = await registerWebhook(db, { id, ownerId: user.id, url, ...subject }, clock.now());
    if (result.kind === 'not-owner') return withErrors([NO_SUBJECT]);
    if (result.kind === 'too-many') {
      const message =
        result.of === 'subject'
          ? `This community or product already has ${result.max} webhooks, which is the maximum. Delete one first.`
          : `You have ${result.max} webhooks, which is the maximum. Delete one first.`;
      return withErrors([{ field: 'subject', message }]);
    }
    if (result.kind === 'registered') {
      const shown = { secret: result.secret, title: 'Webhook created', headers };
      return sendPage(response, webhookSecretPage(frame, { id, url }, shown));
    }
    const own = await findWebhook(db, { id, ownerId: user.id });
    if (own !== undefined) return `${webhookPath(id)}?done=sent-before`;
    const message = 'The webhook could not be created. Please send the form again.';
    return withErrors([{ field: 'url', message }], newSubmissionId());
  }

  async function showDelivery({ user, frame, query, request }: AreaRequest) {
    const delivery = await findDelivery(db, { id: readId(request.params.id), ownerId: user.id });
    if (delivery === undefined) throw noSuchWebhook();
    const notice = WEBHOOK_NOTICES.get(query.get('done'));
    return developerDeliveryPage({ frame, delivery, signatureHeader: headers.signature, notice });
  }

  async function redeliver({ user, request }: AreaForm) {
    const id = readId(request.params.id);
    const result = await scheduleRedelivery(db, { id, ownerId: user.id }, clock.now());
    if (result.kind === 'unknown') throw noSuchWebhook();
    return `${deliveryPath(id)}?done=${result.kind === 'scheduled' ? 'due' : 'held'}`;
  }

  /** Lists communities that the user owns, and products of the user. A webhook belongs to one of them. */
  async function listSubjects(userId: string) {
    const { communities, products } = await listWebhookSubjects(db, userId);
    return [
      ...communities.map(({ id, name }) => ({ value: `community:${id}`, label: `Community: ${name}` })),
      ...products.map(({ id, name }) => ({ value: `product:${id}`, label: `Product: ${name}` })),
    ];
  }
}

function subjectOf(text: string): { communityId: string } | { productId: string } | undefined {
  const [, kind, id] = /^(community|product):(.*)$/.exec(text) ?? [];
  const uuid = uuidField.safeParse(id);
  if (!uuid.success) return undefined;
  return kind === 'community' ? { communityId: uuid.data } : { productId: uuid.data };
}

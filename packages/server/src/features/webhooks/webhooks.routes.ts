import { uuidField } from '@latchkey/contract';
import { webhookHeadersOf } from '@latchkey/contract/constants';
import type { Router } from 'express';
import type { Services } from '../../app/services.js';
import { notFound } from '../../platform/http/http-failure.js';
import { phrase, t } from '../../platform/language/language.js';
import {
  type AreaForm,
  type AreaRequest,
  areaRoutes,
  noticesOf,
  readId,
} from '../../web/kit/areas/area-routes.js';
import { inDeveloper, WEBHOOKS_HOME } from '../../web/kit/areas/developer-area.js';
import { confirmPage } from '../../web/kit/frame/area-page.js';
import { sendPage } from '../../web/kit/frame/send-page.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../../web/kit/parts/form-parts.js';
import { shownList } from '../../web/kit/parts/table.js';
import { noteSubmission } from '../users/form-submission.js';
import { developerDeliveryPage } from './delivery.pages.js';
import { checkEndpointUrl } from './endpoint/endpoint-address.js';
import { findDelivery, findLastDeliveries, listDeliveries, scheduleRedelivery } from './log/deliveries.js';
import {
  createWebhookSecret,
  deleteWebhook,
  findWebhook,
  type ListedWebhook,
  listWebhookSubjects,
  listWebhooks,
  registerWebhook,
  revealWebhookSecret,
  saveWebhook,
} from './registration/webhooks.js';
import { deliveryPath, webhookPath } from './webhook-state.pages.js';
import {
  developerWebhookFormPage,
  developerWebhookPage,
  developerWebhooksPage,
  WEBHOOK,
  webhookSecretPage,
} from './webhooks.pages.js';

/** Message of the 404, for developers. The page has its own words. */
const NO_WEBHOOK = 'There is no such webhook.';

const NEW = `${WEBHOOKS_HOME}/new`;

function noSubject(): FormError {
  return { field: 'subject', message: t('Choose a community that you own or one of your products.') };
}

/** Routes that list and create webhooks (spec, "Events", 1), and that show a delivery of an event and send it again. */
export function webhookRoutes(needs: Services): Router {
  const { db, clock, serviceNames, webhookPolicy } = needs;
  const headers = webhookHeadersOf(serviceNames);
  return areaRoutes(needs, WEBHOOKS_HOME, {
    [WEBHOOKS_HOME]: { home: NEW, get: list, post: create },
    [NEW]: { get: showNew },
    [deliveryPath(':id')]: { get: showDelivery },
    [`${deliveryPath(':id')}/redeliver`]: { post: redeliver },
  });

  async function list({ user, frame, query }: AreaRequest) {
    const { rows, ...page } = await shownList(query, (after) => listWebhooks(db, user.id, after));
    const webhookIds = rows.map(({ id }) => id);
    const last = await findLastDeliveries(db, { ownerId: user.id, webhookIds });
    return developerWebhooksPage({
      frame,
      webhooks: { rows: rows.map((row) => ({ ...row, lastDelivery: last.get(row.id) })), ...page },
      notice: noticeOf(query),
    });
  }

  async function showNew({ user, frame }: AreaRequest) {
    return developerWebhookFormPage({
      frame,
      values: WEBHOOK.empty,
      submission: newSubmissionId(),
      of: { subjects: await listSubjects(user.id) },
    });
  }

  async function create({ user, frame, form, response }: AreaForm) {
    const values = WEBHOOK.read(form);
    // The form's id becomes the webhook's id, so the form is processed only once.
    const id = submissionIdOf(form);
    const withErrors = async (errors: readonly FormError[], submission = id) => {
      const of = { subjects: await listSubjects(user.id) };
      return developerWebhookFormPage({ frame, values, submission, of, errors });
    };
    const checked = checkEndpointUrl(values.url, webhookPolicy);
    // The database checks later that the subject belongs to the user.
    const subject = subjectOf(values.subject);
    const missing = subject === undefined ? [noSubject()] : [];
    if (checked.kind === 'invalid')
      return withErrors([{ field: 'url', message: checked.message }, ...missing]);
    if (subject === undefined) return withErrors(missing);
    const { url } = checked;
    const result = await registerWebhook(db, { id, ownerId: user.id, url, ...subject }, clock.now());
    if (result.kind === 'not-owner') return withErrors([noSubject()]);
    if (result.kind === 'too-many') {
      const message =
        result.of === 'subject'
          ? t(
              'This community or product already has {max} webhooks, which is the maximum. Delete one first.',
              { max: result.max },
            )
          : t('You have {max} webhooks, which is the maximum. Delete one first.', { max: result.max });
      return withErrors([{ field: 'subject', message }]);
    }
    if (result.kind === 'registered') {
      const shown = { secret: result.secret, title: t('Webhook created'), headers };
      return sendPage(response, webhookSecretPage(frame, { id, url }, shown));
    }
    const own = await findWebhook(db, { id, ownerId: user.id });
    if (own !== undefined) return `${webhookPath(id)}?done=sent-before`;
    const message = t('The webhook could not be created. Please send the form again.');
    return withErrors([{ field: 'url', message }], newSubmissionId());
  }

  async function showDelivery({ user, frame, query, request }: AreaRequest) {
    const delivery = await findDelivery(db, { id: readId(request.params.id), ownerId: user.id });
    if (delivery === undefined) throw notFound(NO_WEBHOOK);
    const notice = noticeOf(query);
    return developerDeliveryPage({ frame, delivery, signatureHeader: headers.signature, notice });
  }

  async function redeliver({ user, request }: AreaForm) {
    const id = readId(request.params.id);
    const result = await scheduleRedelivery(db, { id, ownerId: user.id }, clock.now());
    if (result.kind === 'unknown') throw notFound(NO_WEBHOOK);
    return `${deliveryPath(id)}?done=${result.kind === 'scheduled' ? 'due' : 'held'}`;
  }

  async function listSubjects(userId: string) {
    const { communities, products } = await listWebhookSubjects(db, userId);
    return [
      ...communities.map(({ id, name }) => ({
        value: `community:${id}`,
        label: phrase('Community: {name}'),
        name,
      })),
      ...products.map(({ id, name }) => ({ value: `product:${id}`, label: phrase('Product: {name}'), name })),
    ];
  }
}

function subjectOf(text: string): { communityId: string } | { productId: string } | undefined {
  const [, kind, id] = /^(community|product):(.*)$/.exec(text) ?? [];
  const uuid = uuidField.safeParse(id);
  if (!uuid.success) return undefined;
  return kind === 'community' ? { communityId: uuid.data } : { productId: uuid.data };
}

const SHOWN_DELIVERIES = 50;

const noticeOf = noticesOf({
  on: phrase('Webhook enabled. Pending events are sent now.'),
  off: phrase('Webhook disabled. It receives no events until you enable it.'),
  deleted: phrase('Webhook deleted.'),
  due: phrase('Delivery scheduled. It is sent in a moment.'),
  held: phrase('Nothing was sent, because the webhook is not active. Enable or resume it first.'),
  'sent-before': phrase('This form was already processed and created this webhook. Reveal its secret below.'),
});

type Subject = { webhook: ListedWebhook; path: string };

/** Routes that show, edit, disable, enable and delete a webhook (spec, "Events", 1). */
export function ownWebhookRoutes(needs: Services): Router {
  const { db, clock, serviceNames, webhookPolicy } = needs;
  const headers = webhookHeadersOf(serviceNames);
  const one = webhookPath(':id');
  const options = { home: WEBHOOKS_HOME, subject: ownWebhook };
  return areaRoutes<Subject>(needs, options, {
    [one]: { get: show, post: save },
    [`${one}/edit`]: { get: showEdit },
    // Only the response to a form shows a secret, so no link leads to it. Opening its address redirects back.
    [`${one}/secret`]: { get: ({ path }) => path, post: revealSecret },
    [`${one}/switch-off`]: { post: (area) => switchTo(area, false) },
    [`${one}/resume`]: { post: (area) => switchTo(area, true) },
    [`${one}/delete`]: { get: askToDelete, post: remove },
  });

  async function ownWebhook({ user, request }: AreaRequest): Promise<Subject> {
    const webhook = await findWebhook(db, { id: readId(request.params.id), ownerId: user.id });
    if (webhook === undefined) throw notFound(NO_WEBHOOK);
    return { webhook, path: webhookPath(webhook.id) };
  }

  async function show({ frame, query, webhook }: AreaRequest & Subject) {
    const notice = noticeOf(query);
    return developerWebhookPage({ frame, webhook, notice, ...(await shownDeliveries(webhook)) });
  }

  async function revealSecret({ frame, response, webhook }: AreaForm & Subject) {
    const secret = await revealWebhookSecret(db, webhook);
    if (secret === undefined) throw notFound(NO_WEBHOOK);
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
    const values = { ...WEBHOOK.empty, url };
    return developerWebhookFormPage({ frame, values, submission: newSubmissionId(), of: { id } });
  }

  async function save({ user, frame, form, response, webhook: { id, ownerId } }: AreaForm & Subject) {
    const values = WEBHOOK.read(form);
    const submission = submissionIdOf(form);
    const checked = checkEndpointUrl(values.url, webhookPolicy);
    if (checked.kind === 'invalid') {
      const errors = [{ field: 'url', message: checked.message }];
      return developerWebhookFormPage({ frame, values, submission, of: { id }, errors });
    }
    // Sending a form twice shows the secret from the first time.
    const rotateSecret =
      values.rotateSecret && (await noteSubmission(db, { userId: user.id, id: submission }, clock.now()));
    const { url } = checked;
    const changes = { url, secret: rotateSecret ? createWebhookSecret() : undefined };
    const saved = await saveWebhook(db, { id, ownerId }, changes, clock.now());
    if (saved === undefined) throw notFound(NO_WEBHOOK);
    const shown = { secret: saved.secret, title: t('Webhook saved'), headers };
    return sendPage(response, webhookSecretPage(frame, { id, url }, shown));
  }

  async function switchTo({ webhook, path }: Subject, isActive: boolean) {
    const saved = await saveWebhook(db, webhook, { isActive }, clock.now());
    if (saved === undefined) throw notFound(NO_WEBHOOK);
    return `${path}?done=${isActive ? 'on' : 'off'}`;
  }

  function askToDelete({ frame, webhook, path }: AreaRequest & Subject) {
    return confirmPage({
      frame,
      ...inDeveloper(WEBHOOKS_HOME),
      title: t('Delete the webhook?'),
      subject: webhook.url,
      consequences: [
        t('It receives no more events. Pending events are not delivered.'),
        t('Its deliveries and their attempts are deleted too.'),
      ],
      action: `${path}/delete`,
      button: t('Delete webhook'),
      cancel: { href: path, label: t('Cancel') },
    });
  }

  async function remove({ webhook }: Subject) {
    if (!(await deleteWebhook(db, webhook))) throw notFound(NO_WEBHOOK);
    return `${WEBHOOKS_HOME}?done=deleted`;
  }
}

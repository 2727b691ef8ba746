import { uuidField } from '@latchkey/contract';
import type { Request } from 'express';
import type { Needs } from '../../../app/services.js';
import { findWebhook, type ListedWebhook } from '../../../domain/webhooks/registration/webhooks.js';
import { type HttpFailure, notFound } from '../../../platform/http/http-failure.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { type AreaForm, type AreaRequest, areaForm, areaPage } from '../../sign-in/area-route.js';

export const WEBHOOKS_HOME = '/developer/webhooks';

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['on', 'Webhook enabled. Pending events are sent now.'],
  ['off', 'Webhook disabled. It receives no events until you enable it.'],
  ['deleted', 'Webhook deleted.'],
  ['due', 'Delivery scheduled. It is sent in a moment.'],
  ['held', 'Nothing was sent, because the webhook is not active. Enable or resume it first.'],
  ['sent-before', 'This form was already processed and created this webhook. Reveal its secret below.'],
]);

/** Path parameters of the pages about a webhook or delivery. */
export interface IdParams extends Record<string, string> {
  id: string;
}

export function webhookPath(id: string): string {
  return `${WEBHOOKS_HOME}/${id}`;
}

/** Returns the confirmation for the request's query. */
export function webhookNotice(request: Pick<Request, 'originalUrl'>): string | undefined {
  return NOTICES.get(requestQuery(request as Request).get('done') ?? '');
}

/** Returns the id of the path in lower case, or an empty string, which matches nothing, if it is malformed. */
export function idOf({ params }: { params: IdParams }): string {
  return uuidField.safeParse(params.id).data ?? '';
}

/** Creates the handler of a page about a webhook. Sends 404 unless the signed-in user owns the webhook. */
export function ownWebhookPage(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  show: (areaRequest: AreaRequest<IdParams>, webhook: ListedWebhook) => void | Promise<void>,
) {
  return areaPage<IdParams>(needs, async (areaRequest) => {
    const webhook = await findOwn(needs, areaRequest);
    if (webhook === undefined) throw noSuchWebhook();
    await show(areaRequest, webhook);
  });
}

/** Creates the handlers of a form about a webhook. Sends 404 unless the signed-in user owns the webhook. */
export function ownWebhookForm(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  handle: (form: AreaForm<IdParams>, webhook: ListedWebhook) => void | Promise<void>,
) {
  return areaForm<IdParams>(needs, WEBHOOKS_HOME, async (form) => {
    const webhook = await findOwn(needs, form);
    if (webhook === undefined) throw noSuchWebhook();
    await handle(form, webhook);
  });
}

/** Failure for a webhook or delivery that does not exist or belongs to another user. */
export function noSuchWebhook(): HttpFailure {
  return notFound('There is no such webhook.');
}

function findOwn({ db }: Needs<'baseUrl' | 'clock' | 'db'>, { user, request }: AreaRequest<IdParams>) {
  return findWebhook(db, { id: idOf(request), ownerId: user.id });
}

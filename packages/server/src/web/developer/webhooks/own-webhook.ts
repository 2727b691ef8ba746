import { uuidField } from '@latchkey/contract';
import type { Request } from 'express';
import { findWebhook, type ListedWebhook } from '../../../domain/webhooks/webhooks.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/open-database.js';
import { type HttpFailure, notFound } from '../../../platform/http/http-failure.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { type AreaForm, type AreaRequest, areaForm, areaPage } from '../../sign-in/area-route.js';

interface OwnWebhookNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

export const WEBHOOKS_HOME = '/developer/webhooks';

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['on', 'The webhook is active. What waited goes out now.'],
  ['off', 'The webhook is switched off. It hears of nothing until you switch it on.'],
  ['deleted', 'The webhook is deleted.'],
  ['due', 'The delivery is due, and goes out within moments.'],
  ['held', 'The webhook is not active, so nothing was sent. Switch it on or resume it first.'],
  [
    'sent-before',
    'That form was taken already: this is the webhook that it made. Saving it shows its secret again.',
  ],
]);

/** Parameters of the addresses below one webhook or delivery. */
export interface IdParams extends Record<string, string> {
  id: string;
}

export function webhookPath(id: string): string {
  return `${WEBHOOKS_HOME}/${id}`;
}

/** What the page at this address says was done. */
export function webhookNotice(request: Pick<Request, 'originalUrl'>): string | undefined {
  return NOTICES.get(requestQuery(request as Request).get('done') ?? '');
}

/** An id from a path, in lower case; the empty text, which nothing has for an id, when it is none. */
export function idOf({ params }: { params: IdParams }): string {
  return uuidField.safeParse(params.id).data ?? '';
}

/** A page about one of the person's own webhooks. Somebody else's is not there. */
export function ownWebhookPage(
  needs: OwnWebhookNeeds,
  show: (areaRequest: AreaRequest<IdParams>, webhook: ListedWebhook) => void | Promise<void>,
) {
  return areaPage<IdParams>(needs, async (areaRequest) => {
    const webhook = await findOwn(needs, areaRequest);
    if (webhook === undefined) throw noSuchWebhook();
    await show(areaRequest, webhook);
  });
}

/** A form about one of the person's own webhooks. */
export function ownWebhookForm(
  needs: OwnWebhookNeeds,
  take: (form: AreaForm<IdParams>, webhook: ListedWebhook) => void | Promise<void>,
) {
  return areaForm<IdParams>(needs, WEBHOOKS_HOME, async (form) => {
    const webhook = await findOwn(needs, form);
    if (webhook === undefined) throw noSuchWebhook();
    await take(form, webhook);
  });
}

/** Failure for a webhook or delivery that does not exist or belongs to another user. */
export function noSuchWebhook(): HttpFailure {
  return notFound('There is no such webhook.');
}

function findOwn({ db }: OwnWebhookNeeds, { user, request }: AreaRequest<IdParams>) {
  return findWebhook(db, { id: idOf(request), ownerId: user.id });
}

import { emailField } from '@latchkey/contract';
import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { type DropSettings, dropSchema } from '../../../domain/drops/drop.js';
import { exportSignups, listSignups } from '../../../domain/drops/drop-signups.js';
import {
  changeDrop,
  createDrop,
  type DropSlot,
  endDrop,
  findDrop,
  listDropSlots,
} from '../../../domain/drops/drops.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { readPosition } from '../../../platform/database/keyset.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { sendCsv } from '../../ui/frame/send-csv.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { Page } from '../../ui/frame/site.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import {
  dateFieldOf,
  type FormResult,
  parseForm,
  UnreadableText,
  wholeNumberOf,
} from '../../ui/parts/form.js';
import { newSubmissionId, submissionIdOf } from '../../ui/parts/submission-id.js';
import { renderCreationPage } from '../frame/creation-page.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import type { SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { communityForm, communityPage, readId } from '../frame/seller-request.js';
import { type DropFields, DropFormFields } from './drop-form-fields.js';
import { sellerDropPage } from './seller-drop-page.js';
import { sellerDropsPage } from './seller-drops-page.js';

/** Initial values of the form of a new drop. */
const EMPTY_DROP: DropFields = { name: '', slots: '', startsAt: null, endsAt: null };

/** Returns the form values of an existing drop. */
function fieldsOfDrop({ name, slots, startsAt, endsAt }: DropSettings): DropFields {
  return { name, slots: slots === null ? '' : `${slots}`, startsAt, endsAt };
}

/** Returns the values of the form, to show them again. */
function typedDrop(form: URLSearchParams): DropFields {
  return {
    name: form.get('name') ?? '',
    slots: form.get('slots') ?? '',
    startsAt: readableOf(dateFieldOf(form, 'startsAt', null)),
    endsAt: readableOf(dateFieldOf(form, 'endsAt', null)),
  };
}

/** Validates the form of a drop. A blank start means `whenBlank`. */
function readDrop(form: URLSearchParams, whenBlank: number): FormResult<DropSettings> {
  return parseForm(dropSchema, {
    name: form.get('name') ?? '',
    slots: wholeNumberOf(form.get('slots') ?? ''),
    startsAt: dateFieldOf(form, 'startsAt', whenBlank),
    endsAt: dateFieldOf(form, 'endsAt', null),
  });
}

function readableOf(instant: number | null | UnreadableText): number | null {
  return instant instanceof UnreadableText ? null : instant;
}

type DropRequest = Parameters<Parameters<typeof communityPage>[1]>[0];

/** Routes of a community's drops and their signups. */
export function dropRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/seller/communities/:communityId/drops')
    .get(showDrops(needs))
    .post(create(needs))
    .all(methodNotAllowed('GET, POST'));
  router.route('/seller/communities/:communityId/drops/new').get(showNew(needs)).all(methodNotAllowed('GET'));
  router
    .route('/seller/communities/:communityId/drops/:dropId')
    .get(showDrop(needs))
    .post(save(needs))
    .all(methodNotAllowed('GET, POST'));
  router
    .route('/seller/communities/:communityId/drops/:dropId/end')
    .post(end(needs))
    .all(methodNotAllowed('POST'));
  router
    .route('/seller/communities/:communityId/drops/:dropId/signups.csv')
    .get(sendSignups(needs))
    .all(methodNotAllowed('GET'));
  return router;
}

function showDrops(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return communityPage(needs, async ({ frame, community, request, response }) => {
    const after = readPosition(requestQuery(request).get('after'));
    const drops = await listDropSlots(db, community.id, after);
    const list = { drops, isFirst: after === undefined, now: clock.now() };
    sendPage(response, sellerDropsPage({ frame, community, ...list, notice: noticeOf(request) }));
  });
}

function showNew(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async ({ frame, community, response }) => {
    const page = { frame, community, fields: EMPTY_DROP, submission: newSubmissionId() };
    sendPage(response, newDropPage(page));
  });
}

function create(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return communityForm(needs, async ({ frame, community, actor, form, response }) => {
    const submission = submissionIdOf(form);
    const now = clock.now();
    const sendErrors = (errors: FormError[]) => {
      const page = { frame, community, fields: typedDrop(form), submission, errors };
      sendPage(response, newDropPage(page), { status: 400 });
    };
    const read = readDrop(form, now);
    if (read.kind === 'invalid') return sendErrors(read.errors);
    const created = await submitOnce(db, {
      submission: { userId: actor.userId, id: submission },
      now,
      work: (transaction) => createDrop(transaction, actor, { drop: read.value, now }),
      hasEffect: ({ kind }) => kind === 'created',
    });
    const drops = `${communityPath(community.id)}/drops`;
    switch (created.kind) {
      case 'unknown':
        throw notFound();
      case 'too-many': {
        const message = `This community has ${created.max} drops, ended ones included, which is the maximum. Ask the operator of this service for more.`;
        return sendErrors([{ field: 'name', message }]);
      }
      case 'already-submitted':
        return redirectDone(response, drops, 'drop-created');
      case 'created':
        redirectDone(response, `${drops}/${created.id}`, 'drop-created');
    }
  });
}

function showDrop(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async (areaRequest) => {
    const drop = await findDrop(needs.db, areaRequest.community, dropIdOf(areaRequest));
    if (drop === undefined) throw notFound();
    await sendDrop(needs, areaRequest, { drop, fields: fieldsOfDrop(drop) });
  });
}

function save(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db } = needs;
  return communityForm(needs, async (areaRequest) => {
    const { community, actor, form, response } = areaRequest;
    const drop = await findDrop(db, community, dropIdOf(areaRequest));
    if (drop === undefined) throw notFound();
    const fields = typedDrop(form);
    const read = readDrop(form, drop.startsAt);
    if (read.kind === 'invalid') {
      return await sendDrop(needs, areaRequest, { drop, fields, errors: read.errors });
    }
    const result = await changeDrop(db, actor, { dropId: drop.id, drop: read.value });
    if (result.kind === 'unknown') throw notFound();
    if (result.kind === 'too-few-slots') {
      const message = `${result.slotsUsed} slots are already taken. Enter at least ${result.slotsUsed}.`;
      const errors = [{ field: 'slots', message }];
      return await sendDrop(needs, areaRequest, { drop, fields, errors });
    }
    redirectDone(response, `${communityPath(community.id)}/drops/${drop.id}`, 'drop-saved');
  });
}

function end(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return communityForm(needs, async (areaRequest) => {
    const { community, actor, response } = areaRequest;
    const dropId = dropIdOf(areaRequest);
    if (!(await endDrop(db, actor, { dropId, now: clock.now() }))) {
      throw notFound();
    }
    redirectDone(response, `${communityPath(community.id)}/drops/${dropId}`, 'drop-ended');
  });
}

function sendSignups(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db } = needs;
  return communityPage(needs, async (areaRequest) => {
    const { community, response } = areaRequest;
    const drop = await findDrop(db, community, dropIdOf(areaRequest));
    if (drop === undefined) throw notFound();
    await sendCsv(response, `signups-${drop.id}`, exportSignups(db, drop.id));
  });
}

/** Sends the page of a drop, with the status 400 if there are errors. */
async function sendDrop(
  { db, clock }: Needs<'baseUrl' | 'clock' | 'db'>,
  { frame, community, request, response }: DropRequest,
  { drop, fields, errors }: { drop: DropSlot; fields: DropFields; errors?: FormError[] },
): Promise<void> {
  const after = emailField.safeParse(requestQuery(request).get('after')).data;
  const html = sellerDropPage({
    frame,
    community,
    drop,
    fields,
    signups: await listSignups(db, drop.id, after),
    isFirst: after === undefined,
    now: clock.now(),
    notice: noticeOf(request),
    errors,
  });
  sendPage(response, html, { status: errors === undefined ? 200 : 400 });
}

function dropIdOf({ request }: DropRequest): string {
  return readId(request.params.dropId);
}

interface NewDropPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  fields: DropFields;
  submission: string;
}

/** Renders the form of a new drop: `POST …/drops` with `name`, `slots`, `startsAt` (blank for now) and `endsAt`. */
export function newDropPage(props: NewDropPageProps): Page {
  return renderCreationPage({
    ...props,
    section: 'drops',
    sectionLabel: 'Drops',
    title: 'New drop',
    submit: 'Create drop',
    fields: (
      <>
        <DropFormFields fields={props.fields} errors={props.errors} startHint="Leave blank to start now." />
      </>
    ),
  });
}

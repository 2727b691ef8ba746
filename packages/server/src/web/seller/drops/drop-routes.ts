import { emailField } from '@latchkey/contract';
import type { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { dropSchema } from '../../../domain/drops/drop.js';
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
import { notFound } from '../../../platform/http/http-failure.js';
import { readId } from '../../sign-in/area-route.js';
import { sendCsv } from '../../ui/frame/send-csv.js';
import type { FormValues } from '../../ui/parts/define-form.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../../ui/parts/form-parts.js';
import { shownList } from '../../ui/parts/list-panel.js';
import {
  type CommunityForm,
  type CommunityRequest,
  doneAt,
  routesOfCommunity,
} from '../frame/seller-request.js';
import { DROP, NEW_DROP, newDropPage, sellerDropPage, sellerDropsPage } from './drop-pages.js';

/** Routes of a community's drops and their signups. */
export function dropRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/drops': { get: list, post: create },
    '/seller/communities/:communityId/drops/new': { get: showNew },
    '/seller/communities/:communityId/drops/:dropId': { get: show, post: save },
    '/seller/communities/:communityId/drops/:dropId/end': { post: end },
    '/seller/communities/:communityId/drops/:dropId/signups.csv': { get: sendSignups },
  });

  async function list({ community, page, query }: CommunityRequest) {
    const drops = await shownList(query, (after) => listDropSlots(db, community.id, after));
    return sellerDropsPage({ ...page, drops, now: clock.now() });
  }

  function showNew({ page }: CommunityRequest) {
    return newDropPage({ ...page, values: NEW_DROP.empty, submission: newSubmissionId() });
  }

  async function create({ actor, form, page, path }: CommunityForm) {
    const submission = submissionIdOf(form);
    const now = clock.now();
    const refuse = (errors: FormError[]) =>
      newDropPage({ ...page, values: NEW_DROP.read(form), submission, errors });
    const read = NEW_DROP.parse(dropSchema, form, { startsAt: now });
    if (read.kind === 'invalid') return refuse(read.errors);
    const created = await submitOnce(db, {
      submission: { userId: actor.userId, id: submission },
      now,
      work: (transaction) => createDrop(transaction, actor, { drop: read.value, now }),
      hasEffect: ({ kind }) => kind === 'created',
    });
    switch (created.kind) {
      case 'unknown':
        throw notFound();
      case 'too-many': {
        const message = `This community has ${created.max} drops, ended ones included, which is the maximum. Ask the operator of this service for more.`;
        return refuse([{ field: 'name', message }]);
      }
      case 'already-submitted':
        return doneAt(`${path}/drops`, 'drop-created');
      case 'created':
        return doneAt(`${path}/drops/${created.id}`, 'drop-created');
    }
  }

  async function show(area: CommunityRequest) {
    const drop = await dropOf(area);
    return await dropPage(area, { drop, values: DROP.of(drop) });
  }

  async function save(area: CommunityForm) {
    const { actor, form, path } = area;
    const drop = await dropOf(area);
    const refuse = (errors: FormError[]) => dropPage(area, { drop, values: DROP.read(form), errors });
    const read = DROP.parse(dropSchema, form, { startsAt: drop.startsAt });
    if (read.kind === 'invalid') return await refuse(read.errors);
    const result = await changeDrop(db, actor, { dropId: drop.id, drop: read.value });
    if (result.kind === 'unknown') throw notFound();
    if (result.kind === 'too-few-slots') {
      const message = `${result.slotsUsed} slots are already taken. Enter at least ${result.slotsUsed}.`;
      return await refuse([{ field: 'slots', message }]);
    }
    return doneAt(`${path}/drops/${drop.id}`, 'drop-saved');
  }

  async function end({ actor, path, request }: CommunityForm) {
    const dropId = readId(request.params.dropId);
    if (!(await endDrop(db, actor, { dropId, now: clock.now() }))) throw notFound();
    return doneAt(`${path}/drops/${dropId}`, 'drop-ended');
  }

  async function sendSignups(area: CommunityRequest) {
    const drop = await dropOf(area);
    await sendCsv(area.response, `signups-${drop.id}`, exportSignups(db, drop.id));
  }

  async function dropPage(
    { page, query }: CommunityRequest,
    form: { drop: DropSlot; values: FormValues<typeof DROP>; errors?: FormError[] },
  ) {
    const after = emailField.safeParse(query.get('after')).data;
    const signups = { ...(await listSignups(db, form.drop.id, after)), isFirst: after === undefined };
    return sellerDropPage({ ...page, ...form, signups, now: clock.now() });
  }

  async function dropOf({ community, request }: CommunityRequest) {
    const drop = await findDrop(db, community, readId(request.params.dropId));
    if (drop === undefined) throw notFound();
    return drop;
  }
}

import { auditPage } from '../../src/features/operator/audit.pages.js';
import { operatorSignInPage } from '../../src/features/operator/operator-access.pages.js';
import { recordForm } from '../../src/features/operator/record-form.pages.js';
import { RECORDS, type RecordKind } from '../../src/features/operator/record-kinds.js';
import type { FoundRecord } from '../../src/features/operator/records.js';
import {
  operatorHomePage,
  recordEndPage,
  recordFormPage,
  recordPage,
  recordsPage,
} from '../../src/features/operator/records.pages.js';
import type { AreaFrame } from '../../src/web/kit/frame/area-page.js';
import type { Page } from '../../src/web/kit/frame/send-page.js';

type EndWords = Parameters<typeof recordEndPage>[0]['end'];

const ID = '3f1c2a44-8a52-4f0e-9d8e-0f6c5f3f7a10';
const TIME = '2026-06-12T14:05:00.000Z';

/** Every page of the operator area, with a field of each type. */
export function operatorPagesWith(hostile: string, frame: AreaFrame): Record<string, Page> {
  const kind = 'clients';
  const record = {
    ...{ id: hostile, clientId: hostile, ownerId: ID, type: 'public', name: hostile, description: hostile },
    ...{ redirectUris: [hostile], widgetOrigins: [], scopes: ['memberships.read'] },
    ...{ verifiedAt: null, createdAt: TIME },
  };
  const drop = {
    ...{ id: ID, communityId: ID, name: hostile, slots: 5, slotsUsed: 2, startsAt: TIME, endsAt: null },
    ...{ createdAt: TIME, state: 'running' },
  };
  const labels = { [ID]: hostile };
  const found: FoundRecord = { record, labels, related: [] };
  const user: FoundRecord = {
    record: { id: ID, email: hostile, name: hostile, mayProvision: false, createdAt: TIME },
    labels,
    related: [{ kind: 'memberships', field: 'userId', count: 12_500 }],
  };
  const errors = ['name', 'code', 'confirmation'].map((field) => ({ field, message: hostile }));
  const counts = Object.fromEntries(Object.keys(RECORDS).map((name) => [name, 10_001])) as Record<
    RecordKind,
    number
  >;
  const change = recordForm(kind, 'change', record);
  const appoint = recordForm('operators', 'create');
  const list = { next: hostile, isFirst: false };
  return {
    operatorAudit: auditPage({
      ...{ frame, filter: { subjectId: hostile } },
      list: { rows: [entryWith(hostile)], ...list },
    }),
    operatorHome: operatorHomePage({ frame: { ...frame, user: { email: hostile } }, counts, max: 10_000 }),
    operatorSignIn: operatorSignInPage(frame),
    operatorDrops: recordsPage({
      ...{ frame, kind: 'drops', labels, list: { ...list, rows: [drop] }, canCreate: false },
      filter: { text: hostile, owners: { communityId: ID } },
    }),
    operatorOperators: recordsPage({
      ...{ frame, kind: 'operators', labels, list: { ...list, rows: [], isFirst: true }, canCreate: true },
      ...{ filter: { text: '', owners: {} }, notice: hostile },
    }),
    operatorClient: recordPage({ frame, kind, found, canChange: true, notice: hostile }),
    operatorUser: recordPage({ frame, kind: 'users', found: user, canChange: false }),
    operatorChange: recordFormPage({
      ...{ frame, kind, found, errors, shown: change.current },
      fields: change.fields({ values: change.current }),
    }),
    operatorAppoint: recordFormPage({
      ...{ frame, kind: 'operators', shown: appoint.empty },
      fields: appoint.fields({ values: appoint.empty }),
    }),
    operatorEnd: recordEndPage({
      frame,
      kind,
      found,
      end: RECORDS[kind].end as EndWords,
      typed: hostile,
      errors,
    }),
  };
}

function entryWith(hostile: string) {
  return {
    ...({ id: hostile, createdAt: Date.parse(TIME), actorKind: 'user', actorId: hostile } as const),
    ...({ action: 'plan.change', subjectKind: 'plan', subjectId: hostile, communityId: hostile } as const),
    details: { fields: [hostile] },
  };
}

import type { Request, Router } from 'express';
import type { Services } from '../../app/services.js';
import { PAGE_SIZE } from '../../platform/database/rows.js';
import { notFound } from '../../platform/http/http-failure.js';
import { phrase, t } from '../../platform/language/language.js';
import {
  type AreaAnswer,
  type AreaForm,
  type AreaRequest,
  areaRoutes,
  noticesOf,
  readId,
} from '../../web/kit/areas/area-routes.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import type { FormError } from '../../web/kit/parts/form-parts.js';
import { listAuditEntries } from '../audit/audit.js';
import type { OperatorRole } from '../operator-roles/operator-roles.js';
import { answerRejected, enteredProof } from '../sign-in/proof.pages.js';
import { AUDIT_PATH, auditFilterOf, auditPage } from './audit.pages.js';
import { asAdmin, OPERATOR_PATH, onlyFor } from './operator-access.pages.js';
import { conflict, OperatorError } from './operator-checks.js';
import { recordCalls } from './record-calls.js';
import { formErrors, recordForm } from './record-form.pages.js';
import { RECORDS, type RecordKind, recordKind } from './record-kinds.js';
import type { FoundRecord } from './records.js';
import {
  CREATABLE,
  kindPath,
  operatorHomePage,
  type RecordFilter,
  recordEndPage,
  recordFormPage,
  recordPage,
  recordPath,
  recordsPage,
  titleOf,
} from './records.pages.js';

const SEARCH_MAX_LENGTH = 254;

/** Maximum number of records of a kind that the start page counts. */
const COUNTED_MAX = 10_000;

const noticeOf = noticesOf({
  created: phrase('Created.'),
  changed: phrase('Saved.'),
  ended: phrase('Done.'),
});

/** The pages are projections of `RECORDS`. VIEWERs can read; ADMINs can also change and end records. */
export function operatorRoutes(needs: Services): Router {
  const records = recordCalls(needs);
  const by =
    (role: OperatorRole) =>
    <Area extends AreaRequest>(handle: (area: Area) => AreaAnswer | Promise<AreaAnswer>) =>
      onlyFor(needs, role, handle);
  const [viewer, admin] = [by('VIEWER'), by('ADMIN')];
  const one = `${OPERATOR_PATH}/:kind/:id`;
  return areaRoutes(needs, OPERATOR_PATH, {
    [OPERATOR_PATH]: { get: viewer(showHome) },
    [AUDIT_PATH]: { get: viewer(showAudit) },
    [`${OPERATOR_PATH}/:kind`]: { get: viewer(list) },
    [`${OPERATOR_PATH}/:kind/new`]: { get: admin(showNew), post: admin(create) },
    [one]: { get: viewer(show) },
    [`${one}/change`]: { get: admin(showChange), post: admin(change) },
    [`${one}/end`]: { get: admin(askToEnd), post: admin(end) },
  });

  async function showHome({ frame }: AreaRequest) {
    return operatorHomePage({ frame, counts: await records.counts(COUNTED_MAX + 1), max: COUNTED_MAX });
  }

  async function showAudit({ frame, query }: AreaRequest) {
    const after = query.get('after') ?? undefined;
    const filter = auditFilterOf(query);
    const entries = await listAuditEntries(needs.db, { ...filter, after });
    return auditPage({ frame, filter, list: { ...entries, isFirst: after === undefined } });
  }

  async function list({ user, frame, query, request }: AreaRequest) {
    const kind = kindOf(request);
    const after = query.get('after') ?? undefined;
    const filter = filterOf(kind, query);
    const { text, owners } = filter;
    const {
      records: rows,
      labels,
      next,
    } = await records.list(kind, { limit: PAGE_SIZE, after, text, ...owners });
    return recordsPage({
      ...{ frame, kind, labels, filter },
      list: { rows: [...rows], next: next ?? undefined, isFirst: after === undefined },
      canCreate: user.operatorRole === 'ADMIN',
      notice: noticeOf(query),
    });
  }

  async function show({ user, frame, query, request }: AreaRequest) {
    const { kind, found } = await subjectOf(request);
    const canChange = user.operatorRole === 'ADMIN';
    return recordPage({ frame, kind, found, canChange, notice: noticeOf(query) });
  }

  function showNew({ frame, query, request }: AreaRequest) {
    const kind = creatableKindOf(request);
    const form = recordForm(kind, 'create');
    const values = { ...form.empty, ...filterOf(kind, query).owners };
    return recordFormPage({ frame, kind, fields: form.fields({ values }), shown: form.empty });
  }

  async function create(area: AreaForm) {
    const { frame, form: sent, request } = area;
    const kind = creatableKindOf(request);
    const form = recordForm(kind, 'create');
    return await act(area, {
      kind,
      work: (calls) => calls.create(kind, form.changed(sent)),
      refuse(errors) {
        const fields = form.fields({ values: form.read(sent) });
        return recordFormPage({ frame, kind, fields, errors, shown: form.empty });
      },
      done: `${kindPath(kind)}?done=created`,
    });
  }

  async function showChange({ frame, request }: AreaRequest) {
    const { kind, found, form } = await changeOf(request);
    const fields = form.fields({ values: form.current });
    return recordFormPage({ frame, kind, found, fields, shown: form.current });
  }

  async function change(area: AreaForm) {
    const { frame, form: sent, request } = area;
    const { kind, id, found, form } = await changeOf(request);
    let isUnseen = false;
    return await act(area, {
      kind,
      async work(calls) {
        const unseen = form.vouchesUnseen(sent, (await calls.find(kind, id)).record);
        isUnseen = unseen !== undefined;
        if (isUnseen)
          throw conflict(phrase('It has changed since you opened the form. Check it again.'), unseen);
        return await calls.change(kind, id, form.changed(sent));
      },
      refuse(errors) {
        const [values, shown] = isUnseen
          ? [form.current, form.current]
          : [form.read(sent), form.shownIn(sent)];
        return recordFormPage({ frame, kind, found, fields: form.fields({ values }), errors, shown });
      },
      done: `${recordPath(kind, id)}?done=changed`,
    });
  }

  async function askToEnd({ frame, request }: AreaRequest) {
    return recordEndPage({ frame, ...(await endOf(request)) });
  }

  async function end(area: AreaForm) {
    const { frame, form, request } = area;
    const { id, ...subject } = await endOf(request);
    const { kind, found } = subject;
    const typed = form.get('confirmation') ?? '';
    const refuse = (errors: readonly FormError[]) => recordEndPage({ frame, ...subject, typed, errors });
    if (subject.end.isFinal && !confirms(typed, found)) {
      return refuse([{ field: 'confirmation', message: t('Enter exactly what the field asks for.') }]);
    }
    const done = `${kindPath(kind)}?done=ended`;
    return await act(area, { kind, work: (calls) => calls.end(kind, id), refuse, done });
  }

  /** Makes a change with the second factor. Its calls join the transaction that checks the role. */
  async function act(
    area: AreaForm,
    options: {
      kind: RecordKind;
      work: (calls: ReturnType<typeof recordCalls>) => Promise<unknown>;
      refuse: (errors: readonly FormError[]) => Page;
      done: string;
    },
  ) {
    const { kind, work, refuse, done } = options;
    const entered = await enteredProof(needs, area);
    if (entered === undefined) return OPERATOR_PATH;
    try {
      const result = await asAdmin(needs, entered, (db) => work(recordCalls({ ...needs, db })));
      if (result.kind === 'changed') return done;
      if (result.kind === 'off') throw notFound();
      return answerRejected(needs, area, result, { path: area.request.originalUrl, again: refuse });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      // The record itself is gone.
      if (error.code === 'not_found' && Object.keys(error.fields).length === 0) throw notFound();
      return refuse(formErrors(kind, error));
    }
  }

  async function subjectOf(request: Request<Record<string, string>>) {
    const kind = kindOf(request);
    const id = request.params.id ?? '';
    return { kind, id, found: await records.find(kind, id) };
  }

  async function changeOf(request: Request<Record<string, string>>) {
    const subject = await subjectOf(request);
    if (recordKind(subject.kind).change === undefined) throw notFound();
    return { ...subject, form: recordForm(subject.kind, 'change', subject.found.record) };
  }

  async function endOf(request: Request<Record<string, string>>) {
    const subject = await subjectOf(request);
    const { end: how } = recordKind(subject.kind);
    if (how === undefined) throw notFound();
    return { ...subject, end: how };
  }
}

function kindOf({ params }: Request<Record<string, string>>): RecordKind {
  const kind = params.kind ?? '';
  if (!Object.hasOwn(RECORDS, kind)) throw notFound();
  return kind as RecordKind;
}

function creatableKindOf(request: Request<Record<string, string>>): RecordKind {
  const kind = kindOf(request);
  if (CREATABLE[kind] === undefined) throw notFound();
  return kind;
}

function filterOf(kind: RecordKind, query: URLSearchParams): RecordFilter {
  const owners = recordKind(kind).owners.filter((field) => query.has(field));
  return {
    text: query.get('text')?.trim().slice(0, SEARCH_MAX_LENGTH) ?? '',
    owners: Object.fromEntries(owners.map((field) => [field, readId(query.get(field))])),
  };
}

/** True if the input is the title or the id of the record. The id is for titles that are hard to type. */
function confirms(typed: string, { record, labels }: FoundRecord): boolean {
  const plain = (text: string) => text.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  return [titleOf(record, labels), String(record.id)].some((text) => plain(typed) === plain(text));
}

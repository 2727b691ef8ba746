import { phrase, t } from '../../platform/language/language.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { SelectField, TextField } from '../../web/kit/parts/form-field.js';
import { Button, ButtonLink } from '../../web/kit/parts/form-parts.js';
import { type Column, ListPanel } from '../../web/kit/parts/table.js';
import { Time, UNTRANSLATED } from '../../web/kit/parts/values.js';
import { AUDIT_ACTIONS, type AuditAction, type listAuditEntries } from '../audit/audit.js';
import { RECORDS } from './record-kinds.js';
import { inOperator, KINDS, recordPath } from './records.pages.js';

export const AUDIT_PATH = '/operator/audit';

const ACTIONS: readonly AuditAction[] = Object.values(AUDIT_ACTIONS).flat();

const FILTERS = {
  actorId: phrase('Actor ID'),
  subjectId: phrase('Subject ID'),
  communityId: phrase('Community ID'),
} as const;

export type AuditFilter = Partial<Record<keyof typeof FILTERS, string> & { action: AuditAction }>;

export function auditFilterOf(query: URLSearchParams): AuditFilter {
  const given = Object.keys(FILTERS).map((name) => [name, query.get(name)?.trim() ?? '']);
  const action = ACTIONS.find((known) => known === query.get('action'));
  return Object.fromEntries([...given, ['action', action ?? '']].filter(([, value]) => value !== ''));
}

type AuditList = Awaited<ReturnType<typeof listAuditEntries>>;

/** Renders the audit log, newest first. It contains ids only; names are on the pages that it links to. */
export function auditPage(
  props: PageProps & { filter: AuditFilter; list: AuditList & { isFirst: boolean } },
): Page {
  const { filter, list } = props;
  return renderAreaPage({
    ...inOperator(props, AUDIT_PATH),
    title: t('Audit log'),
    lead: t('Who changed what. The database lets nobody change or delete an entry.'),
    children: (
      <ListPanel
        label={t('Audit log')}
        columns={COLUMNS}
        list={list}
        empty={{ title: t('Nothing matches.') }}
        noMore={t('There are no more entries.')}
        path={AUDIT_PATH}
        query={filter}
        first={phrase('newest')}
      >
        <form class="search-form" method="get" action={AUDIT_PATH}>
          {Object.entries(FILTERS).map(([name, label]) => (
            <TextField
              key={name}
              name={name}
              label={t(label)}
              value={filter[name as keyof typeof FILTERS] ?? ''}
              maxLength={100}
              spellcheck={false}
            />
          ))}
          <SelectField
            name="action"
            label={t('Action')}
            value={filter.action ?? ''}
            options={[
              { value: '', label: t('All') },
              ...ACTIONS.map((action) => ({ value: action, label: action, isName: true })),
            ]}
          />
          <Button>{t('Show')}</Button>
          <ButtonLink kind="quiet" href={AUDIT_PATH} label={t('Show all')} />
        </form>
      </ListPanel>
    ),
  });
}

type Entry = AuditList['rows'][number];

const COLUMNS: readonly Column<Entry>[] = [
  {
    heading: phrase('Action'),
    cell: ({ action }) => (
      <span class="whole" {...UNTRANSLATED}>
        {action}
      </span>
    ),
  },
  { heading: phrase('Time'), cell: ({ createdAt }) => <Time at={createdAt} precision="second" /> },
  {
    heading: phrase('Actor'),
    cell: ({ actorKind, actorId }) => (
      <>
        <span {...UNTRANSLATED}>{actorKind}</span> <Id of={actorKind} id={actorId} />
      </>
    ),
  },
  {
    heading: phrase('Subject'),
    cell: ({ subjectKind = '', subjectId }) => (
      <>
        <span {...UNTRANSLATED}>{subjectKind}</span> <Id of={subjectKind} id={subjectId} />
      </>
    ),
  },
  { heading: phrase('Community'), cell: ({ communityId }) => <Id of="community" id={communityId} /> },
  {
    heading: phrase('Details'),
    cell: ({ details }) => (
      <bdi {...UNTRANSLATED}>
        {Object.entries(details)
          .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`)
          .join('; ')}
      </bdi>
    ),
  },
];

/** The end of an id, linked to the page of its record. The record may have been deleted since. */
function Id({ of, id }: { of: string; id: string | null }) {
  if (id === null) return null;
  const kind = KINDS.find((known) => known === of || RECORDS[known].one === of || known === `${of}s`);
  const end = `…${id.slice(-8)}`;
  const text = (
    <bdi dir="ltr" class="whole">
      {end}
    </bdi>
  );
  return kind === undefined ? text : <a href={recordPath(kind, id)}>{text}</a>;
}

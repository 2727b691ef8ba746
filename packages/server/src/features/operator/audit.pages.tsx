import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { SelectField, TextField } from '../../web/kit/parts/form-field.js';
import { Button, ButtonLink } from '../../web/kit/parts/form-parts.js';
import { type Column, ListPanel } from '../../web/kit/parts/table.js';
import { Time } from '../../web/kit/parts/values.js';
import { AUDIT_ACTIONS, type AuditAction, type listAuditEntries } from '../audit/audit.js';
import { RECORDS, type RecordKind } from './record-kinds.js';
import { inOperator, recordPath } from './records.pages.js';

export const AUDIT_PATH = '/operator/audit';

const ACTIONS: readonly AuditAction[] = Object.values(AUDIT_ACTIONS).flat();

/** Fields that limit the list, by the names of the address. */
const FILTERS = { actorId: 'Actor', subjectId: 'Subject', communityId: 'Community' } as const;

export type AuditFilter = Partial<Record<keyof typeof FILTERS, string> & { action: AuditAction }>;

export function auditFilterOf(query: URLSearchParams): AuditFilter {
  const given = Object.keys(FILTERS).map((name) => [name, query.get(name)?.trim() ?? '']);
  const action = ACTIONS.find((known) => known === query.get('action'));
  return Object.fromEntries([...given, ['action', action ?? '']].filter(([, value]) => value !== ''));
}

type AuditList = Awaited<ReturnType<typeof listAuditEntries>>;

const KINDS = Object.keys(RECORDS) as RecordKind[];

/** Renders the audit log, newest first. It contains ids only, so names are on the pages that it links to. */
export function auditPage(
  props: PageProps & { filter: AuditFilter; list: AuditList & { isFirst: boolean } },
): Page {
  const { filter, list } = props;
  return renderAreaPage({
    ...inOperator(props, AUDIT_PATH),
    title: 'Audit log',
    lead: 'Who changed what. The database lets nobody change or delete an entry.',
    children: (
      <ListPanel
        label="Entries of the audit log"
        columns={COLUMNS}
        list={list}
        empty={{ title: 'No entry matches.' }}
        noMore="There are no more entries."
        path={AUDIT_PATH}
        query={filter}
        first="newest entries"
      >
        <form class="search-form" method="get" action={AUDIT_PATH}>
          {Object.entries(FILTERS).map(([name, label]) => (
            <TextField
              key={name}
              name={name}
              label={`${label} ID`}
              value={filter[name as keyof typeof FILTERS] ?? ''}
              maxLength={100}
              spellcheck={false}
            />
          ))}
          <SelectField
            name="action"
            label="Action"
            value={filter.action ?? ''}
            options={[
              { value: '', label: 'All' },
              ...ACTIONS.map((action) => ({ value: action, label: action })),
            ]}
          />
          <Button>Show</Button>
          <ButtonLink kind="quiet" href={AUDIT_PATH} label="Show all" />
        </form>
      </ListPanel>
    ),
  });
}

type Entry = AuditList['rows'][number];

const COLUMNS: readonly Column<Entry>[] = [
  { heading: 'Action', cell: ({ action }) => <span class="whole">{action}</span> },
  { heading: 'Time', cell: ({ createdAt }) => <Time at={createdAt} precision="second" /> },
  {
    heading: 'Actor',
    cell: ({ actorKind, actorId }) => (
      <>
        {actorKind} <Id of={actorKind} id={actorId} />
      </>
    ),
  },
  {
    heading: 'Subject',
    cell: ({ subjectKind = '', subjectId }) => (
      <>
        {subjectKind} <Id of={subjectKind} id={subjectId} />
      </>
    ),
  },
  { heading: 'Community', cell: ({ communityId }) => <Id of="community" id={communityId} /> },
  {
    heading: 'Details',
    cell: ({ details }) =>
      Object.entries(details)
        .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`)
        .join('; '),
  },
];

/** End of an id, as a link to the page of its record. The record may have been deleted since. */
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

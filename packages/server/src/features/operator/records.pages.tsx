import type { ComponentChildren } from 'preact';
import { camelNameOf } from '../../platform/database/rows.js';
import { type Phrase, phrase, t } from '../../platform/language/language.js';
import { confirmPage, type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { TextField } from '../../web/kit/parts/form-field.js';
import { Button, ButtonLink, PostForm } from '../../web/kit/parts/form-parts.js';
import { Panel, Stats } from '../../web/kit/parts/panel.js';
import { type Column, ListPanel } from '../../web/kit/parts/table.js';
import { CopyText, Count, Facts, Money, Pill, Time } from '../../web/kit/parts/values.js';
import type { OwnerField } from '../fields/define-records.js';
import { SecondFactorField } from '../sign-in/proof.pages.js';
import { OPERATOR_PATH } from './operator-access.pages.js';
import { capitalized, fieldLabel } from './record-form.pages.js';
import { RECORDS, type RecordKind, recordKind } from './record-kinds.js';
import { type DataRecord, type FoundRecord, KIND_OF_FIELD, type RecordLabels } from './records.js';

export const KINDS = Object.keys(RECORDS) as RecordKind[];

/** Kinds that the area can create. Others are for the command line, which can show a new secret. */
export const CREATABLE: Partial<Record<RecordKind, { readonly title: Phrase; readonly submit: Phrase }>> = {
  operators: { title: phrase('New operator'), submit: phrase('Create operator') },
};

export function kindPath(kind: RecordKind): string {
  return `${OPERATOR_PATH}/${kind}`;
}

export function recordPath(kind: RecordKind, id: string): string {
  return `${kindPath(kind)}/${encodeURIComponent(id)}`;
}

export function pluralOf(kind: RecordKind): string {
  return capitalized([...RECORDS[kind].one.split(' ').slice(0, -1), kind].join(' '));
}

export function inOperator({ frame, notice, errors }: PageProps, section: string) {
  const sections = [
    { href: OPERATOR_PATH, label: t('Overview') },
    ...KINDS.map((kind) => ({ href: kindPath(kind), label: t(pluralOf(kind)) })),
    { href: `${OPERATOR_PATH}/audit`, label: t('Audit log') },
  ];
  return { frame, notice, errors, area: 'operator', sections, section } as const;
}

export interface RecordPageProps extends PageProps {
  kind: RecordKind;
  found: FoundRecord;
}

/** Returns what identifies a record to people. Users write it, so treat it as untrusted. */
export function titleOf({ id, email, name, url, userId }: DataRecord, labels: RecordLabels): string {
  return String(email ?? name ?? url ?? labels[String(userId)] ?? id);
}

export function operatorHomePage(
  props: PageProps & {
    counts: Readonly<Record<RecordKind, number>>;
    max: number;
  },
): Page {
  const { counts, max } = props;
  return renderAreaPage({
    ...inOperator(props, OPERATOR_PATH),
    title: t('Operator'),
    lead: t('Everything that the service stores, for the people who run it. It contains personal data.'),
    children: (
      <Panel>
        <Stats
          items={KINDS.map((kind) => ({
            label: t(pluralOf(kind)),
            value: (
              <>
                <Count value={Math.min(counts[kind], max)} />
                {counts[kind] > max && '+'}
              </>
            ),
            href: kindPath(kind),
          }))}
        />
      </Panel>
    ),
  });
}

/** What limits a list: a search, and the records that its entries belong to. */
export interface RecordFilter {
  text: string;
  owners: Partial<Record<OwnerField, string>>;
}

/** In `GET`, `text` searches, and a record's id in `userId`, `communityId`, … limits the list. */
export function recordsPage(
  props: PageProps & {
    kind: RecordKind;
    list: { rows: DataRecord[]; next: string | undefined; isFirst: boolean };
    labels: RecordLabels;
    filter: RecordFilter;
    canCreate: boolean;
  },
): Page {
  const { kind, list, labels, filter } = props;
  const title = t(pluralOf(kind));
  const path = kindPath(kind);
  const owners = Object.entries(filter.owners) as [OwnerField, string][];
  const isLimited = filter.text !== '' || owners.length > 0;
  const query = { ...filter.owners, ...(filter.text !== '' && { text: filter.text }) };
  const newPath = owners.length === 0 ? `${path}/new` : `${path}/new?${new URLSearchParams(filter.owners)}`;
  return renderAreaPage({
    ...inOperator(props, path),
    title,
    children: (
      <ListPanel
        actions={
          props.canCreate &&
          CREATABLE[kind] && (
            <ButtonLink kind="primary" isSmall href={newPath} label={t(CREATABLE[kind].title)} />
          )
        }
        label={isLimited ? t('{list} that match', { list: title }) : title}
        columns={columnsOf(kind, list.rows, labels)}
        list={list}
        empty={{ title: isLimited ? t('Nothing matches.') : t('There are no entries.') }}
        noMore={t('There are no more entries.')}
        path={path}
        query={query}
        first={phrase('first entries')}
      >
        <Search {...{ path, filter, isLimited }} />
        {owners.map(([field, id]) => (
          <p key={field}>
            {t(valueLabel(kind, field))}: <Value {...{ kind, name: field, labels }} value={id} />
          </p>
        ))}
      </ListPanel>
    ),
  });
}

function Search(props: { path: string; filter: RecordFilter; isLimited: boolean }) {
  const { path, filter, isLimited } = props;
  return (
    <form class="search-form" method="get" action={path}>
      {Object.entries(filter.owners).map(([name, value]) => (
        <input type="hidden" name={name} value={value} key={name} />
      ))}
      <TextField
        name="text"
        label={t('Search')}
        hint={t('Part of a name, an address or an ID.')}
        value={filter.text}
        maxLength={254}
        spellcheck={false}
      />
      <Button>{t('Search')}</Button>
      {isLimited && <ButtonLink kind="quiet" href={path} label={t('Show all')} />}
    </form>
  );
}

/** What a search looks at, what a record belongs to, its time and its state, as far as there are values. */
function columnsOf(
  kind: RecordKind,
  rows: readonly DataRecord[],
  labels: RecordLabels,
): Column<DataRecord>[] {
  const { searched, owners, order } = recordKind(kind);
  const names = [...searched.map(camelNameOf), ...owners, camelNameOf(order[0]), 'state'];
  const saysMore = (row: DataRecord, value: unknown) =>
    hasValue(value) &&
    !Array.isArray(value) &&
    ![row.id, titleOf(row, labels)].some((known) => known === value || known === labels[String(value)]);
  const shown = [...new Set(names)].filter((name) => rows.some((row) => saysMore(row, row[name])));
  return [
    {
      heading: capitalized(recordKind(kind).one),
      cell: (row) => (
        <a href={recordPath(kind, String(row.id))}>
          <bdi>{titleOf(row, labels)}</bdi>
        </a>
      ),
    },
    ...shown.map((name) => ({
      heading: valueLabel(kind, name),
      cell: (row: DataRecord) => <Value {...{ kind, name, labels, record: row }} value={row[name]} />,
    })),
  ];
}

function hasValue(value: unknown): boolean {
  return (
    value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

export function valueLabel(kind: RecordKind, name: string): string {
  return fieldLabel(kind, name in KIND_OF_FIELD ? name.replace(/Id$/, '') : name);
}

function Value(props: {
  kind: RecordKind;
  name: string;
  value: unknown;
  labels: RecordLabels;
  record?: DataRecord;
}): ComponentChildren {
  const { name, value, labels, record = {} } = props;
  const of = KIND_OF_FIELD[name];
  if (!hasValue(value)) return <span class="muted">{t('None')}</span>;
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (Array.isArray(value)) {
    return (
      <ul>
        {value.map((entry) => (
          <li key={entry}>
            <bdi>{entry}</bdi>
          </li>
        ))}
      </ul>
    );
  }
  const text = String(value);
  if (of !== undefined) {
    return (
      <a href={recordPath(of, text)}>
        <bdi>{labels[text] ?? text}</bdi>
      </a>
    );
  }
  if (name === 'state')
    return (
      <Pill tone={text === 'active' || text === 'running' ? 'good' : 'neutral'}>{t(capitalized(text))}</Pill>
    );
  if (name === 'priceMinor') return <Money minor={Number(value)} currency={String(record.currency)} />;
  if (/(?:At|From|Until|Since)$/.test(name)) return <Time at={Date.parse(text)} />;
  if (/(?:^i|I)d$/.test(name)) return <CopyText label={t(fieldLabel(props.kind, name))} value={text} />;
  return <bdi>{text}</bdi>;
}

export function recordPage(props: RecordPageProps & { canChange: boolean }): Page {
  const { kind, canChange } = props;
  const { record, labels, related } = props.found;
  const { one, change, end, columns } = recordKind(kind);
  const title = titleOf(record, labels);
  const path = recordPath(kind, String(record.id));
  const names = Object.keys(record).filter((name) => name !== 'id' || columns.includes('id'));
  const facts = names.map((name) => [
    t(valueLabel(kind, name)),
    <Value key={name} {...{ kind, name, labels, record }} value={record[name]} />,
  ]);
  return renderAreaPage({
    ...inOperator(props, kindPath(kind)),
    title: `${t(capitalized(one))} ${title}`,
    heading: <bdi>{title}</bdi>,
    parent: { href: kindPath(kind), label: t(pluralOf(kind)) },
    children: (
      <>
        <Panel
          heading={t('Fields')}
          actions={
            canChange && change !== undefined ? (
              <ButtonLink isSmall href={`${path}/change`} label={t('Change')} />
            ) : undefined
          }
          id="fields"
        >
          <Facts facts={Object.fromEntries(facts)} />
          <div class="panel-actions">
            <ButtonLink
              isSmall
              href={`${OPERATOR_PATH}/audit?${kind === 'communities' ? 'communityId' : 'subjectId'}=${record.id}`}
              label={t('Changes in the audit log')}
            />
          </div>
        </Panel>
        {related.length > 0 && (
          <Panel heading={t('Belongs to it')} id="related">
            <Stats
              items={related.map(({ kind: of, field, count }) => ({
                label: t(pluralOf(of)),
                value: <Count value={count} />,
                href: `${kindPath(of)}?${field}=${record.id}`,
              }))}
            />
          </Panel>
        )}
        {canChange && end !== undefined && (
          <Panel heading={t(end.button)} tone="danger" id="end">
            <p class="muted">{t(end.summary)}</p>
            <div class="panel-actions">
              <ButtonLink kind="danger" href={`${path}/end`} label={`${t(end.button)}…`} />
            </div>
          </Panel>
        )}
      </>
    ),
  });
}

/** Posts to its own address, with `code`, and with the current values in `shown`. */
export function recordFormPage(
  props: Omit<RecordPageProps, 'found'> & {
    /** Missing for a new record. */
    found?: FoundRecord;
    fields: ComponentChildren;
    shown: object;
  },
): Page {
  const { kind, found, fields } = props;
  const { create, change } = recordKind(kind);
  const name = found && titleOf(found.record, found.labels);
  const path = found === undefined ? kindPath(kind) : recordPath(kind, String(found.record.id));
  const write = found === undefined ? create : change;
  const words = CREATABLE[kind];
  const forNew = words && t(words.title);
  return renderAreaPage({
    ...inOperator(props, kindPath(kind)),
    title: name === undefined ? (forNew ?? '') : t('Change {name}', { name }),
    heading: name === undefined ? forNew : t('Change {name}', { name: <bdi>{name}</bdi> }),
    lead:
      change?.secretFields === undefined
        ? write && t(write.summary)
        : t('What makes a new secret isn’t here. The command line and the owner can change that.'),
    parent: { href: path, label: name === undefined ? t(pluralOf(kind)) : <bdi>{name}</bdi> },
    children: (
      <PostForm
        isPanel
        action={`${path}/${found === undefined ? 'new' : 'change'}`}
        submit={found === undefined && words ? t(words.submit) : t('Save')}
        cancelHref={path}
      >
        <input type="hidden" name="shown" value={JSON.stringify(props.shown)} />
        {fields}
        <SecondFactorField />
      </PostForm>
    ),
  });
}

/** `POST …/end` has `code`, and `confirmation` for what can't be undone. */
export function recordEndPage(
  props: RecordPageProps & { end: NonNullable<ReturnType<typeof recordKind>['end']>; typed?: string },
): Page {
  const { kind, found, end, typed = '' } = props;
  const path = recordPath(kind, String(found.record.id));
  const title = titleOf(found.record, found.labels);
  return confirmPage({
    ...inOperator(props, kindPath(kind)),
    title: t('{action}?', { action: t(end.button) }),
    subject: title,
    consequences: [t(end.summary), ...(end.isFinal ? [t('You can’t undo it.')] : [])],
    action: `${path}/end`,
    ...(end.isFinal && {
      confirmation: { label: t('To confirm, enter {title}', { title: <bdi>{title}</bdi> }), value: typed },
    }),
    button: t(end.button),
    cancel: { href: path, label: t('Cancel') },
    children: <SecondFactorField />,
  });
}

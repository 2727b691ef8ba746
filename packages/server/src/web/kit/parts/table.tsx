import type { ComponentChildren, ComponentProps } from 'preact';
import { type ListPage, type Position, readPosition } from '../../../platform/database/rows.js';
import { phrase, t } from '../../../platform/language/language.js';
import { ButtonLink } from './form-parts.js';
import { EmptyState, Pager, Panel } from './panel.js';
import { Money } from './values.js';

export interface ShownList<Row> extends ListPage<Row> {
  isFirst: boolean;
}

/** Reads the page that the query asks for: `await shownList(query, (after) => listDrops(db, id, after))`. */
export async function shownList<Row>(
  query: URLSearchParams,
  read: (after: Position | undefined) => Promise<ListPage<Row>>,
  param = 'after',
): Promise<ShownList<Row>> {
  const after = readPosition(query.get(param));
  return { ...(await read(after)), isFirst: after === undefined };
}

/** Panel with a list: its table, and links to its other pages. Without `empty`, it's left out if there are no rows. */
export function ListPanel<Row>(
  props: Pick<ComponentProps<typeof Panel>, 'actions' | 'id'> &
    Omit<ComponentProps<typeof Pager>, 'next' | 'isFirst' | 'list'> &
    Omit<TableProps<Row>, 'rows' | 'empty' | 'label'> & {
      heading?: string;
      /** Default: the heading. */
      label?: string;
      list: ShownList<Row>;
      empty?: ComponentProps<typeof EmptyState>;
      /** Link to the form of a new row: among the actions, or in the empty list. */
      add?: { href: string; label: string };
      /** Sentence for an empty page after the last one: "There are no more plans." Default: the same as `empty`. */
      noMore?: string;
      /** Content above the table, such as a search. */
      children?: ComponentChildren;
    },
) {
  const { list, heading, label = heading ?? '', columns, children, empty, noMore, id, add, ...rest } = props;
  if (empty === undefined && list.isFirst && list.rows.length === 0) return null;
  const {
    actions = add && list.rows.length > 0 && <ButtonLink kind="primary" isSmall {...add} />,
    ...pager
  } = rest;
  const text = list.isFirst || noMore === undefined ? empty && { action: add, ...empty } : { title: noMore };
  return (
    <Panel {...{ heading, actions, id }}>
      {children}
      <Table {...{ label, columns }} rows={list.rows} empty={text && <EmptyState {...text} />} />
      <Pager
        {...pager}
        {...(pager.param !== undefined && { list: label })}
        next={list.next}
        isFirst={list.isFirst}
      />
    </Panel>
  );
}

export interface Column<Row> {
  /** In English: the table translates it. */
  heading: string;
  cell: (row: Row) => ComponentChildren;
  /** True for amounts and counts. They're right-aligned, with figures of equal width. */
  isNumeric?: boolean;
  /** True to show the heading to screen readers only, for example above buttons. */
  isHeadingHidden?: boolean;
}

/** Column of prices. Rows without a price show `blank`. */
export function amountColumn<Row>(
  heading: string,
  amountOf: (row: Row) => ComponentProps<typeof Money> | false | undefined,
  blank?: ComponentChildren,
): Column<Row> {
  const cell = (row: Row) => {
    const amount = amountOf(row);
    return amount ? <Money {...amount} /> : blank;
  };
  return { heading, isNumeric: true, cell };
}

export function actionsColumn<Row>(cell: Column<Row>['cell']): Column<Row> {
  return { heading: phrase('Actions'), isHeadingHidden: true, isNumeric: true, cell };
}

export interface TableProps<Row> {
  /** Label of the table for screen readers. */
  label: string;
  /** The first column is the header of the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Content of a table without rows. Default: only the table's headings. */
  empty?: ComponentChildren;
}

/** Explicit roles. Some browsers drop the semantics of tables if their elements have another `display`. */
const ROLE = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

/** Table that turns each row into a block of labelled values if there is little width. */
export function Table<Row>({ label, columns, rows, empty }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <div class="table-box">
      <table class="table" {...ROLE.table}>
        <caption class="visually-hidden">{label}</caption>
        <thead {...ROLE.rowgroup}>
          <tr {...ROLE.row}>
            {columns.map((column) => (
              <th key={column.heading} scope="col" {...ROLE.columnheader} class={alignmentOf(column)}>
                {column.isHeadingHidden === true ? (
                  <span class="visually-hidden">{t(column.heading)}</span>
                ) : (
                  t(column.heading)
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLE.rowgroup}>
          {rows.map((row, place) => (
            <tr key={place} {...ROLE.row}>
              {columns.map((column, index) => (
                <Cell key={column.heading} column={column} row={row} isRowHeading={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row, isRowHeading }: { column: Column<Row>; row: Row; isRowHeading: boolean }) {
  const content = column.cell(row);
  if (isRowHeading) {
    return (
      <th scope="row" {...ROLE.rowheader} class={alignmentOf(column)}>
        {content}
      </th>
    );
  }
  return (
    <td
      {...ROLE.cell}
      class={alignmentOf(column)}
      {...(column.isHeadingHidden !== true && { 'data-label': t(column.heading) })}
    >
      {content}
    </td>
  );
}

function alignmentOf(column: { isNumeric?: boolean }): string | undefined {
  return column.isNumeric === true ? 'numeric' : undefined;
}

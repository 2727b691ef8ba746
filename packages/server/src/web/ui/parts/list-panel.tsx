import type { ComponentChildren, ComponentProps } from 'preact';
import { type ListPage, type Position, readPosition } from '../../../platform/database/rows.js';
import { EmptyState, Pager, Panel } from './panel.js';
import { Table, type TableProps } from './table.js';

/** Page of a list that an address asks for. */
export interface ShownList<Row> extends ListPage<Row> {
  /** True for the first page of the list. */
  isFirst: boolean;
}

/**
 * Reads the page of a list whose start is in the query: `await shownList(query, (after) => listDrops(db, id, after))`.
 *
 * @param param Query parameter with the start of the page.
 */
export async function shownList<Row>(
  query: URLSearchParams,
  read: (after: Position | undefined) => Promise<ListPage<Row>>,
  param = 'after',
): Promise<ShownList<Row>> {
  const after = readPosition(query.get(param));
  return { ...(await read(after)), isFirst: after === undefined };
}

/** Panel with a list: its table, a text where it has no rows, and links to its other pages. */
export function ListPanel<Row>(
  props: Pick<ComponentProps<typeof Panel>, 'heading' | 'actions' | 'id'> &
    Omit<ComponentProps<typeof Pager>, 'next' | 'isFirst'> &
    Omit<TableProps<Row>, 'rows' | 'empty'> & {
      list: ShownList<Row>;
      /** Content of a list without entries. */
      empty?: ComponentProps<typeof EmptyState>;
      /** Sentence for an empty page after the last one: "There are no more plans." Default: the same as `empty`. */
      noMore?: string;
      /** Content above the table, such as a search. */
      children?: ComponentChildren;
    },
) {
  const { list, label, columns, children, empty, noMore, heading, actions, id, ...pager } = props;
  const text = list.isFirst || noMore === undefined ? empty : { title: noMore };
  return (
    <Panel {...{ heading, actions, id }}>
      {children}
      <Table {...{ label, columns }} rows={list.rows} empty={text && <EmptyState {...text} />} />
      <Pager {...pager} next={list.next} isFirst={list.isFirst} />
    </Panel>
  );
}

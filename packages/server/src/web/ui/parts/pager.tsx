/** Links to the next page of a list and back to its first page. */
export function Pager(props: {
  path: string;
  next: string | undefined;
  isFirst: boolean;
  /** Name of the first page: "newest". */
  first: string;
  /**
   * Query parameter with the start of the page.
   *
   * @default "after"
   */
  param?: string;
}) {
  const { param = 'after' } = props;
  if (props.isFirst && props.next === undefined) return null;
  return (
    <nav class="panel-actions" aria-label="Pages">
      {!props.isFirst && (
        <a class="button secondary small" href={props.path}>
          Back to the {props.first}
        </a>
      )}
      {props.next !== undefined && (
        <a
          class="button secondary small"
          href={`${props.path}?${new URLSearchParams({ [param]: props.next })}`}
        >
          Next page
        </a>
      )}
    </nav>
  );
}

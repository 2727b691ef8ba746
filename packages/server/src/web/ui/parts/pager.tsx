/** Links to the next page of a list and back to its first page. */
export function Pager(props: {
  path: string;
  next: string | undefined;
  isFirst: boolean;
  /** Name of the first page: "newest". */
  first: string;
  /** Query parameter with the start of the page. Default: "after". */
  param?: string;
  /** Other query parameters of each page, such as a filter. */
  query?: Readonly<Record<string, string>>;
}) {
  const { param = 'after', query = {} } = props;
  const hrefOf = (values: Readonly<Record<string, string>>) => {
    const search = new URLSearchParams(values);
    return search.size === 0 ? props.path : `${props.path}?${search}`;
  };
  if (props.isFirst && props.next === undefined) return null;
  return (
    <nav class="panel-actions" aria-label={props.param === undefined ? 'Pages' : `Pages: ${props.param}`}>
      {!props.isFirst && (
        <a class="button secondary small" href={hrefOf(query)}>
          Back to the {props.first}
        </a>
      )}
      {props.next !== undefined && (
        <a class="button secondary small" href={hrefOf({ ...query, [param]: props.next })}>
          Next page
        </a>
      )}
    </nav>
  );
}

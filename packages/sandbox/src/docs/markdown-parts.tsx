import { CodeBlock, renderPart, Table } from '@latchkey/server/ui';

export function codeHtml(label: string, text: string): string {
  return `${renderPart(<CodeBlock label={label} text={text} />)}\n`;
}

/**
 * Renders a table as HTML.
 *
 * @param headings text of the headings. The cells are HTML. The first one of a row names it.
 */
export function tableHtml(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = (
    <Table
      label={headings.filter((heading) => heading !== '').join(', ')}
      columns={headings.map((heading, column) => ({
        heading,
        isRowHeading: column === 0,
        cell: (row: readonly string[]) => (
          // The HTML is rendered from files of this package, with all HTML in them escaped.
          <div dangerouslySetInnerHTML={{ __html: row[column] ?? '' }} />
        ),
      }))}
      rows={rows}
      rowKey={(row) => row.join()}
    />
  );
  return `${renderPart(table)}\n`;
}

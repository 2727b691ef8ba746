/** Markup that is safe to send: made only by `html`, which escapes every text put into it. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that can stand in HTML text and in quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** A template tag: strings and numbers are escaped, other `Html` is put in as it is, lists are joined. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  return new Html(
    String.raw(
      { raw: strings },
      ...values.map((value) => {
        if (value instanceof Html) return value.markup;
        if (typeof value === 'object') return value.map((part) => part.markup).join('');
        return escapeHtml(String(value));
      }),
    ),
  );
}

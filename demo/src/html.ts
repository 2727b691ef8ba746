/** Escaped markup. Only the `html` tag creates it. */
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

/** Escapes a text for HTML text and quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Template tag for HTML. It escapes strings and numbers, inserts `Html` unchanged and joins lists. */
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

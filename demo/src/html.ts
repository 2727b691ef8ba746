import { escapeHtml } from '@latchkey/contract/constants';

/** Escaped markup. Only the `html` tag creates it. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
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

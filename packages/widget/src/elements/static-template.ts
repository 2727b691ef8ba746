import { html, type TemplateResult } from 'lit';

/** Returns a template of this markup. Lit uses its own policy for Trusted Types, so that a site lists one name only. */
export function staticTemplate(markup: string): TemplateResult {
  return html(Object.assign([markup], { raw: [markup] }));
}

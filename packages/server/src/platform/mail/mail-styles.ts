import { contrastOf, firstReadable, oklchOf, TEXT_CONTRAST } from '../colours/oklch.js';
import { textDirection } from '../language/language.js';

/** Background of an email's card in the dark scheme. */
export const DARK_CARD = '#1b201f';

/** Darker for the light scheme and lighter for the dark one, until its contrast with card and label is at least 4.5. */
export function mailAccent(accent: string) {
  const brand = oklchOf(accent);
  return {
    light: firstReadable(brand, { towards: -1, against: ['#ffffff'], contrast: TEXT_CONTRAST }),
    dark: firstReadable(brand, { towards: 1, against: [DARK_CARD], contrast: TEXT_CONTRAST }),
  };
}

/** Colours of emails for a brand without any, as on the pages. */
const DEFAULT_ACCENT = { light: '#0b6f60', dark: '#63d2ba' };

const ACCENT = /^#[0-9a-f]{6}$/i;

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace";

/** As attributes: mail programs that drop the style element show a light mail. All values are constants or checked. */
const LIGHT = {
  page: `margin: 0; padding: 24px 12px; background: #f4f5f3; color: #15201c; font: 16px/1.5 ${FONT};`,
  card: 'max-width: 600px; margin: 0 auto; box-sizing: border-box; padding: 32px; background: #ffffff; border: 1px solid #dfe4e1; border-radius: 12px;',
  preview:
    'display: none; max-height: 0; overflow: hidden; mso-hide: all; font-size: 1px; line-height: 1px; color: #f4f5f3;',
  brand: 'margin: 0 0 24px; font-size: 16px; font-weight: 600; color: #15201c;',
  logo: 'width: 40px; height: 40px; margin: 0 12px 0 0; border-radius: 9px; vertical-align: middle; object-fit: contain;',
  monogram:
    'display: inline-block; width: 40px; margin: 0 12px 0 0; border-radius: 9px; color: #ffffff; font-weight: 600; line-height: 40px; text-align: center; vertical-align: middle;',
  title:
    'margin: 0 0 16px; font-size: 24px; line-height: 1.3; font-weight: 600; letter-spacing: -0.01em; color: #15201c; overflow-wrap: anywhere;',
  text: 'margin: 0 0 16px; color: #15201c; overflow-wrap: anywhere;',
  amount:
    'margin: 0 0 16px; color: #15201c; font-size: 34px; line-height: 1.2; font-weight: 600; letter-spacing: -0.02em; font-variant-numeric: tabular-nums;',
  code: `margin: 0 0 20px; padding: 18px 8px; background: #f3f6f4; border: 1px solid #dfe4e1; border-radius: 10px; color: #15201c; font: 600 36px/1.2 ${MONO}; letter-spacing: 0.18em; text-indent: 0.18em; text-align: center;`,
  facts: 'margin: 0 0 20px; padding: 4px 0; border-top: 1px solid #dfe4e1;',
  fact: 'padding: 10px 0; border-bottom: 1px solid #dfe4e1;',
  label:
    'display: inline-block; width: 34%; margin: 0; padding: 0 8px 0 0; box-sizing: border-box; color: #55625d; font-size: 14px; vertical-align: top;',
  value:
    'display: inline-block; width: 66%; margin: 0; color: #15201c; font-size: 15px; font-variant-numeric: tabular-nums; vertical-align: top; overflow-wrap: anywhere;',
  buttonRow: 'margin: 4px 0 20px;',
  button:
    'display: inline-block; padding: 12px 22px; border-radius: 9px; color: #ffffff; font-weight: 600; text-decoration: none;',
  note: 'margin: 0 0 12px; color: #55625d; font-size: 14px; overflow-wrap: anywhere;',
  footer:
    'max-width: 600px; margin: 16px auto 0; padding: 0 8px; box-sizing: border-box; color: #55625d; font-size: 13px; text-align: center; overflow-wrap: anywhere;',
} as const;

/** The same for right-to-left languages: logos and labels have their gap on the other side, and spaced letters would not join. */
const RIGHT_TO_LEFT = Object.fromEntries(
  Object.entries(LIGHT).map(([part, style]) => [
    part,
    style.replace(/\b0 (\d+px) 0 0;/, '0 0 0 $1;').replace(/ letter-spacing: -[^;]+;/, ''),
  ]),
) as typeof LIGHT;

/** Media query of the dark scheme. A page that shows only one scheme replaces it. */
export const DARK_QUERY = '@media (prefers-color-scheme: dark)';

export type MailStyles = Record<keyof typeof LIGHT | 'link', string> & { readonly sheet: string };

/** Returns the styles of an email with its brand's accent. An accent that isn't `#rrggbb` is ignored. */
export function mailStyles(brandAccent: string | null): MailStyles {
  const accent = brandAccent !== null && ACCENT.test(brandAccent) ? mailAccent(brandAccent) : DEFAULT_ACCENT;
  const light = textDirection() === 'rtl' ? RIGHT_TO_LEFT : LIGHT;
  return {
    ...light,
    monogram: `${light.monogram} background: ${accent.light};`,
    button: `${LIGHT.button} background: ${accent.light};`,
    link: `color: ${accent.light}; overflow-wrap: anywhere;`,
    sheet: sheetOf(accent.dark),
  };
}

/** A style element can only add to the attributes: `!important` is what overrides them. */
function sheetOf(accent: string): string {
  const onAccent = contrastOf(accent, DARK_CARD) >= contrastOf(accent, '#ffffff') ? DARK_CARD : '#ffffff';
  return `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .mail-page { padding: 12px 8px !important; }
  .mail-card { padding: 24px 18px !important; }
  .mail-code { font-size: 32px !important; }
}
@media (max-width: 380px) {
  .mail-label, .mail-value { width: 100% !important; }
}
${DARK_QUERY} {
  .mail-page { background: #101514 !important; color: #eaf0ed !important; }
  .mail-preview { color: #101514 !important; }
  .mail-card { background: ${DARK_CARD} !important; border-color: #313b38 !important; }
  .mail-title, .mail-amount, .mail-text, .mail-brand, .mail-value { color: #eaf0ed !important; }
  .mail-code { background: #232b29 !important; border-color: #3a4642 !important; color: #eaf0ed !important; }
  .mail-facts, .mail-fact { border-color: #313b38 !important; }
  .mail-label, .mail-note, .mail-footer { color: #a9b5b0 !important; }
  .mail-button, .mail-monogram { background: ${accent} !important; color: ${onAccent} !important; }
  .mail-link { color: ${accent} !important; }
}
`;
}

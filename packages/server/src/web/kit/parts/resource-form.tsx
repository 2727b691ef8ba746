import type * as z from 'zod';
import type { DescribedField, FixedName, Resource } from '../../../features/fields/define-resource.js';
import { CURRENCIES, CURRENCY, parsePrice } from '../../../features/plans/price.js';
import { currentLanguage, keptByKey, type Phrase, phrase, t } from '../../../platform/language/language.js';
import {
  type Control,
  checkboxes,
  date,
  money,
  radios,
  type StoredText,
  segmented,
  select,
  text,
  textArea,
  toggle,
} from './define-form.js';
import { linesOf, UnreadableText, wholeNumberOf } from './form.js';
import { SelectField } from './form-field.js';
import { UNTRANSLATED } from './values.js';

type Stated = Resource['stated'];

/** Controls by name. An amount is in the field `price`, in the major unit. */
type Controls<F extends Stated, Left = never> = {
  [Name in Exclude<keyof F, Left> as F[Name] extends { isMoney: true } ? 'price' : Name]: z.output<
    F[Name]['schema']
  > extends boolean
    ? Control<boolean>
    : F[Name] extends { isInstant: true }
      ? Control<number | null>
      : F[Name] extends { choiceHints: object; choices?: never }
        ? Control<readonly string[]>
        : Control<string, StoredText>;
};

/** With `change`, for an existing record: leaves out what never changes, such as its currency. */
export function controlsOf<F extends Stated>(resource: Of<F>): Controls<F>;
export function controlsOf<F extends Stated>(resource: Of<F>, change: Change): Controls<F, FixedName<F>>;
export function controlsOf({ fields }: Of<Stated>, change?: Change) {
  const shown = fields.filter(({ name, isFixed }) =>
    change === undefined ? name !== 'currency' : isFixed !== true,
  );
  return Object.fromEntries(shown.flatMap((field) => controlOf(field, change)));
}

type Change = { readonly currency?: string };

type Of<F extends Stated> = Pick<Resource<F>, 'fields' | 'stated'>;

function controlOf(field: DescribedField, change: Change | undefined): [string, object][] {
  const { name, kind, control, rows, isNullable, isRequired, initial, maxLength } = field;
  const { choices = {}, choiceHints } = field;
  const mayBeBlank = isNullable || field.isOptional === true;
  const isChange = change !== undefined;
  const hint = isChange ? (field.hintOfChange ?? field.hint) : (field.hintWhenNew ?? field.hint);
  const words = {
    label: phrase(field.label),
    isOptional: control !== 'literal' && !choiceHints && (kind === 'text' ? !isRequired : kind === 'list'),
    ...(hint !== undefined && { hint: phrase(hint) }),
  };
  const required = isRequired && { required: true };
  const lines = rows !== undefined && { rows };
  const orNull = { parse: (typed: string) => (mayBeBlank && typed.trim() === '' ? null : typed) };
  const offered = Object.entries(choiceHints ?? {}).map(([value, means]) => {
    const label = choices[value];
    const shown = label === undefined ? <span {...UNTRANSLATED}>{value}</span> : phrase(label);
    return { value, label: shown, hint: phrase(means) };
  });
  switch (kind) {
    case 'money':
      return change?.currency === undefined
        ? freePrice(field, { ...words, ...required })
        : [['price', fixedPrice(name, { ...words, ...required }, change.currency)]];
    case 'instant':
      return [[name, date(words)]];
    case 'flag':
      return [[name, toggle({ ...words, initial: initial === true })]];
    case 'number':
      return [[name, text({ ...words, inputMode: 'numeric', parse: wholeNumberOf })]];
    case 'list':
      if (choiceHints)
        return [[name, checkboxes({ ...words, initial: Object(initial ?? []), choices: offered })]];
      return [[name, textArea({ ...words, ...lines, isLiteral: control === 'literal', parse: linesOf })]];
    case 'choice': {
      if (choiceHints)
        return [[name, radios({ ...words, initial: offered[0]?.value ?? '', choices: offered })]];
      const options = Object.entries(choices).map(([value, label]) => ({ value, label: phrase(label) }));
      const settings = { ...words, ...orNull, options, ...(typeof initial === 'string' && { initial }) };
      return [[name, control === 'select' ? select(settings) : segmented(settings)]];
    }
    case 'text': {
      if (lines) return [[name, textArea({ ...words, ...lines, ...orNull })]];
      const limit = maxLength !== undefined && { ...required, maxLength };
      const spelling = control === 'literal' && { spellcheck: false };
      const type = control === 'email' && { type: control };
      return [[name, text({ ...words, ...limit, ...spelling, ...type, ...orNull })]];
    }
  }
}

type PriceWords = { label: Phrase; hint?: Phrase; required?: boolean };

function fixedPrice(path: string, words: PriceWords, currency: string) {
  return money({ ...words, currency, path, parse: (typed) => priceOf(typed, currency) });
}

const currencyOptions = keptByKey((language) => {
  const names = new Intl.DisplayNames(language, { type: 'currency' });
  return CURRENCIES.map((code) => {
    const name = names.of(code) ?? code;
    return { value: code, label: name === code ? code : `${code}, ${name}` };
  });
});

/** Price and currency, side by side. The currency of a blank price doesn't matter. */
function freePrice({ name, isNullable }: DescribedField, words: PriceWords): [string, object][] {
  const isBlank = (typed: string) => isNullable && typed.trim() === '';
  const price = text({
    ...words,
    inputMode: 'decimal',
    isPaired: true,
    path: name,
    parse: (typed, form) => (isBlank(typed) ? null : priceOf(typed, form.get('currency') ?? '')),
  });
  const currency = select({
    label: CURRENCY.label,
    options: [],
    initial: CURRENCY.initial,
    parse: (chosen, form) => (isBlank(form.get('price') ?? '') ? CURRENCY.initial : chosen),
  });
  return [
    ['price', price],
    ['currency', { ...currency, render: renderCurrency }],
  ];
}

function renderCurrency(field: { name: string; value: string }) {
  const options = currencyOptions(currentLanguage().language);
  return <SelectField {...field} label={t(CURRENCY.label)} options={options} />;
}

function priceOf(typed: string, currency: string): number | UnreadableText {
  const price = parsePrice(typed, currency);
  return price.kind === 'parsed' ? price.minor : new UnreadableText(price.message);
}

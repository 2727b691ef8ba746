import type { ComponentChildren, JSX } from 'preact';
import type * as z from 'zod';
import { type Phrase, t } from '../../../platform/language/language.js';
import { dateFieldOf, type FormResult, parseForm, UnreadableText } from './form.js';
import {
  type Choice,
  ChoiceGroup,
  DateField,
  type FieldProps,
  MoneyField,
  SegmentedField,
  SelectField,
  type ShownOption,
  Switch,
  TextArea,
  TextField,
} from './form-field.js';

export type FormValues<Form extends { readonly empty: unknown }> = Form['empty'];

/**
 * Defines a form once: its fields in the order of the page, each with its control. If a form's wording or parsing
 * depends on the request, define it in a function. Write a form that doesn't fit by hand.
 *
 *     const PLAN = defineForm({
 *       name: text({ label: 'Name', maxLength: 200, required: true }),
 *       periodDays: text({ label: 'Days of access', inputMode: 'numeric', parse: wholeNumberOf }),
 *       renews: toggle({ label: 'Renews automatically' }),
 *     });
 *
 *     PLAN.empty                       // values of a new form
 *     PLAN.of(plan)                    // values of an existing plan
 *     PLAN.read(form)                  // raw values of a sent form, to show it again
 *     PLAN.parse(planSchema, form)     // validated values, or the errors of the fields
 *     PLAN.fields({ values })          // the fields of the page
 */
export function defineForm<Controls extends Readonly<Record<string, Control<unknown, unknown>>>>(
  controls: Controls,
) {
  const entries = Object.entries<Control<unknown, unknown>>(controls);
  const collect = (pick: (control: Control<unknown, unknown>, name: string) => unknown) =>
    Object.fromEntries(entries.map(([name, control]) => [name, pick(control, name)])) as Shown<Controls>;
  return {
    empty: collect(({ empty }) => empty),
    of: (record: Stored<Controls>) => collect((control, name) => control.show(record[name])),
    read: (form: URLSearchParams) => collect((control, name) => control.read(form, name)),
    /** Validates a sent form. `whenBlank` has the values that blank fields stand for. */
    parse<Value>(
      schema: z.ZodType<Value>,
      form: URLSearchParams,
      whenBlank: { readonly [Name in keyof Controls]?: unknown } = {},
    ): FormResult<Value> {
      const values: Record<string, unknown> = {};
      const names: Record<string, string> = {};
      for (const [name, control] of entries) {
        const path = control.path ?? name;
        values[path] = control.parse(form, name) ?? whenBlank[name] ?? null;
        names[path] = name;
      }
      return parseForm(schema, values, names);
    },
    /** Returns the unchecked values of a sent form, for a schema. Blank values are undefined. */
    given: (form: URLSearchParams): Readonly<Record<string, unknown>> =>
      collect((control, name) => control.parse(form, name) ?? undefined),
    fields({ values }: { values: Shown<Controls> }) {
      const render = (name: string, control: Control<unknown, unknown>) =>
        control.render({ name, value: values[name] }, values);
      return entries.map(([name, control], index) => {
        if (entries[index - 1]?.[1].isPaired === true) return null;
        const [nextName, next] = entries[index + 1] ?? [];
        if (control.isPaired !== true || nextName === undefined || next === undefined)
          return render(name, control);
        return (
          <div class="field-pair" key={name}>
            {render(name, control)}
            {render(nextName, next)}
          </div>
        );
      });
    },
  };
}

/** Field of a form. `Value` is the type that the page shows, `StoredValue` the type in an existing record. */
export interface Control<Value, StoredValue = Value> {
  readonly empty: Value;
  show(stored: StoredValue): Value;
  read(form: URLSearchParams, name: string): Value;
  /** Returns the value for the schema; null for a blank field. */
  parse(form: URLSearchParams, name: string): unknown;
  render(field: Field<Value>, values: Readonly<Record<string, unknown>>): ComponentChildren;
  /** Path in the schema, such as `price.currency`. @default the name of the field */
  readonly path?: string | undefined;
  /** True to show the next field next to this one. */
  readonly isPaired?: boolean | undefined;
}

interface Field<Value> {
  name: string;
  value: Value;
}

type Shown<Controls> = {
  [Name in keyof Controls]: Controls[Name] extends Control<infer Value, infer _> ? Value : never;
};

type Stored<Controls> = {
  [Name in keyof Controls]: Controls[Name] extends Control<infer _, infer Value> ? Value : never;
};

/** Our own words, in English, or content that is already in the current language. */
type Words = Phrase | Exclude<ComponentChildren, string>;

interface Labelled {
  readonly label: Words;
  readonly hint?: Words;
}

/** A label of ours is translated and can contain `{name}`; a name that a person gave isn't. */
export type Option = { readonly value: string } & (
  | { readonly label: Phrase; readonly name?: string }
  | { readonly label?: undefined; readonly name: string }
);

/** Settings of a control: the fixed props of its component, and its place in the schema and on the page. */
type Settings<Props> = Omit<Props, keyof Field<unknown> | keyof Labelled | 'options' | 'choices' | 'errors'> &
  (Props extends { options: unknown } ? { options: readonly Option[] } : unknown) &
  (Props extends { choices: unknown } ? { choices: readonly (Labelled & { value: string })[] } : unknown) &
  Labelled &
  Pick<Control<unknown>, 'path' | 'isPaired'> & {
    isOptional?: boolean;
  };

/** Returns the props of a control with our words in the current language. A form is defined once, in English. */
function translated<Props extends object>(settings: object): Props {
  const { isOptional, label, hint, options, choices, ...others } = settings as Labelled & {
    isOptional?: boolean;
    options?: readonly Option[];
    choices?: readonly Labelled[];
  };
  const shown = inCurrentLanguage(label);
  return {
    ...others,
    label: isOptional ? t('{label} (optional)', { label: <>{shown}</> }) : shown,
    ...(hint !== undefined && { hint: inCurrentLanguage(hint) }),
    ...(options && { options: options.map(shownOption) }),
    ...(choices && { choices: choices.map((choice) => translated(choice)) }),
  } as unknown as Props;
}

const inCurrentLanguage = (words: Words) => (typeof words === 'string' ? t(words) : words);

function shownOption({ value, label, name = '' }: Option): ShownOption {
  return label === undefined ? { value, label: name, isName: true } : { value, label: t(label, { name }) };
}

/** A record's value in a text field: null is blank, a list has one entry per line. */
export type StoredText = string | number | null | readonly string[];

function textual<Props extends Field<string>>(Component: (props: Props) => JSX.Element) {
  return (
    settings: Settings<Props> & {
      /** @default blank */
      initial?: string;
      parse?: (text: string, form: URLSearchParams) => unknown;
    },
  ): Control<string, StoredText> => {
    const { initial = '', parse = (value: string) => value, path, isPaired, ...props } = settings;
    // Browsers send the line breaks of a text area as CR LF.
    const read = (form: URLSearchParams, name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n');
    return {
      empty: initial,
      show: (stored) => (Array.isArray(stored) ? stored.join('\n') : String(stored ?? '')),
      read,
      parse: (form, name) => parse(read(form, name), form),
      render: (field) => <Component {...{ ...translated<Props>(props), ...field }} />,
      path,
      isPaired,
    };
  };
}

export const text = textual(TextField);
export const textArea = textual(TextArea);
export const select = textual(SelectField);
export const segmented = textual(SegmentedField);
export const money = textual(MoneyField);
export const radios = textual(
  ({ choices, ...field }: FieldProps & { value: string; choices: readonly Omit<Choice, 'checked'>[] }) => (
    <ChoiceGroup
      {...field}
      type="radio"
      choices={choices.map((choice) => ({ ...choice, checked: choice.value === field.value }))}
    />
  ),
);

export function checkboxes(
  settings: Settings<FieldProps & { choices: readonly Choice[] }> & { initial?: readonly string[] },
): Control<readonly string[]> {
  const { initial = [], path, isPaired, ...props } = settings;
  const read = (form: URLSearchParams, name: string) => form.getAll(name);
  return {
    ...{ empty: initial, show: (stored) => stored, read, parse: read, path, isPaired },
    render({ value, ...field }) {
      const { choices, ...words } = translated<FieldProps & { choices: readonly Choice[] }>(props);
      const shown = choices.map((choice) => ({ ...choice, checked: value.includes(choice.value) }));
      return <ChoiceGroup {...words} {...field} type="checkbox" choices={shown} />;
    },
  };
}

export function toggle(settings: Settings<FieldProps> & { initial?: boolean }): Control<boolean> {
  const { initial = false, path, isPaired, ...props } = settings;
  const read = (form: URLSearchParams, name: string) => form.get(name) === 'on';
  return {
    ...{ empty: initial, show: (stored) => stored, read, parse: read, path, isPaired },
    render: ({ value, ...field }) => <Switch {...translated<FieldProps>(props)} {...field} checked={value} />,
  };
}

/** Day with an optional time. The value is the instant, or null for a field that is blank or can't be read. */
export function date(settings: Settings<FieldProps>): Control<number | null> {
  const { path, isPaired, ...props } = settings;
  const parse = (form: URLSearchParams, name: string) => dateFieldOf(form, name, null);
  return {
    empty: null,
    show: (stored) => stored,
    read(form, name) {
      const instant = parse(form, name);
      return instant instanceof UnreadableText ? null : instant;
    },
    parse,
    render: (field) => <DateField {...translated<FieldProps>(props)} {...field} />,
    path,
    isPaired,
  };
}

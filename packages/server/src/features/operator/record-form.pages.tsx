import * as z from 'zod';
import { type Phrase, phrase, t } from '../../platform/language/language.js';
import { type Control, defineForm, select, text, textArea } from '../../web/kit/parts/define-form.js';
import { linesOf } from '../../web/kit/parts/form.js';
import type { FormError } from '../../web/kit/parts/form-parts.js';
import { UNTRANSLATED } from '../../web/kit/parts/values.js';
import { labelOf } from '../fields/define-resource.js';
import type { OperatorError } from './operator-checks.js';
import { formFieldsOf, type RecordField } from './record-form.js';
import { type RecordKind, recordKind } from './record-kinds.js';
import type { DataRecord } from './records.js';

/** Returns the English label of a field: its form's label, or else the words of its name. */
export function fieldLabel(kind: RecordKind, name: string): string {
  return formFieldsOf(kind).find((field) => field.name === name)?.label ?? labelOf(name);
}

export function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

export function recordForm(kind: RecordKind, write: 'create' | 'change', record: DataRecord = {}) {
  const hidden = (write === 'change' && recordKind(kind).change?.secretFields) || [];
  const place = write === 'create' ? 'create' : 'edit';
  const fields = formFieldsOf(kind).filter(
    ({ name, in: only = place }) => only === place && !hidden.includes(name),
  );
  const controls = Object.fromEntries(fields.map((field) => [field.name, controlOf(field, write, record)]));
  const form = defineForm(controls);
  const current = form.of(record as Parameters<typeof form.of>[0]);
  /** The values that a sent form was rendered with. Anything that somebody else has changed since stays changed. */
  const shownIn = (sent: URLSearchParams) => formerValues(sent.get('shown')) ?? current;
  return {
    ...form,
    current,
    shownIn,
    /** Returns a field that vouches for values other than those that the form was rendered with, now that it's sent. */
    vouchesUnseen(sent: URLSearchParams, now: DataRecord): string | undefined {
      const stored = form.of(now as Parameters<typeof form.of>[0]);
      const shown = shownIn(sent);
      if (fields.every(({ name }) => stored[name] === shown[name])) return undefined;
      return recordKind(kind).fields.find(({ name, vouches }) => vouches && sent.get(name) === 'true')?.name;
    },
    /** Returns the fields that differ from the values that the form was rendered with. */
    changed(sent: URLSearchParams) {
      const shown = shownIn(sent);
      const changed = fields.filter(
        ({ name }) => sent.has(name) && form.read(sent)[name] !== (shown[name] ?? ''),
      );
      return Object.fromEntries(changed.map(({ name }) => [name, controls[name]?.parse(sent, name)]));
    },
  };
}

function formerValues(json: string | null): Readonly<Record<string, string>> | undefined {
  try {
    return z.record(z.string(), z.string()).safeParse(JSON.parse(json ?? '')).data;
  } catch {
    return undefined;
  }
}

function controlOf(
  { name, label, type, hint, options = [], isNullable }: RecordField,
  write: 'create' | 'change',
  record: DataRecord,
): Control<string, never> {
  const words = { label: phrase(label), ...(hint !== undefined && { hint: phrase(hint) }) };
  const parse = (typed: string) => (typed.trim() === '' && isNullable ? null : typedValue(type, typed));
  if (type === 'list' || type === 'choices') {
    const values = <span {...UNTRANSLATED}>{options.join(', ')}</span>;
    const entries =
      options.length === 0 ? phrase('One on each line.') : t('One on each line: {values}.', { values });
    return textArea({ ...words, hint: entries, isLiteral: true, parse: linesOf }) as Control<string, never>;
  }
  // A one-line control would remove the line breaks.
  const isLong = String(record[name] ?? '').includes('\n');
  if (options.length === 0)
    return (isLong ? textArea({ ...words, parse }) : text({ ...words, parse })) as Control<string, never>;
  const isKnown = (record[name] ?? null) !== null;
  const choices = options.map((value) => {
    const label = type === 'flag' ? FLAG_LABELS[value] : undefined;
    return label === undefined ? { value, name: value } : { value, label };
  });
  const none = {
    value: '',
    label: isNullable ? phrase('None') : write === 'create' ? phrase('Choose') : phrase('Leave as it is'),
  };
  return select({
    ...words,
    options: isKnown && !isNullable ? choices : [none, ...choices],
    parse,
  }) as Control<string, never>;
}

const FLAG_LABELS: Readonly<Record<string, Phrase>> = { true: phrase('Yes'), false: phrase('No') };

function typedValue(type: RecordField['type'], typed: string): unknown {
  // Input that isn't a number stays, and the service rejects it.
  if (type === 'number') return typed.trim() === '' || Number.isNaN(Number(typed)) ? typed : Number(typed);
  return type === 'flag' ? typed === 'true' : typed;
}

export function formErrors(kind: RecordKind, { fields, message }: OperatorError): readonly FormError[] {
  const errors = Object.entries(fields).map(([path, text]) => {
    const field = path.split('.')[0] ?? '';
    return { field, message: /^[a-z]/.test(text) ? `${t(fieldLabel(kind, field))} ${text}.` : t(text) };
  });
  return errors.length > 0 ? errors : [{ field: 'content', message: t(message) }];
}

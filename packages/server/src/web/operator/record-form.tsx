import * as z from 'zod';
import { planResource } from '../../domain/catalogue/plan.resource.js';
import { productResource } from '../../domain/catalogue/product.resource.js';
import { dropResource } from '../../domain/drops/drop.resource.js';
import type { OperatorError } from '../../domain/operator/operator-checks.js';
import { type RecordKind, recordKind } from '../../domain/operator/record-kinds.js';
import type { DataRecord } from '../../domain/operator/records.js';
import { type Control, defineForm, select, text, textArea } from '../ui/parts/define-form.js';
import { linesOf } from '../ui/parts/form.js';
import type { FormError } from '../ui/parts/form-parts.js';

const RESOURCES: Partial<Record<RecordKind, typeof planResource.fields>> = {
  plans: planResource.fields,
  products: productResource.fields,
  drops: dropResource.fields,
};

/** Returns the label of a field: of its resource, or the words of its name. */
export function fieldLabel(kind: RecordKind, name: string): string {
  const label = RESOURCES[kind]?.find((field) => field.name === name)?.label;
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return label ?? capitalized(words.replace(/\b(?:id|ur[il](?=s?\b)|utm\b)/g, (word) => word.toUpperCase()));
}

export function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Field of the JSON Schema of a body. */
interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly anyOf?: readonly Field[];
  readonly items?: Field;
}

/** Form for a new record of a kind, or for the changes of an existing one, from the body that the operation takes. */
export function recordForm(kind: RecordKind, write: 'create' | 'change', record: DataRecord = {}) {
  const settings = recordKind(kind)[write];
  const schema = z.toJSONSchema(settings?.body ?? z.object({}), { io: 'input', unrepresentable: 'any' });
  const hidden = (write === 'change' && recordKind(kind).change?.secretFields) || [];
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Field>).filter(
    ([name]) => !hidden.includes(name),
  );
  const controls = Object.fromEntries(
    fields.map(([name, field]) => [name, controlOf({ kind, name, write }, field, record)]),
  );
  const form = defineForm(controls);
  const current = form.of(record as Parameters<typeof form.of>[0]);
  /** Returns the values that a sent form was rendered with. What somebody else has changed since then stays so. */
  const shownIn = (sent: URLSearchParams) => formerValues(sent.get('shown')) ?? current;
  return {
    ...form,
    current,
    shownIn,
    /** Returns the fields whose values differ from the ones that the form was rendered with. */
    changed(sent: URLSearchParams) {
      const shown = shownIn(sent);
      const changed = fields.filter(
        ([name]) => sent.has(name) && form.read(sent)[name] !== (shown[name] ?? ''),
      );
      return Object.fromEntries(changed.map(([name]) => [name, controls[name]?.parse(sent, name)]));
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
  { kind, name, write }: { kind: RecordKind; name: string; write: 'create' | 'change' },
  field: Field,
  record: DataRecord,
): Control<string, never> {
  const isNullable = field.anyOf?.some(({ type }) => type === 'null') ?? false;
  const base = { ...field, ...field.anyOf?.find(({ type }) => type !== 'null') };
  const label = fieldLabel(kind, name);
  const hint = field.description?.replaceAll('`', '');
  const words = { label, ...(hint !== undefined && hint !== label && { hint }) };
  const orNull = (typed: string) => (typed.trim() === '' && isNullable ? null : parse(base, typed));
  const values =
    base.const === undefined
      ? (base.enum ?? (base.type === 'boolean' ? [true, false] : undefined))
      : [base.const];
  if (base.type === 'array') {
    const entries =
      base.items?.enum === undefined
        ? 'One on each line.'
        : `One on each line: ${base.items.enum.join(', ')}.`;
    return textArea({ ...words, hint: entries, isLiteral: true, parse: linesOf }) as Control<string, never>;
  }
  if (values === undefined) return text({ ...words, parse: orNull }) as Control<string, never>;
  const isKnown = (record[name] ?? null) !== null;
  const options = values.map((value) => ({ value: String(value), label: labelOf(value) }));
  const none = { value: '', label: isNullable ? 'None' : write === 'create' ? 'Choose' : 'Leave as it is' };
  return select({
    ...words,
    options: isKnown && !isNullable ? options : [none, ...options],
    parse: orNull,
  }) as Control<string, never>;
}

function labelOf(value: unknown): string {
  return value === true ? 'Yes' : value === false ? 'No' : String(value);
}

function parse({ type, const: only }: Field, typed: string): unknown {
  if (type === 'integer' || type === 'number') return Number(typed);
  return type === 'boolean' || typeof only === 'boolean' ? typed === 'true' : typed;
}

/** Returns the errors of a form. One that is about no field is about the whole page. */
export function formErrors(kind: RecordKind, { fields, message }: OperatorError): readonly FormError[] {
  const errors = Object.entries(fields).map(([path, text]) => {
    const field = path.split('.')[0] ?? '';
    return { field, message: /^[a-z]/.test(text) ? `${fieldLabel(kind, field)} ${text}.` : text };
  });
  return errors.length > 0 ? errors : [{ field: 'content', message }];
}

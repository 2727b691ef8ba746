import type { DataRecord, RecordField } from '@latchkey/sandbox';

/** Membership types that have a community or a product. The first of each list requires it. */
const TYPES_WITH: Readonly<Record<string, readonly string[]>> = {
  communityId: ['community', 'clipping_campaign', 'agency'],
  productId: ['digital_product'],
};

/** Returns the fields that a new record of this type has. */
export function fieldsOfType(fields: readonly RecordField[], type: string): readonly RecordField[] {
  return fields.flatMap((field) => {
    const types = TYPES_WITH[field.name] ?? [type];
    return types.includes(type)
      ? { ...field, isRequired: field.isRequired || (types[0] === type && field.name in TYPES_WITH) }
      : [];
  });
}

/** Returns a field's value in a form. */
export function formValueOf(field: RecordField, record: DataRecord | undefined): string | boolean {
  const value = record?.[field.name];
  // The state `archived` is the time `archivedAt`.
  const since = record?.[`${field.name}At`] ?? null;
  if (field.type === 'flag') return record === undefined ? field.isOn : value === true || since !== null;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(field.type === 'choices' ? ' ' : '\n');
  // The controls for times have no seconds and no zone: they use UTC, like everything in the sandbox.
  return field.type === 'time' ? String(value).slice(0, 16) : String(value);
}

/** Returns the text of a field in a form, with line breaks as in the record. A day without a time begins at midnight. */
export function textIn(form: FormData, { name, type }: RecordField): string {
  if (type === 'choices') return form.getAll(name).join(' ');
  const text = String(form.get(name) ?? '').replaceAll('\r\n', '\n');
  if (type !== 'time') return text;
  const time = String(form.get(timeNameOf(name)) ?? '');
  return text === '' && time === '' ? '' : `${text}T${time === '' ? '00:00' : time}`;
}

/** Returns the name of the time-of-day control that belongs to a day control. */
export function timeNameOf(name: string): string {
  return `${name}-time`;
}

/** Returns the value of a field for the control API; undefined for an empty one. */
export function sentValueOf({ type }: RecordField, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  if (type === 'list')
    return value
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  if (type === 'choices') return value.split(' ').filter(Boolean);
  const text = value.trim();
  if (text === '') return undefined;
  if (type === 'time') return `${text.length === 16 ? `${text}:00` : text}Z`;
  return type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
}

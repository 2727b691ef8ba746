import type { DataRecord, RecordKind } from '@latchkey/sandbox';

/** Field of a form. Its type decides the control. */
export interface RecordField {
  /** Name in the control API. */
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'time' | 'choice' | 'choices' | 'flag' | 'list' | 'record';
  /** Forms with the field. Default: both. */
  readonly in?: 'create' | 'edit';
  /** Values of the field `productType` with which a new record has this field. Default: all. */
  readonly forTypes?: readonly string[];
  /** Values of a choice. The first one is chosen, unless the field may be empty. */
  readonly options?: readonly string[];
  /** Kind of the record that the field names. */
  readonly of?: RecordKind;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** True if the field can be emptied. */
  readonly isNullable?: boolean;
  /** Returns the present value, where the record has it under another name. */
  readonly read?: (record: DataRecord) => unknown;
}

/** Returns the text or flag of a field in a form. */
export function formValueOf(field: RecordField, record: DataRecord | undefined): string | boolean {
  const value = record === undefined ? undefined : field.read ? field.read(record) : record[field.name];
  if (field.type === 'flag') return value === true;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(field.type === 'choices' ? ' ' : '\n');
  // The controls for times have no seconds, and no zone: they are in UTC, as everywhere in the sandbox.
  return field.type === 'time' ? String(value).slice(0, 16) : String(value);
}

/** Returns the text of a field from a form, with lines as in the record. A day without a time begins at midnight. */
export function textIn(form: FormData, { name, type }: RecordField): string {
  if (type === 'choices') return form.getAll(name).join(' ');
  const text = String(form.get(name) ?? '').replaceAll('\r\n', '\n');
  if (type !== 'time') return text;
  const time = String(form.get(timeNameOf(name)) ?? '');
  return text === '' && time === '' ? '' : `${text}T${time === '' ? '00:00' : time}`;
}

/** Returns the name of the control with the time of day, beside the one with the day. */
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

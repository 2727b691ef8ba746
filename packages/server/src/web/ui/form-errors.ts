import { formatTimestamp, parseTimestamp } from '@latchkey/contract/constants';
import { nameField } from '../../domain/fields/name.js';
import type { FormError } from './error-summary.js';

/** A form that was understood, or what is wrong with it, field by field. */
export type FormResult<Value> = { kind: 'valid'; value: Value } | { kind: 'invalid'; errors: FormError[] };

/** Makes a result of the fields' own: `undefined` is a field that is invalid. */
export function formResult<Value>(value: Value, errors: readonly FormError[]): FormResult<Value> {
  return errors.length === 0 ? { kind: 'valid', value } : { kind: 'invalid', errors: [...errors] };
}

/** Collects what is wrong with a form's fields. A field that is invalid is read as the value that stands in for it. */
export class FormErrors {
  readonly errors: FormError[] = [];

  /** The value, or `instead` and an error when there is none. */
  take<Value>(value: Value | undefined, instead: Value, error: FormError): Value {
    if (value !== undefined) return value;
    this.errors.push(error);
    return instead;
  }

  takeName(text: string): string {
    const read = nameField.safeParse(text);
    return this.take(read.data, '', { field: 'name', message: read.error?.issues[0]?.message ?? '' });
  }

  /** An instant by UTC; `whenEmpty` when nothing was entered. */
  takeInstant<Empty>(field: string, text: string, whenEmpty: Empty): number | Empty {
    if (text.trim() === '') return whenEmpty;
    const message = 'Enter a day and a time that exist, such as 2026-07-01T18:00.';
    return this.take<number | Empty>(parseTimestamp(text.trim()), whenEmpty, { field, message });
  }
}

/** An instant as a `datetime-local` field has it, by UTC: without seconds where there are none. */
export function instantInput(ms: number | null): string {
  return ms === null ? '' : formatTimestamp(ms).replace(/(?::00)?(?:\.000)?Z$/, '');
}

import { type DropSettings, dropSchema } from '../../../domain/drops/drop.js';
import { END_BEFORE_START, endsAfterStart } from '../../../domain/fields/instant.js';
import { FormErrors, type FormResult, formResult, instantInput } from '../../ui/form-errors.js';
import type { DropFields } from './drop-form-fields.js';

/** Initial values of the form of a new drop. */
export const EMPTY_DROP: DropFields = { name: '', slots: '', startsAt: '', endsAt: '' };

/** Returns the form values of an existing drop. */
export function fieldsOfDrop({ name, slots, startsAt, endsAt }: DropSettings): DropFields {
  return {
    name,
    slots: slots === null ? '' : `${slots}`,
    startsAt: instantInput(startsAt),
    endsAt: instantInput(endsAt),
  };
}

/** Returns the raw values of the form. */
export function typedDrop(form: URLSearchParams): DropFields {
  return {
    name: form.get('name') ?? '',
    slots: form.get('slots') ?? '',
    startsAt: form.get('startsAt') ?? '',
    endsAt: form.get('endsAt') ?? '',
  };
}

/** Validates the form of a drop. */
export function readDrop(fields: DropFields): FormResult<DropSettings> {
  const list = new FormErrors();
  const name = list.takeName(fields.name);
  const slots = readSlots(list, fields.slots);
  const startsAt = list.takeInstant('startsAt', fields.startsAt, undefined);
  const endsAt = list.takeInstant('endsAt', fields.endsAt, null);
  if (fields.startsAt.trim() === '') {
    list.errors.push({ field: 'startsAt', message: 'Enter a start.' });
  }
  if (startsAt !== undefined && !endsAfterStart(startsAt, endsAt)) {
    list.errors.push({ field: 'endsAt', message: END_BEFORE_START });
  }
  return formResult({ name, slots, startsAt: startsAt ?? 0, endsAt }, list.errors);
}

function readSlots(list: FormErrors, text: string): number | null {
  if (text.trim() === '') return null;
  const slots = /^\d{1,10}$/.test(text.trim()) ? Number(text) : -1;
  const read = dropSchema.shape.slots.safeParse(slots);
  return list.take(read.data, null, { field: 'slots', message: read.error?.issues[0]?.message ?? '' });
}

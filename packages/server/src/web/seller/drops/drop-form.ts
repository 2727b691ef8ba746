import { type DropSettings, dropSchema } from '../../../domain/drops/drop.js';
import { type FormResult, instantInput, instantOf, parseForm, wholeNumberOf } from '../../ui/parts/form.js';
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
export function readDrop({ name, slots, startsAt, endsAt }: DropFields): FormResult<DropSettings> {
  return parseForm(dropSchema, {
    name,
    slots: wholeNumberOf(slots),
    startsAt: instantOf(startsAt, undefined),
    endsAt: instantOf(endsAt, null),
  });
}

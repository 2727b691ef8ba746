import { type DropSettings, dropSchema } from '../../../domain/drops/drop.js';
import {
  dateFieldOf,
  type FormResult,
  parseForm,
  UnreadableText,
  wholeNumberOf,
} from '../../ui/parts/form.js';
import type { DropFields } from './drop-form-fields.js';

/** Initial values of the form of a new drop. */
export const EMPTY_DROP: DropFields = { name: '', slots: '', startsAt: null, endsAt: null };

/** Returns the form values of an existing drop. */
export function fieldsOfDrop({ name, slots, startsAt, endsAt }: DropSettings): DropFields {
  return { name, slots: slots === null ? '' : `${slots}`, startsAt, endsAt };
}

/** Returns the values of the form, to show them again. */
export function typedDrop(form: URLSearchParams): DropFields {
  return {
    name: form.get('name') ?? '',
    slots: form.get('slots') ?? '',
    startsAt: readableOf(dateFieldOf(form, 'startsAt', null)),
    endsAt: readableOf(dateFieldOf(form, 'endsAt', null)),
  };
}

/** Validates the form of a drop. A blank start means `whenBlank`. */
export function readDrop(form: URLSearchParams, whenBlank: number): FormResult<DropSettings> {
  return parseForm(dropSchema, {
    name: form.get('name') ?? '',
    slots: wholeNumberOf(form.get('slots') ?? ''),
    startsAt: dateFieldOf(form, 'startsAt', whenBlank),
    endsAt: dateFieldOf(form, 'endsAt', null),
  });
}

function readableOf(instant: number | null | UnreadableText): number | null {
  return instant instanceof UnreadableText ? null : instant;
}

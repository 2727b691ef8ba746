import type { FaultInput } from '@latchkey/sandbox';
import type { OfferedEffect } from './fault-effects.js';

/** Returns the fault that the form describes. The control API checks it. */
export function faultInputOf(form: FormData, { kind, needs }: OfferedEffect): FaultInput {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const given = (name: string) => (text(name) === '' ? {} : { [name]: text(name) });
  const number = (name: string) => (text(name) === '' ? {} : { [name]: Number(text(name)) });
  const effect = { kind, ...(needs !== undefined && { [needs]: Number(text(needs)) }) };
  return {
    effect: effect as FaultInput['effect'],
    ...given('endpoint'),
    ...given('client'),
    ...given('event'),
    ...given('webhook'),
    ...number('times'),
    ...number('rate'),
    ...number('seed'),
  };
}

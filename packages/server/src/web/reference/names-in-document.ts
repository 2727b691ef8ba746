import { type ServiceNames, withServiceNames } from '@latchkey/contract/constants';

/** Returns a copy of a JSON value in which a service's names replace the spec's stand-ins, in all texts and keys. */
export function withNames<Value>(value: Value, names: ServiceNames): Value {
  return renamed(value, names) as Value;
}

function renamed(value: unknown, names: ServiceNames): unknown {
  if (typeof value === 'string') return withServiceNames(value, names);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [withServiceNames(key, names), renamed(item, names)]),
  );
}

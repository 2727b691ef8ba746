import { readFileSync } from 'node:fs';

/** A schema, as in Stripe's OpenAPI document. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Operation {
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: Schema }[];
  readonly requestBody: Schema;
}

const DOCUMENT: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> } =
  JSON.parse(readFileSync(new URL('../../openapi/stripe-openapi.json', import.meta.url), 'utf8'));

/** Value in a form. Stripe's forms nest: `line_items[0][quantity]=1`. */
export type FormValue = string | readonly FormValue[] | { readonly [name: string]: FormValue };
export type Form = Readonly<Record<string, FormValue>>;

type CheckedRequest =
  /** `path` is the document's, such as `/v1/checkout/sessions/{session}`; `id` is empty if there is none in it. */
  | { readonly kind: 'valid'; readonly path: string; readonly id: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid'; readonly param: string; readonly message: string };

export function checkRequest(method: string, pathname: string, form: Form): CheckedRequest {
  for (const [path, operations] of Object.entries(DOCUMENT.paths)) {
    const match = new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`).exec(pathname);
    const operation = operations[method.toLowerCase()];
    if (match === null || operation === undefined) continue;
    const problem = problemOf(form, schemaOf(method, operation), '');
    return problem === undefined
      ? { kind: 'valid', path, id: decodeURIComponent(match[1] ?? '') }
      : { kind: 'invalid', ...problem };
  }
  return { kind: 'unknown' };
}

function schemaOf(method: string, { parameters, requestBody }: Operation): Schema {
  if (method !== 'GET') return requestBody;
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(queries.map(({ name, schema }) => [name, schema])),
    required: queries.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
}

interface Problem {
  readonly param: string;
  readonly message: string;
}

function problemOf(value: FormValue, schema: Schema, param: string): Problem | undefined {
  if (schema.anyOf !== undefined) {
    const problems = schema.anyOf.map((one) => problemOf(value, one, param));
    return problems.includes(undefined) ? undefined : problems[0];
  }
  const wrong = (message: string): Problem => ({ param, message: `${param}: ${message}` });
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return wrong('Invalid array');
    return first(value, (entry, index) => problemOf(entry, schema.items ?? {}, `${param}[${index}]`));
  }
  if (schema.type === 'object' || schema.properties !== undefined) return objectProblem(value, schema, param);
  if (typeof value !== 'string')
    return schema.type === undefined ? undefined : wrong(`Invalid ${schema.type}`);
  if (schema.type === 'integer' && !/^-?\d+$/.test(value)) return wrong(`Invalid integer: ${value}`);
  if (schema.type === 'boolean' && !/^(true|false)$/.test(value)) return wrong(`Invalid boolean: ${value}`);
  if (schema.enum !== undefined && !schema.enum.includes(value)) return wrong(`Invalid value: ${value}`);
  if (value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) return wrong('Too long');
  return undefined;
}

function objectProblem(value: FormValue, schema: Schema, param: string): Problem | undefined {
  if (typeof value === 'string' || Array.isArray(value))
    return { param, message: `${param}: Invalid object` };
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const nameOf = (name: string) => (param === '' ? name : `${param}[${name}]`);
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) {
    return { param: nameOf(missing), message: `Missing required param: ${nameOf(missing)}.` };
  }
  return first(Object.entries(value), ([name, entry]) => {
    const known =
      properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (known !== undefined) return problemOf(entry, known, nameOf(name));
    return additionalProperties === false
      ? { param: nameOf(name), message: `Received unknown parameter: ${nameOf(name)}` }
      : undefined;
  });
}

function first<Entry>(
  entries: readonly Entry[],
  problem: (entry: Entry, index: number) => Problem | undefined,
) {
  for (const [index, entry] of entries.entries()) {
    const found = problem(entry, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Parses a form as Stripe does: `a[b]=1` is an object, `a[0]=1` an array. */
export function parseForm(text: string): Form {
  const root: Record<string, Nested> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [key = '', ...rest] = name.replaceAll(']', '').split('[');
    const path = [key, ...rest];
    const last = path.pop() ?? '';
    let target = root;
    for (const part of path) {
      target[part] ??= {};
      const next = target[part];
      if (typeof next === 'string') break;
      target = next;
    }
    target[last === '' ? `${Object.keys(target).length}` : last] = value;
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, withArrays(value)]));
}

type Nested = string | { [name: string]: Nested };

function withArrays(value: Nested): FormValue {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, withArrays(entry)] as const);
  const isArray = entries.length > 0 && entries.every(([name], index) => name === `${index}`);
  return isArray ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
}

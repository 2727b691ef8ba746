import { readFileSync } from 'node:fs';
import * as z from 'zod';

type JsonSchema = Exclude<Parameters<typeof z.fromJSONSchema>[0], boolean>;

interface Operation {
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: JsonSchema }[];
  readonly requestBody: JsonSchema;
}

/** Stripe's OpenAPI document. All values of a form are strings, so the schemas of numbers and flags become patterns. */
const DOCUMENT: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> } =
  JSON.parse(
    readFileSync(new URL('../../openapi/stripe-openapi.json', import.meta.url), 'utf8'),
    (_name, value) => {
      if (value?.type === 'integer') return { type: 'string', pattern: '^-?\\d+$' };
      return value?.type === 'boolean' ? { enum: ['true', 'false'] } : value;
    },
  );

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
    const [issue] = z.fromJSONSchema(schemaOf(method, operation)).safeParse(form).error?.issues ?? [];
    return issue === undefined
      ? { kind: 'valid', path, id: decodeURIComponent(match[1] ?? '') }
      : { kind: 'invalid', ...problemOf(issue) };
  }
  return { kind: 'unknown' };
}

function schemaOf(method: string, { parameters, requestBody }: Operation): JsonSchema {
  if (method !== 'GET') return requestBody;
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(queries.map(({ name, schema }) => [name, schema])),
    required: queries.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
}

function problemOf(issue: z.core.$ZodIssue) {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const [first = '', ...rest] = [...issue.path, ...unknown].map(String);
  const param = [first, ...rest.map((name) => `[${name}]`)].join('');
  if (unknown.length > 0) return { param, message: `Received unknown parameter: ${param}` };
  return { param, message: `${param}: ${issue.message}` };
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

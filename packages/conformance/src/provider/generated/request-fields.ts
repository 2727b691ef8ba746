import { ENDPOINTS } from '@latchkey/contract';
import type { EndpointName } from '@latchkey/contract/constants';
import * as z from 'zod';

/** A field of a request, as the published OpenAPI document describes it. */
export interface RequestField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

type Part = 'body' | 'query' | 'path';

/**
 * Fields of a part of a request: JSON Schema, as in the OpenAPI document, made from the contract. It is no document of the
 * service under test, so that a service cannot describe its own mistakes as correct.
 */
export function requestFields(endpoint: EndpointName, part: Part): readonly RequestField[] {
  const parts: Readonly<Partial<Record<Part, z.ZodType>>> = ENDPOINTS[endpoint].request;
  const schema = parts[part];
  if (schema === undefined) throw new RangeError(`requestFields: ${endpoint} has no ${part}.`);
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, property]) => ({
    ...(property as Partial<RequestField>),
    name,
    isRequired: required.includes(name),
  }));
}

import * as z from 'zod';
import type { ControlRoute } from './access/control-route.js';

/** Describes the endpoints as an OpenAPI 3.1 document. */
export function openApiOf(routes: readonly ControlRoute[], basePath: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `${basePath}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Control API of the sandbox', version: '1' },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  };
}

function operationOf({ path, summary, query, body }: ControlRoute): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    summary,
    parameters: [...inPath, ...queryParameters(query)],
    ...(body && { requestBody: { content: { 'application/json': { schema: jsonSchema(body) } } } }),
    responses: { default: { description: 'JSON; a failure is `{ "error": { code, message, fields } }`.' } },
  };
}

function queryParameters(query: z.ZodType | undefined): object[] {
  if (!(query instanceof z.ZodObject)) return [];
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: jsonSchema(schema as z.ZodType),
  }));
}

function jsonSchema(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

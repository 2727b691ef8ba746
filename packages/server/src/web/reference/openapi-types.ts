import type { WebhookEventType } from '@latchkey/contract/constants';
import type { Tag } from './endpoint-wording.js';
import type { Examples } from './examples.js';
import type { JsonSchema } from './json-schema.js';

/** A description of the API (OpenAPI 3.1), as far as it is written here. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: readonly { url: string; description: string }[];
  tags: readonly { name: Tag; description: string }[];
  paths: Readonly<Record<string, Partial<Record<'get' | 'post', Operation>>>>;
  webhooks: Readonly<Record<WebhookEventType, { post: Operation }>>;
  components: {
    schemas: Readonly<Record<string, JsonSchema>>;
    securitySchemes: Readonly<Record<'apiKey' | 'accessToken', SecurityScheme>>;
  };
}

/** One endpoint, or one event. */
export interface Operation {
  operationId: string;
  tags: readonly Tag[];
  summary: string;
  /** Paragraphs and lists of plain Markdown. */
  description: string;
  /** Permissions or scopes by security scheme; empty when the request needs neither key nor token. */
  security: readonly Readonly<Partial<Record<'apiKey' | 'accessToken', readonly string[]>>>[];
  parameters?: readonly Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Readonly<Record<string, OperationResponse>>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example?: string | number;
}

export interface OperationResponse {
  description: string;
  headers?: Readonly<Record<string, { description: string; schema: JsonSchema }>>;
  content?: Content;
}

/** A body by media type. */
export type Content = Readonly<Record<string, { schema: JsonSchema; examples?: Examples }>>;

/** Credentials in the `Authorization` header. */
export interface SecurityScheme {
  type: 'http';
  scheme: 'bearer';
  bearerFormat: string;
  description: string;
}

import { ENDPOINTS, type Endpoint, webhookEventSchemas, webhookHeaderSchemas } from '@latchkey/contract';
import {
  DEFAULT_SERVICE_NAMES,
  type EndpointName,
  PATHS,
  type ServiceNames,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_HEADERS,
  withServiceNames,
} from '@latchkey/contract/constants';
import { REQUIREMENTS, type Requirement } from '@latchkey/contract/requirements';
import type * as z from 'zod';
import { DEFAULT_BRAND } from '../brand/brand.js';
import { ENDPOINT_WORDS, failureText, OVERVIEW, TAGS, WEBHOOK_TEXTS } from './api-words.js';
import { EVENT_EXAMPLES, EXAMPLE_EVENT_ID, EXAMPLES, type Examples } from './examples.js';
import { type JsonSchema, type PublishedSchemas, publishSchemas } from './published-schemas.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Version of this description. The API itself has none (spec, "Versioning"). */
const DESCRIPTION_VERSION = '1.0.0';

/**
 * Describes the service at `baseUrl` from the contract's table of endpoints: first with the spec's stand-ins, which the
 * service's own names then replace.
 */
export function createOpenApiDocument({
  baseUrl,
  serviceNames = DEFAULT_SERVICE_NAMES,
  brandName = DEFAULT_BRAND.name,
}: {
  baseUrl: string;
  serviceNames?: ServiceNames;
  brandName?: string;
}) {
  const document = withNames(describeService(), serviceNames);
  return {
    ...document,
    // Added last: the names of the API must not replace a part of the brand.
    info: { ...document.info, title: `${brandName} membership service` },
    servers: [{ url: baseUrl, description: 'This service' }],
  };
}

function describeService() {
  const schemas = publishSchemas();
  const paths: Record<string, Partial<Record<'get' | 'post', Operation>>> = {};
  // In the order of the groups, which differs from the table's.
  for (const name of Object.keys(ENDPOINT_WORDS) as EndpointName[]) {
    const { method, path } = ENDPOINTS[name];
    paths[path] = { [method.toLowerCase()]: operation(name, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Membership service',
      version: DESCRIPTION_VERSION,
      description: OVERVIEW,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooks(schemas),
    components: { schemas: schemas.components, securitySchemes: SECURITY_SCHEMES },
  };
}

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_…',
    description:
      'An API key, made in the developer area. It acts for every community that its owner administers as OWNER or ADMIN. Never place it in a browser.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'opaque',
    description:
      'An access token of `POST /oauth/token`, valid for one hour. It acts for the user who consented.',
  },
};

export type Operation = ReturnType<typeof operation>;

function operation(name: EndpointName, schemas: PublishedSchemas) {
  const endpoint: Endpoint = ENDPOINTS[name];
  const { tag, summary, text } = ENDPOINT_WORDS[name];
  const parameters = parametersOf(name, schemas);
  const body = endpoint.request.body && requestBody(name, endpoint.request.body, schemas);
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: [text, accessText(endpoint), ...rulesOf(endpoint)].join('\n\n'),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responsesOf(name, schemas),
  };
}

/** Returns permissions or scopes by security scheme; empty if the request needs neither key nor token. */
function securityOf({ auth }: Endpoint): Partial<Record<keyof typeof SECURITY_SCHEMES, readonly string[]>>[] {
  if (auth.kind === 'api-key') return [{ apiKey: auth.permissions }];
  if (auth.kind === 'access-token') return [{ accessToken: auth.scope === undefined ? [] : [auth.scope] }];
  return [];
}

function accessText({ auth }: Endpoint): string {
  switch (auth.kind) {
    case 'api-key': {
      const permissions = auth.permissions.map((permission) => `\`${permission}\``).join(' and ');
      const role = auth.communityRole ? ', and its owner the role OWNER or ADMIN in the community' : '';
      return `The API key needs ${permissions}${role}.`;
    }
    case 'access-token':
      return auth.scope === undefined
        ? 'The access token needs no scope.'
        : `The access token needs the scope \`${auth.scope}\`.`;
    case 'client-credentials':
      return 'The client proves itself with the credentials in the body.';
    case 'none':
      return 'Needs neither key nor token.';
  }
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example?: string | number;
}

function parametersOf(name: EndpointName, schemas: PublishedSchemas): Parameter[] {
  const { request }: Endpoint = ENDPOINTS[name];
  const examples = EXAMPLES[name].parameters ?? {};
  return (['path', 'query'] as const).flatMap((place) => {
    const schema = request[place];
    return schema === undefined ? [] : parametersFrom(schemas.of(schema), { place, examples });
  });
}

function parametersFrom(
  { properties = {}, required = [] }: JsonSchema,
  { place, examples }: { place: Parameter['in']; examples: Readonly<Record<string, string | number>> },
): Parameter[] {
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => {
    const example = examples[name];
    return {
      name,
      in: place,
      required: required.includes(name),
      description,
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

function requestBody(name: EndpointName, body: z.ZodType, schemas: PublishedSchemas) {
  const { auth }: Endpoint = ENDPOINTS[name];
  const { body: examples } = EXAMPLES[name];
  const media = { schema: schemas.of(body), ...(examples && { examples }) };
  // API-key endpoints take JSON; token and revoke take forms too.
  const takesForm = auth.kind === 'client-credentials';
  const content: Content = { [JSON_TYPE]: media, ...(takesForm && { [FORM_TYPE]: media }) };
  return { required: true, content };
}

function responsesOf(name: EndpointName, schemas: PublishedSchemas) {
  const { success, failures }: Endpoint = ENDPOINTS[name];
  const examples = EXAMPLES[name];
  const successful = {
    description: ENDPOINT_WORDS[name].success,
    ...(success.status === 302 && {
      headers: {
        Location: {
          description: 'Where the browser goes on: the sign-in of the service, or `redirect_uri`.',
          schema: { type: 'string', format: 'uri-reference' },
        },
      },
    }),
    ...(success.body && { content: jsonContent(schemas.of(success.body.strict), examples.success) }),
  };
  const failed = Object.entries(failures).map(([status, views]) => [
    status,
    {
      description: failureText(name, Number(status)),
      content: jsonContent(schemas.of(views.strict), examples.failures[Number(status)]),
    },
  ]);
  return { [success.status]: successful, ...Object.fromEntries(failed) };
}

type Content = Readonly<Record<string, { schema: JsonSchema; examples?: Examples }>>;

function jsonContent(schema: JsonSchema, examples: Examples | undefined): Content {
  return { [JSON_TYPE]: { schema, ...(examples && { examples }) } };
}

/** Matches rules that the schemas and statuses of the document already express. */
const EXPRESSED_BY_SCHEMA = /^`\w+`(?:,| is | can be | has )|^Success is a|^A (?:malformed|timestamp that)/;

/** The rules of its section and of its states, in the words of the requirement table. */
function rulesOf({ method, path }: Endpoint): string[] {
  const ownSection = `Endpoints / ${method} ${path}`;
  const areaOf = ({ id }: Requirement) => id.slice(0, id.indexOf('.'));
  const areas = new Set(REQUIREMENTS.filter(({ section }) => section === ownSection).map(areaOf));
  // Codes and tokens have states, but no endpoint.
  if (path === PATHS.token) areas.add('credentials');
  const rules = REQUIREMENTS.filter((rule) => {
    const isOwn = rule.section === ownSection || rule.section.startsWith('States and transitions');
    return isOwn && areas.has(areaOf(rule)) && !EXPRESSED_BY_SCHEMA.test(rule.text);
  });
  const list = (title: string, otherSide: Requirement['side']) => {
    const items = rules.filter(({ side }) => side !== otherSide).map(({ text }) => `- ${text}`);
    return items.length === 0 ? [] : [`**${title}**`, items.join('\n')];
  };
  return [...list('Rules', 'caller'), ...list('Rules for callers', 'server')];
}

function webhooks(schemas: PublishedSchemas) {
  const headers = webhookHeaders(schemas);
  const entries = WEBHOOK_EVENT_TYPES.map(
    (type) =>
      [
        type,
        {
          post: {
            operationId: `event-${type.replaceAll('.', '-')}`,
            tags: ['Webhooks'],
            summary: type,
            description: WEBHOOK_TEXTS[type],
            security: [],
            parameters: headers.map((header) =>
              header.name === WEBHOOK_HEADERS.eventType ? { ...header, example: type } : header,
            ),
            requestBody: {
              required: true,
              content: jsonContent(schemas.of(webhookEventSchemas[type].strict), {
                event: EVENT_EXAMPLES[type],
              }),
            },
            responses: {
              '2XX': { description: 'Answered within 10 seconds: the event is delivered.' },
              '4XX': { description: 'Any other status, or none in time: the delivery is tried again later.' },
            },
          },
        },
      ] as const,
  );
  return Object.fromEntries(entries);
}

function webhookHeaders(schemas: PublishedSchemas): Parameter[] {
  const spelled = new Map<string, string>(
    Object.values(WEBHOOK_HEADERS).map((name) => [name.toLowerCase(), name]),
  );
  const examples = {
    'x-svc-event-id': EXAMPLE_EVENT_ID,
    'x-svc-signature': '3ac4de54a4b5e5f0c5d8a0f3f0b1c9e8d7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2',
  };
  return parametersFrom(schemas.of(webhookHeaderSchemas.strict), { place: 'header', examples }).map(
    (header) => ({
      ...header,
      name: spelled.get(header.name) ?? header.name,
    }),
  );
}

/** Returns a copy of a JSON value with a service's names in place of the spec's stand-ins, in all strings and keys. */
function withNames<Value>(value: Value, names: ServiceNames): Value {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) => {
    if (typeof item === 'string') return withServiceNames(item, names);
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(
      Object.entries(item).map(([key, field]) => [withServiceNames(key, names), field]),
    );
  }) as Value;
}

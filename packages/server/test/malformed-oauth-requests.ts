import { PATHS } from '@latchkey/contract/constants';
import fc from 'fast-check';
import type { ApiKeyRequest } from './api-key-requests.js';
import { HOSTILE_NAMES, longText, oddBodies, oddJson, oddQuery, oddSegment } from './malformed-requests.js';

type Parameters = Readonly<Record<string, string>>;

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Value in a form or query, encoded validly or not. */
const oddWireValue = fc.oneof(
  { weight: 3, arbitrary: oddSegment },
  longText.map((text) => encodeURIComponent(text.slice(0, 3000))),
  fc.constantFrom('', '+', '%20', '%0d%0aX-Evil:%201', 'javascript:alert(1)', '//evil.example', 'null', '{}'),
  fc.constantFrom(
    '\u00e4\u00ff',
    '%C0%80',
    '%F4%90%80%80',
    '%u0041',
    '[object%20Object]',
    'a'.repeat(20_000),
  ),
);

/** Parameter name as sent: the right one, one with brackets that some parsers interpret, or a hostile one. */
function oddWireName(names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...names);
  const form = fc.constantFrom(
    '',
    '',
    '',
    '[]',
    '[0]',
    '[b]',
    '[__proto__]',
    '[a][b][c]',
    '.x',
    '%5B%5D',
    '%00',
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(name, form).map(([text, more]) => `${text}${more}`) },
    fc.constantFrom(...HOSTILE_NAMES),
    fc
      .tuple(fc.constantFrom('__proto__', 'constructor[prototype]'), name)
      .map(([to, text]) => `${to}[${text}]`),
  );
}

/**
 * Form or query made from a valid one: parameters replaced, omitted, repeated, added, without `=`, or
 * truncated.
 */
function oddForm(valid: Parameters): fc.Arbitrary<string> {
  const change = fc.tuple(
    oddWireName(Object.keys(valid)),
    fc.oneof(
      { weight: 4, arbitrary: oddWireValue },
      { weight: 2, arbitrary: fc.constantFrom(...Object.values(valid)).map(encodeURIComponent) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    fc.constantFrom('replace', 'repeat'),
  );
  const glue = fc.oneof({ weight: 8, arbitrary: fc.constant('&') }, fc.constantFrom(';', '&&', '&=&', '&%&'));
  return fc.tuple(fc.array(change, { minLength: 1, maxLength: 3 }), glue).map(([changes, between]) => {
    const fields = new Map(Object.entries(valid).map(([name, value]) => [name, [encodeURIComponent(value)]]));
    for (const [name, value, how] of changes) {
      const before = how === 'repeat' ? (fields.get(name) ?? []) : [];
      fields.set(name, value === undefined ? [] : [...before, value]);
    }
    return [...fields].flatMap(([name, values]) => values.map((value) => `${name}=${value}`)).join(between);
  });
}

/** JSON body in an encoding that its type names or hides. Half of them contain an escaped U+0000. */
function encodedJson(path: string, valid: Parameters): fc.Arbitrary<ApiKeyRequest> {
  const withNul = fc
    .constantFrom(...Object.keys(valid))
    .map((name) => JSON.stringify({ ...valid, [name]: `${valid[name]}\0` }));
  const encodings = fc.oneof(
    fc.constantFrom(['utf-16', 'utf16le'], ['utf-16le', 'utf16le'], ['utf-8', 'utf8'], ['utf-7', 'utf8']),
    fc.tuple(
      fc.constantFrom('utf-8', 'utf-16', 'utf-16be', 'utf-32', 'iso-8859-1'),
      fc.constantFrom('utf8', 'utf16le', 'latin1'),
    ),
  );
  return fc.tuple(fc.oneof(withNul, oddJson(valid)), encodings).map(([text, [named, real]]) => ({
    path,
    method: 'POST',
    bytes: Buffer.from(text, real as BufferEncoding),
    headers: { 'content-type': `application/json; charset=${named}` },
  }));
}

/** Requests to an endpoint that accepts JSON or a form. */
export function oddPosts(
  path: string,
  valids: readonly [Parameters, ...Parameters[]],
): fc.Arbitrary<ApiKeyRequest> {
  return fc.oneof(
    ...valids.flatMap((valid) => [
      { weight: 4, arbitrary: oddBodies({ path, method: 'POST' }, valid) },
      { weight: 4, arbitrary: oddFormPosts(path, valid) },
      { weight: 2, arbitrary: encodedJson(path, valid) },
    ]),
  );
}

/** Requests to an endpoint that accepts a form. Some declare another content type. */
export function oddFormPosts(path: string, valid: Parameters): fc.Arbitrary<ApiKeyRequest> {
  const type = fc.oneof(
    { weight: 6, arbitrary: fc.constant(FORM_TYPE) },
    fc.constantFrom(
      ...['charset=iso-8859-1', 'charset=utf-16', 'charset=', 'charset="utf-8'].map(
        (one) => `${FORM_TYPE}; ${one}`,
      ),
      ...[
        '',
        'text/plain',
        'application/json',
        'multipart/form-data; boundary=x',
        'APPLICATION/X-WWW-FORM-URLENCODED',
      ],
    ),
  );
  const encoding = fc.constantFrom('utf8', 'utf8', 'latin1', 'utf16le');
  return fc.tuple(oddForm(valid), type, encoding, oddQuery).map(([text, sentType, real, query]) => ({
    path: `${path}${query}`,
    method: 'POST',
    bytes: Buffer.from(text, real as BufferEncoding),
    headers: { 'content-type': sentType },
  }));
}

/**
 * Query made from a valid one. Non-ASCII bytes are encoded, because Node's parser rejects them in an address.
 */
function oddQueryOf(valid: Parameters): fc.Arbitrary<string> {
  return oddForm(valid).map((form) =>
    form.replace(/[\x80-\xff]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`),
  );
}

/** Requests with their parameters in the query. */
export function oddQueries(path: string, valid: Parameters): fc.Arbitrary<ApiKeyRequest> {
  return oddQueryOf(valid).map((query) => ({ path: `${path}?${query}`, method: 'GET' }));
}

/** Requests for the identity of a client, with odd ids and odd origins. */
export function oddIdentities(clientId: string): fc.Arbitrary<ApiKeyRequest> {
  const id = fc.oneof(
    { weight: 3, arbitrary: oddSegment },
    fc.constantFrom(
      clientId,
      clientId.toUpperCase(),
      `${clientId}%20`,
      `${clientId};x=1`,
      '',
      `${clientId}%2f..`,
    ),
    longText.map((text) => encodeURIComponent(text.slice(0, 3000))),
  );
  const query = fc.oneof(oddQueryOf({ widget_origin: 'http://localhost:4401' }), fc.constant(''));
  return fc.tuple(id, query).map(([text, sent]) => ({
    path: `${PATHS.clientIdentity.replace('{clientId}', () => text)}${sent === '' ? '' : `?${sent}`}`,
    method: 'GET',
  }));
}

/** Requests for a resource, with nearly valid and with unrelated tokens. */
export function oddBearers(path: string, tokens: readonly string[]): fc.Arbitrary<ApiKeyRequest> {
  const token = fc.constantFrom(...tokens);
  const latin = fc.stringMatching(/^[\x21-\x7e\x80-\xff \t]{0,40}$/);
  const scheme = fc.constantFrom(
    'Bearer ',
    'bearer ',
    'BEARER   ',
    'Bearer',
    'Basic ',
    'DPoP ',
    'Bearer\t',
    '',
  );
  const authorization = fc.oneof(
    fc.tuple(scheme, token).map(([name, text]) => `${name}${text}`),
    fc.tuple(scheme, token, latin).map(([name, text, more]) => `${name}${text}${more}`),
    fc.tuple(token, fc.nat(60)).map(([text, at]) => `Bearer ${text.slice(0, at)}`),
    fc.tuple(scheme, latin).map(([name, text]) => `${name}${text}`),
    fc
      .tuple(scheme, fc.constantFrom('a', '.', '\u00ff', '='))
      .map(([name, unit]) => name + unit.repeat(9000)),
    fc.tuple(token, latin).map(([text, other]) => [`Bearer ${text}`, `Bearer ${other}`]),
    fc.constantFrom(
      'Bearer null',
      'Bearer undefined',
      'Bearer __proto__',
      'Bearer %00',
      'Bearer [object Object]',
    ),
  );
  const query = fc.oneof(
    oddQuery,
    token.map((text) => `?access_token=${text}`),
    oddQueryOf({ access_token: tokens[0] ?? '', scope: 'memberships.read' }).map((text) => `?${text}`),
  );
  return fc.tuple(authorization, query).map(([value, sent]) => ({
    path: `${path}${sent}`,
    method: 'GET',
    headers: { authorization: value },
  }));
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'M-SEARCH', 'LINK'];

const ODD_HEADERS: readonly NonNullable<ApiKeyRequest['headers']>[] = [
  { authorization: 'Basic Og==' },
  { authorization: 'Basic \u00ff\u00fe' },
  { authorization: ['Bearer a', 'Bearer b'] },
  { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
  { traceparent: ['a', 'b'] },
  { accept: 'text/html' },
  { accept: 'nonsense;;q=x' },
  { origin: 'null' },
  { cookie: '%;=;__proto__=1' },
  { 'access-control-request-method': 'nonsense' },
  { 'x-http-method-override': 'DELETE' },
  { 'content-encoding': 'gzip' },
];

/** The same requests, sometimes with another method, another header or an unexpected body. */
export function withOddTransport(requests: fc.Arbitrary<ApiKeyRequest>): fc.Arbitrary<ApiKeyRequest> {
  const strayBody = fc.constantFrom(
    '{',
    '['.repeat(5000),
    '{"__proto__":{"a":1}}',
    'client_id=%00',
    '\u0000',
  );
  return fc
    .tuple(
      requests,
      fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, fc.constantFrom(...METHODS)),
      fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, fc.constantFrom(...ODD_HEADERS)),
      fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, strayBody),
    )
    .map(([request, method = request.method ?? 'GET', headers, body]) => ({
      ...request,
      ...(body !== undefined && request.bytes === undefined && { bytes: Buffer.from(body) }),
      method,
      key: null,
      headers: { ...request.headers, ...headers },
    }));
}

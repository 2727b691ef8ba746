import { renderDocument } from '../ui/document.js';
import type { Page } from '../ui/site.js';
import type { OpenApiDocument, Operation } from './openapi-document.js';
import { MethodBadge, OperationSection } from './operation-section.js';
import { PlainMarkdown } from './plain-markdown.js';
import { deliveryExample, requestExample } from './request-example.js';

/** Props of {@link referencePage}. */
export interface ReferencePageProps {
  document: OpenApiDocument;
  /** Root-relative address of the document itself. */
  documentHref: string;
  /** Root-relative address of the viewer in which requests can be sent. */
  viewerHref: string;
  /** Whether the viewer sends requests: in the sandbox only. */
  canTry: boolean;
  /** An API key that everybody may know, to copy. Default none. */
  apiKey?: string | undefined;
}

/** An endpoint or an event with what its section needs. */
interface Entry {
  operation: Operation;
  method: string;
  address: string;
  example: { title: string; text: string };
}

/** The reference of the API, whole on one page, made from its description. */
export function referencePage(props: ReferencePageProps): Page {
  const { document, canTry } = props;
  const groups = groupsOf(document);
  return renderDocument({
    title: 'API reference',
    layout: 'reference',
    headerEnd: (
      <nav class="site-nav" aria-label="Reference">
        <a href={props.viewerHref}>{canTry ? 'Try it' : 'Viewer'}</a>
        <a href={props.documentHref}>OpenAPI</a>
      </nav>
    ),
    children: (
      <div class="reference">
        <nav class="contents" aria-label="Endpoints and events">
          {groups.map(({ name, entries }) => (
            <div key={name}>
              <p class="contents-group">{name}</p>
              <ul>
                {entries.map(({ operation, method }) => (
                  <li key={operation.operationId}>
                    <a href={`#${operation.operationId}`}>
                      <MethodBadge method={method} />
                      <span>{operation.summary}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <main class="reference-main" id="content" tabIndex={-1}>
          <h1>API reference</h1>
          <PlainMarkdown text={document.info.description} />
          <Access document={document} apiKey={props.apiKey} />
          {groups.map(({ name, description, entries }) => (
            <section key={name} aria-label={name}>
              <h2 class="group-title">{name}</h2>
              <p class="lead">{description}</p>
              {entries.map((entry) => (
                <OperationSection
                  key={entry.operation.operationId}
                  {...entry}
                  tryHref={
                    canTry && entry.method !== 'EVENT'
                      ? tryHref(props.viewerHref, entry.operation)
                      : undefined
                  }
                  components={document.components.schemas}
                />
              ))}
            </section>
          ))}
        </main>
      </div>
    ),
  });
}

function Access(props: { document: OpenApiDocument; apiKey: string | undefined }) {
  const { apiKey, accessToken } = props.document.components.securitySchemes;
  return (
    <section class="prose" aria-label="Keys and tokens">
      <h2 class="group-title">Keys and tokens</h2>
      <PlainMarkdown text={`**API key.** ${apiKey.description}`} />
      {props.apiKey !== undefined && (
        <>
          <p>This sandbox has one that everybody may know:</p>
          <pre class="code">
            <code>export API_KEY={props.apiKey}</code>
          </pre>
        </>
      )}
      <PlainMarkdown text={`**Access token.** ${accessToken.description}`} />
      <p>
        Both go into the header <code>Authorization: Bearer …</code>. Requests are sent to{' '}
        <code>{props.document.servers[0]?.url}</code>.
      </p>
    </section>
  );
}

function groupsOf(document: OpenApiDocument) {
  const baseUrl = document.servers[0]?.url ?? '';
  const entries: Entry[] = [
    ...Object.entries(document.paths).flatMap(([path, { get, post }]) => [
      ...(get === undefined ? [] : [endpointEntry(get, { method: 'GET', path, baseUrl })]),
      ...(post === undefined ? [] : [endpointEntry(post, { method: 'POST', path, baseUrl })]),
    ]),
    ...Object.entries(document.webhooks).map(([type, { post }]) => ({
      operation: post,
      method: 'EVENT',
      address: type,
      example: { title: 'Example delivery', text: deliveryExample(post) },
    })),
  ];
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

function endpointEntry(operation: Operation, place: Parameters<typeof requestExample>[1]): Entry {
  const title = operation.operationId === 'authorize' ? 'Example address' : 'Example request';
  return {
    operation,
    method: place.method,
    address: place.path,
    example: { title, text: requestExample(operation, place) },
  };
}

/** Where the viewer opens the operation. */
function tryHref(viewerHref: string, { tags, operationId }: Operation): string {
  return `${viewerHref}#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`;
}

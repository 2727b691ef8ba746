import type { ComponentChildren } from 'preact';
import type { Content, Operation, OperationResponse, Parameter } from './openapi-document.js';
import { Inline, PlainMarkdown } from './plain-markdown.js';
import { Field, type SchemaComponents, SchemaFields } from './schema-fields.js';

/** An operation with the words that only the page needs. */
export interface OperationSectionProps {
  operation: Operation;
  /** `GET`, `POST`, or `EVENT` for what the service sends. */
  method: string;
  /** Path of an endpoint, or the type of an event. */
  address: string;
  /** A request to copy. */
  example: { title: string; text: string };
  /** Where it can be tried out. Default nowhere. */
  tryHref?: string | undefined;
  components: SchemaComponents;
}

const PLACES = [
  { place: 'path', title: 'In the path' },
  { place: 'query', title: 'In the query' },
  { place: 'header', title: 'Headers' },
] as const;

/** One endpoint or event of the reference: what it does, what it takes, what it answers. */
export function OperationSection(props: OperationSectionProps) {
  const { operation, components } = props;
  const { operationId, requestBody, parameters = [] } = operation;
  const body = Object.entries(requestBody?.content ?? {});
  const [, media] = body[0] ?? [];
  return (
    <section class="operation" id={operationId} aria-labelledby={`${operationId}-title`}>
      <h3 id={`${operationId}-title`}>{operation.summary}</h3>
      <p class="operation-address">
        <MethodBadge method={props.method} />
        <code>{props.address}</code>
        {props.tryHref !== undefined && (
          <a class="try-link" href={props.tryHref}>
            Try it<span class="visually-hidden">: {operation.summary}</span>
          </a>
        )}
      </p>
      <PlainMarkdown text={operation.description} />
      {PLACES.map(({ place, title }) => (
        <Parameters
          key={place}
          title={title}
          parameters={parameters.filter((parameter) => parameter.in === place)}
          components={components}
        />
      ))}
      {media !== undefined && (
        <Part title={`Body: ${body.map(([type]) => shortType(type)).join(' or ')}`}>
          <SchemaFields schema={media.schema} components={components} />
        </Part>
      )}
      <Part title={props.example.title}>
        <pre class="code">
          <code>{props.example.text}</code>
        </pre>
      </Part>
      <Part title="Answers">
        {Object.entries(operation.responses).map(([status, response]) => (
          <Answer key={status} status={status} response={response} components={components} />
        ))}
      </Part>
    </section>
  );
}

/** The method of an endpoint, in its colour. */
export function MethodBadge(props: { method: string }) {
  return <span class={`method method-${props.method.toLowerCase()}`}>{props.method}</span>;
}

function Part(props: { title: string; children: ComponentChildren }) {
  return (
    <>
      <h4>{props.title}</h4>
      {props.children}
    </>
  );
}

function Parameters(props: {
  title: string;
  parameters: readonly Parameter[];
  components: SchemaComponents;
}) {
  if (props.parameters.length === 0) return null;
  return (
    <Part title={props.title}>
      <dl class="fields">
        {props.parameters.map(({ name, schema, required, description }) => (
          <Field
            key={name}
            name={name}
            schema={schema}
            isRequired={required}
            text={description}
            components={props.components}
          />
        ))}
      </dl>
    </Part>
  );
}

function Answer(props: { status: string; response: OperationResponse; components: SchemaComponents }) {
  const { status, response, components } = props;
  const summary = (
    <>
      <code class={`status status-${status.charAt(0)}`}>{status}</code>
      <span>
        <Inline text={response.description} />
      </span>
    </>
  );
  const isSuccess = status.startsWith('2');
  const headers = Object.entries(response.headers ?? {});
  if (headers.length === 0 && response.content === undefined) return <p class="answer plain">{summary}</p>;
  return (
    <details class="answer" open={isSuccess}>
      <summary>{summary}</summary>
      {headers.length > 0 && (
        <dl class="fields">
          {headers.map(([name, { description, schema }]) => (
            <Field
              key={name}
              name={name}
              schema={schema}
              isRequired
              text={description}
              components={components}
            />
          ))}
        </dl>
      )}
      {response.content !== undefined && (
        <Body content={response.content} components={components} isSuccess={isSuccess} />
      )}
    </details>
  );
}

/** Failures are shown by their examples: the page tells the fields of their three shapes once, at its beginning. */
function Body(props: { content: Content; components: SchemaComponents; isSuccess: boolean }) {
  return (
    <>
      {Object.entries(props.content).map(([type, { schema, examples = {} }]) => (
        <div key={type}>
          {props.isSuccess && <SchemaFields schema={schema} components={props.components} />}
          {Object.entries(examples).map(([name, { summary, value }]) => (
            <figure class="example" key={name}>
              <figcaption>{summary}</figcaption>
              <pre class="code">
                <code>{JSON.stringify(value, null, 2)}</code>
              </pre>
            </figure>
          ))}
        </div>
      ))}
    </>
  );
}

function shortType(type: string): string {
  return type === 'application/json' ? 'JSON' : 'form';
}

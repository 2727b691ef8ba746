import { nodeHttp } from '../../platform/http/node-http.js';
import { inDeveloper, WEBHOOKS_HOME } from '../../web/kit/areas/developer-area.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { AccountField, Button } from '../../web/kit/parts/form-parts.js';
import { Disclosure, EmptyState, Panel } from '../../web/kit/parts/panel.js';
import { CodeBlock, CopyText, Count, Facts, Pill, Time, UNTRANSLATED } from '../../web/kit/parts/values.js';
import type { HeaderLine, StoredRoundTrip } from './attempt/stored-round-trip.js';
import type { WebhookDeliveryDetails } from './log/deliveries.js';
import { DeliveryPill, deliveryPath, webhookPath } from './webhook-state.pages.js';

/** Headers that curl computes itself. */
const COMPUTED: ReadonlySet<string> = new Set(['content-length']);

/**
 * Returns a command for a POSIX shell that sends a request again, byte for byte, with its signature. Buyers wrote parts of
 * the body, so each argument is quoted. The signature covers the exact body.
 */
export function curlCommand({ url, headers, body }: StoredRoundTrip['request'] & { body: string }): string {
  const lines = headers
    .filter(([name]) => !COMPUTED.has(name.toLowerCase()))
    .map(([name, value]) => `  --header ${quoted(`${name}: ${value}`)}`);
  // --data-raw does not read a file if the body begins with "@".
  return [`curl --globoff --request POST ${quoted(url)}`, ...lines, `  --data-raw ${quoted(body)}`].join(
    ' \\\n',
  );
}

/** In single quotes a shell interprets nothing but the closing quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface DeliveryPageProps extends PageProps {
  delivery: WebhookDeliveryDetails;
  signatureHeader: string;
}

/** Renders a delivery with its body and attempts. `POST /developer/webhooks/deliveries/{id}/redeliver` sends it again. */
export function developerDeliveryPage(props: DeliveryPageProps): Page {
  const { delivery } = props;
  return renderAreaPage({
    ...props,
    ...inDeveloper(WEBHOOKS_HOME),
    title: `Delivery of ${delivery.type}`,
    heading: <span {...UNTRANSLATED}>{delivery.type}</span>,
    parent: { href: webhookPath(delivery.webhookId), label: delivery.webhook.subjectName },
    children: (
      <>
        <Panel
          id="delivery"
          heading="Delivery"
          actions={
            <form method="post" action={`${deliveryPath(delivery.id)}/redeliver`}>
              <AccountField />
              <Button isSmall>Send again</Button>
            </form>
          }
        >
          <DeliveryFacts {...props} />
        </Panel>
        <Attempts attempts={delivery.attempts} />
        <Event {...props} />
      </>
    ),
  });
}

function DeliveryFacts({ delivery, signatureHeader }: DeliveryPageProps) {
  const signature = delivery.attempts[0]?.roundTrip?.request.headers.find(
    ([name]) => name === signatureHeader,
  );
  const next =
    delivery.nextAttemptAt === null ? (
      'When the webhook is active again'
    ) : (
      <Time at={delivery.nextAttemptAt} precision="second" />
    );
  const facts = {
    Status: <DeliveryPill delivery={delivery} />,
    'Event ID': <CopyText label="event id" value={delivery.eventId} />,
    'Events from': <bdi>{delivery.webhook.subjectName}</bdi>,
    Endpoint: <CopyText label="endpoint" value={delivery.webhook.url} />,
    Created: <Time at={delivery.createdAt} precision="second" />,
    'Next attempt': delivery.status === 'pending' && next,
    Signature: signature !== undefined && <CopyText label="signature" value={signature[1]} />,
  };
  return <Facts facts={facts} />;
}

function Attempts(props: { attempts: WebhookDeliveryDetails['attempts'] }) {
  return (
    <Panel id="attempts" heading="Attempts">
      {props.attempts.length === 0 ? (
        <EmptyState title="There are no attempts yet." text="The first one is made within seconds." />
      ) : (
        props.attempts.map((attempt, index) => (
          <Attempt key={attempt.id} attempt={attempt} isOpen={index === 0} />
        ))
      )}
    </Panel>
  );
}

function Event({ delivery }: DeliveryPageProps) {
  const request = delivery.attempts[0]?.roundTrip?.request;
  return (
    <Panel id="event" heading="Event">
      <div class="stack">
        <CodeBlock label="Body" text={prettyJson(delivery.body) ?? delivery.body} language="json" wraps />
        <p class="muted">
          Formatted for reading. Every attempt sends the same bytes, without these spaces and line breaks. The
          signature covers those bytes.
        </p>
        {request !== undefined && (
          <Disclosure summary="Send it from a terminal">
            <CodeBlock
              label="curl command"
              text={curlCommand({ ...request, body: delivery.body })}
              language="shell"
              wraps
            />
          </Disclosure>
        )}
      </div>
    </Panel>
  );
}

/** Attempt of a delivery: one line that opens to the request and the response. The endpoint wrote the response. */
function Attempt(props: { attempt: WebhookDeliveryDetails['attempts'][number]; isOpen: boolean }) {
  const { attempt, isOpen } = props;
  const { attemptedAt, durationMs, statusCode, failure, roundTrip } = attempt;
  const summary = (
    <>
      <Pill tone={failure === null ? 'good' : 'bad'}>{statusCode ?? 'No response'}</Pill>
      <Time at={attemptedAt} precision="second" />
      <span class="muted">
        <Count value={durationMs} /> ms
      </span>
    </>
  );
  return (
    <Disclosure summary={summary} isOpen={isOpen}>
      {failure !== null && <p>{failure}</p>}
      {roundTrip === undefined ? (
        <p class="muted">The request and the response of this attempt are not stored.</p>
      ) : (
        <RoundTrip roundTrip={roundTrip} statusCode={statusCode} />
      )}
    </Disclosure>
  );
}

function RoundTrip({ roundTrip, statusCode }: { roundTrip: StoredRoundTrip; statusCode: number | null }) {
  const { request, response } = roundTrip;
  return (
    <>
      <CodeBlock label="Request headers" text={requestHead(request)} language="http" wraps />
      {response === null || statusCode === null ? (
        <p class="muted">There was no response.</p>
      ) : (
        <>
          <CodeBlock
            label="Response headers"
            text={responseHead(statusCode, response.headers)}
            language="http"
            wraps
          />
          <ResponseBody response={response} />
        </>
      )}
    </>
  );
}

function ResponseBody({ response }: { response: NonNullable<StoredRoundTrip['response']> }) {
  const { body, bytes, isCut } = response;
  if (bytes === 0) return <p class="muted">The response has no body.</p>;
  const json = isCut ? undefined : prettyJson(body);
  return (
    <>
      <CodeBlock
        label="Response body"
        text={json ?? body}
        language={json === undefined ? 'text' : 'json'}
        wraps
      />
      {isCut && (
        <p class="muted">
          Only the start is stored. <Count value={bytes} /> bytes arrived.
        </p>
      )}
    </>
  );
}

/** Returns the request line and the headers of a request, as they are sent. */
function requestHead({ url, headers }: { url: string; headers: readonly HeaderLine[] }): string {
  if (!URL.canParse(url)) return headText(`POST ${url}`, headers);
  const { host, pathname, search } = new URL(url);
  return headText(`POST ${pathname}${search} HTTP/1.1`, [['Host', host], ...headers]);
}

function responseHead(statusCode: number, headers: readonly HeaderLine[]): string {
  return headText(`HTTP/1.1 ${statusCode} ${nodeHttp.STATUS_CODES[statusCode] ?? ''}`.trimEnd(), headers);
}

function headText(firstLine: string, headers: readonly HeaderLine[]): string {
  return [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
}

/** Tokens of a JSON text: strings, punctuation, and numbers and words. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Deepest level that is indented further. Without a limit, the indents of a deeply nested text grow with the square of its
 * length: 2 kB of brackets would become a page of 40 MB.
 */
const INDENTED_LEVELS = 20;

/**
 * Returns a JSON text with line breaks and indents; `undefined` if it is no JSON. The tokens stay as they are: numbers that
 * JavaScript cannot represent are not rounded.
 */
export function prettyJson(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  let depth = 0;
  let previous = '';
  let pretty = '';
  for (const [token] of text.matchAll(TOKENS)) {
    const opens = previous === '{' || previous === '[';
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    if ((opens && !closes) || previous === ',' || (closes && !opens)) {
      pretty += `\n${'  '.repeat(Math.min(depth, INDENTED_LEVELS))}`;
    }
    if (previous === ':') pretty += ' ';
    pretty += token;
    if (token === '{' || token === '[') depth += 1;
    previous = token;
  }
  return pretty;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

import { nodeHttp } from '../../platform/http/node-http.js';
import { phrase, t } from '../../platform/language/language.js';
import { inDeveloper, WEBHOOKS_HOME } from '../../web/kit/areas/developer-area.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { AccountField, Button } from '../../web/kit/parts/form-parts.js';
import { Disclosure, EmptyState, Panel } from '../../web/kit/parts/panel.js';
import {
  AddedText,
  CodeBlock,
  CopyText,
  Count,
  Facts,
  Pill,
  Time,
  UNTRANSLATED,
} from '../../web/kit/parts/values.js';
import type { HeaderLine, StoredRoundTrip } from './attempt/stored-round-trip.js';
import type { WebhookDeliveryDetails } from './log/deliveries.js';
import { DeliveryPill, deliveryPath, webhookPath } from './webhook-state.pages.js';

const COMPUTED: ReadonlySet<string> = new Set(['content-length']);

/** Parts of the body come from buyers, so each argument is quoted. The signature covers the exact body. */
export function curlCommand({ url, headers, body }: StoredRoundTrip['request'] & { body: string }): string {
  const lines = headers
    .filter(([name]) => !COMPUTED.has(name.toLowerCase()))
    .map(([name, value]) => `  --header ${quoted(`${name}: ${value}`)}`);
  // --data-raw doesn't read a file if the body begins with "@".
  return [`curl --globoff --request POST ${quoted(url)}`, ...lines, `  --data-raw ${quoted(body)}`].join(
    ' \\\n',
  );
}

/** Inside single quotes, a shell interprets nothing but the closing quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface DeliveryPageProps extends PageProps {
  delivery: WebhookDeliveryDetails;
  signatureHeader: string;
}

export function developerDeliveryPage(props: DeliveryPageProps): Page {
  const { delivery } = props;
  return renderAreaPage({
    ...props,
    ...inDeveloper(WEBHOOKS_HOME),
    title: t('Delivery of {type}', { type: delivery.type }),
    heading: <span {...UNTRANSLATED}>{delivery.type}</span>,
    parent: { href: webhookPath(delivery.webhookId), label: delivery.webhook.subjectName },
    children: (
      <>
        <Panel
          id="delivery"
          heading={t('Delivery')}
          actions={
            <form method="post" action={`${deliveryPath(delivery.id)}/redeliver`}>
              <AccountField />
              <Button isSmall>{t('Send again')}</Button>
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
      t('When the webhook is active again')
    ) : (
      <Time at={delivery.nextAttemptAt} precision="second" />
    );
  const facts = {
    [t('Status')]: <DeliveryPill delivery={delivery} />,
    [t('Event ID')]: <CopyText label={t('event id')} value={delivery.eventId} />,
    [t('Events from')]: <bdi>{delivery.webhook.subjectName}</bdi>,
    [t('Endpoint')]: <CopyText label={t('endpoint')} value={delivery.webhook.url} />,
    [t('Created')]: <Time at={delivery.createdAt} precision="second" />,
    [t('Next attempt')]: delivery.status === 'pending' && next,
    [t('Signature')]: signature !== undefined && <CopyText label={t('signature')} value={signature[1]} />,
  };
  return <Facts facts={facts} />;
}

function Attempts(props: { attempts: WebhookDeliveryDetails['attempts'] }) {
  return (
    <Panel id="attempts" heading={t('Attempts')}>
      {props.attempts.length === 0 ? (
        <EmptyState
          title={t('There are no attempts yet.')}
          text={t('The first one is made within seconds.')}
        />
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
    <Panel id="event" heading={t('Event')}>
      <div class="stack">
        <CodeBlock
          label={t('Body')}
          text={prettyJson(delivery.body) ?? delivery.body}
          language="json"
          wraps
        />
        <p class="muted">
          {t(
            'Formatted for reading. Every attempt sends the same bytes, without these spaces and line breaks. The signature covers those bytes.',
          )}
        </p>
        {request !== undefined && (
          <Disclosure summary={t('Send it from a terminal')}>
            <CodeBlock
              label={t('curl command')}
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

/** Attempt of a delivery: a line that opens to show the request and the response. The endpoint wrote the response. */
function Attempt(props: { attempt: WebhookDeliveryDetails['attempts'][number]; isOpen: boolean }) {
  const { attempt, isOpen } = props;
  const { attemptedAt, durationMs, statusCode, failure, roundTrip } = attempt;
  const summary = (
    <>
      <Pill tone={failure === null ? 'good' : 'bad'}>{statusCode ?? t('No response')}</Pill>
      <Time at={attemptedAt} precision="second" />
      <span class="muted">{t('{duration} ms', { duration: <Count value={durationMs} /> })}</span>
    </>
  );
  return (
    <Disclosure summary={summary} isOpen={isOpen}>
      {failure !== null && (
        <p>
          <Failure failure={failure} />
        </p>
      )}
      {roundTrip === undefined ? (
        <p class="muted">{t('The request and the response of this attempt are not stored.')}</p>
      ) : (
        <RoundTrip roundTrip={roundTrip} statusCode={statusCode} />
      )}
    </Disclosure>
  );
}

/** In the English of the database. `{value}` is a status, a number of seconds or a system error code. */
const FAILURES: readonly string[] = [
  phrase('Responded with status {value}. Redirects are not followed; register the target URL instead.'),
  phrase('Responded with status {value}; only 2xx counts as received.'),
  phrase('No response within {value} seconds.'),
  phrase('The host does not lead to a public address.'),
  phrase('Nothing accepts connections there ({value}).'),
  phrase('The host name has no address ({value}).'),
  phrase('The host name could not be looked up ({value}).'),
  phrase('There is no route to the address ({value}).'),
  phrase('Nothing answered the connection attempt ({value}).'),
  phrase('Its TLS certificate is not from a trusted authority ({value}).'),
  phrase('Its TLS certificate has expired ({value}).'),
  phrase('Its TLS certificate is not valid yet ({value}).'),
  phrase('Its TLS certificate is for another host name ({value}).'),
  phrase('The port does not speak TLS ({value}).'),
  phrase('The TLS handshake failed ({value}).'),
  phrase('The connection was closed during the TLS handshake ({value}).'),
  phrase('What answers there does not speak HTTP ({value}).'),
  phrase('The connection was closed before the response was complete ({value}).'),
];

const VALUE = /(?<=status |within )\d+|(?<=\()[A-Z0-9_]+(?=\)\.$)/;

function Failure({ failure }: { failure: string }) {
  const text = failure.replace(VALUE, '{value}');
  if (!FAILURES.includes(text)) return <AddedText text={failure} />;
  return <>{t(text, { value: VALUE.exec(failure)?.[0] ?? '' })}</>;
}

function RoundTrip({ roundTrip, statusCode }: { roundTrip: StoredRoundTrip; statusCode: number | null }) {
  const { request, response } = roundTrip;
  return (
    <>
      <CodeBlock label={t('Request headers')} text={requestHead(request)} language="http" wraps />
      {response === null || statusCode === null ? (
        <p class="muted">{t('There was no response.')}</p>
      ) : (
        <>
          <CodeBlock
            label={t('Response headers')}
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
  if (bytes === 0) return <p class="muted">{t('The response has no body.')}</p>;
  const json = isCut ? undefined : prettyJson(body);
  return (
    <>
      <CodeBlock
        label={t('Response body')}
        text={json ?? body}
        language={json === undefined ? 'text' : 'json'}
        wraps
      />
      {isCut && (
        <p class="muted">
          {t('Only the start is stored. {bytes} bytes arrived.', { bytes: <Count value={bytes} /> })}
        </p>
      )}
    </>
  );
}

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

/** JSON tokens: strings, punctuation, and numbers and words. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Otherwise the indents of deeply nested JSON grow with the square of its length: 2 kB would become 40 MB. */
const INDENTED_LEVELS = 20;

/** Keeps the tokens as they are, so numbers aren't rounded. `undefined` if the input isn't JSON. */
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

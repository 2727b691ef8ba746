import type { StoredExchange } from '../../../domain/webhooks/attempt/attempt-exchange.js';
import { CodeBlock } from '../../ui/parts/code-block.js';
import { Disclosure } from '../../ui/parts/disclosure.js';
import { Count } from '../../ui/parts/money.js';
import { Pill } from '../../ui/parts/pill.js';
import { Time } from '../../ui/parts/time.js';
import { prettyJson, requestHead, responseHead } from './http-message.js';
import type { DeliveryAttempt } from './webhook-delivery.js';

/** Attempt with its request and response. */
export interface DetailedAttempt extends DeliveryAttempt {
  /** Undefined for an attempt that sent nothing, and for an old one. */
  exchange?: StoredExchange | undefined;
}

/** Attempt of a delivery: one line that opens to the request and the response. The endpoint wrote the response. */
export function DeliveryAttemptDetails({ attempt, isOpen }: { attempt: DetailedAttempt; isOpen: boolean }) {
  const { attemptedAt, durationMs, statusCode, failure, exchange } = attempt;
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
      {exchange === undefined ? (
        <p class="muted">The request and the response of this attempt are not stored.</p>
      ) : (
        <Exchange exchange={exchange} statusCode={statusCode} />
      )}
    </Disclosure>
  );
}

function Exchange({ exchange, statusCode }: { exchange: StoredExchange; statusCode: number | null }) {
  const { request, response } = exchange;
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

function ResponseBody({ response }: { response: NonNullable<StoredExchange['response']> }) {
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

import type { RequestSummary } from '@latchkey/sandbox';
import { css, html, nothing, type TemplateResult } from 'lit';
import { logRowStyles } from '../../parts/split-view.styles.js';

/** Returns the kind of a status, for the colour of its pill. */
export function statusKind({ status, answered }: Pick<RequestSummary, 'status' | 'answered'>): string {
  if (status === null || !answered || status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  return status >= 300 ? 'neutral' : 'good';
}

/** Returns a status as text: `lost` for a response that didn't arrive completely. */
export function statusText({ status, answered }: Pick<RequestSummary, 'status' | 'answered'>): string {
  if (status === null) return 'none';
  return answered ? `${status}` : `${status} lost`;
}

/** Returns the name of the client or key that sent a request; empty if unknown. */
export function callerName({ caller }: Pick<RequestSummary, 'caller'>): string {
  if (caller === null) return '';
  return caller.kind === 'client' ? caller.clientId : caller.keyName;
}

/** Returns the time of day of an instant, in UTC with seconds. */
function timeOf(instant: string): string {
  return instant.slice(11, 19);
}

/** Returns a duration in milliseconds as text. */
export function durationText(milliseconds: number): string {
  return milliseconds < 10_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

export function requestRow(entry: RequestSummary): TemplateResult {
  const { method, path, serviceTime, durationMs, fault, replayOf } = entry;
  return html`<span class="request-row">
    <span class="pill pill-${statusKind(entry)}">${statusText(entry)}</span>
    <span class="method" translate="no">${method}</span>
    <span class="path" translate="no">${path}</span>
    <span class="marks"
      >${fault === null ? nothing : html`<span class="mark">fault</span>`}${
        replayOf === null ? nothing : html`<span class="mark">replay</span>`
      }</span
    >
    <span class="caller">${callerName(entry)}</span>
    <span class="duration">${durationText(durationMs)}</span>
    <span class="time">${timeOf(serviceTime)}</span>
  </span>`;
}

export const rowStyles = css`
  ${logRowStyles}
  .request-row {
    grid-template-columns: minmax(4.25rem, max-content) 3.75rem minmax(0, 1fr) auto minmax(0, 9rem) 4.5rem 4.5rem;
  }
  .mark {
    padding: 0 0.375rem;
    border: 1px solid var(--line-strong);
    border-radius: 4px;
    font-size: 0.75rem;
    color: var(--text);
  }
  .marks {
    display: flex;
    gap: 0.25rem;
  }
  @container (max-width: 46rem) {
    .request-row {
      grid-template-columns: minmax(4.25rem, max-content) 3.25rem minmax(0, 1fr) auto 4.5rem;
    }
    .caller,
    .duration {
      display: none;
    }
  }
  @container (max-width: 26rem) {
    .request-row {
      grid-template-columns: auto auto 1fr auto;
      gap: 0 0.5rem;
    }
    .path {
      grid-row: 2;
      grid-column: 1 / -1;
    }
    .time {
      grid-column: 4;
    }
  }
`;

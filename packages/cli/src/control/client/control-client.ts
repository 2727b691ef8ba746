import type {
  ClockMove,
  ClockPreset,
  ClockReading,
  DataRecord,
  DeliveryEntry,
  EventEntry,
  EventPage,
  Fault,
  FaultInput,
  ForwardedDelivery,
  ListenerEntry,
  LoggedRequest,
  PurchaseInput,
  PurchaseResult,
  RecordKind,
  RequestFilter,
  RequestPage,
  RequestSummary,
  ResendEffect,
  ScenarioName,
  Snapshot,
  SnapshotEntry,
} from '@latchkey/sandbox';
import { type ControlCall, callControl, type SandboxTarget } from './control-http.js';
import { type StreamMessage, streamMessages } from './event-stream.js';

/** Position to move the clock to. */
export type ClockTarget =
  | { duration: string }
  | { instant: string }
  | { preset: string }
  | { membershipId: string; to: 'end' | 'renewal' };

export interface MembershipToGrant {
  readonly userId: string;
  readonly productType: string;
  readonly communityId?: string;
  readonly productId?: string;
  readonly validFrom?: string;
  readonly validUntil?: string | null;
}

export interface EventQuery {
  readonly limit?: number;
  /** Id of the last event of the page before. */
  readonly after?: string;
  readonly type?: string;
  readonly status?: string;
  readonly webhookId?: string;
  readonly text?: string;
}

export interface ListenerToOpen {
  readonly name: string;
  /** Id of this program, chosen at its start. */
  readonly consumer: string;
  readonly from: 'last' | 'now' | 'start';
  readonly communityId?: string;
  readonly productId?: string;
  readonly webhookId?: string;
  readonly events?: readonly string[];
}

/** Attempt to forward a delivery. */
export interface ForwardReport {
  readonly result: 'delivered' | 'given-up' | 'retry';
  readonly url: string;
  readonly durationMs: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Null if it succeeded. */
  readonly failure: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Deliveries per call when a listener asks for them. */
const WAITING_ROWS = 100;
/** Rows per call when all records are read. */
const PAGE_ROWS = 1_000;

/** Calls to the control API of one sandbox. Each one throws `ControlFailure`. */
export class ControlClient {
  readonly #target: SandboxTarget;

  constructor(target: SandboxTarget) {
    this.#target = target;
  }

  clock() {
    return this.#get<ClockReading & { presets: readonly ClockPreset[] }>('/clock', 'serviceTime');
  }

  moveClock(target: ClockTarget) {
    return this.#post<ClockMove>('/clock', target, 'happened');
  }

  requests(query: RequestFilter = {}, signal?: AbortSignal) {
    return this.#call<RequestPage>({
      method: 'GET',
      path: '/requests',
      query: { ...query },
      expects: 'requests',
      signal,
    });
  }

  request(id: string) {
    return this.#get<LoggedRequest & { curl: string }>(`/requests/${encodeURIComponent(id)}`, 'curl');
  }

  /** Sends a request again. The answer is its new entry. */
  replay(id: string) {
    return this.#post<RequestSummary>(`/requests/${encodeURIComponent(id)}/replay`, {}, 'id');
  }

  /** The newest events, newest first. */
  async events(limit: number): Promise<readonly EventEntry[]> {
    return (await this.eventPage({ limit })).events;
  }

  /** A page of events, newest first. */
  eventPage(query: EventQuery, signal?: AbortSignal) {
    return this.#call<EventPage>({
      method: 'GET',
      path: '/events',
      query: { ...query },
      expects: 'events',
      signal,
    });
  }

  buy(purchase: PurchaseInput) {
    return this.#post<PurchaseResult>('/purchases', purchase, 'method');
  }

  openListener(listener: ListenerToOpen) {
    return this.#post<ListenerEntry>('/listeners', listener, 'waiting');
  }

  /** Deliveries that a listener has not forwarded, oldest first. */
  async waitingDeliveries(name: string, consumer: string): Promise<readonly ForwardedDelivery[]> {
    const { deliveries } = await this.#call<{ deliveries: readonly ForwardedDelivery[] }>({
      method: 'GET',
      path: `${listenerPath(name)}/deliveries`,
      query: { consumer, limit: WAITING_ROWS },
      expects: 'deliveries',
    });
    return deliveries;
  }

  async reportForward(name: string, deliveryId: string, report: ForwardReport): Promise<void> {
    await this.#post(`${listenerPath(name)}/deliveries/${encodeURIComponent(deliveryId)}`, report);
  }

  delivery(id: string) {
    return this.#get<DeliveryEntry>(`/deliveries/${encodeURIComponent(id)}`, 'attempts');
  }

  resend(id: string, as?: ResendEffect) {
    const path = `/deliveries/${encodeURIComponent(id)}/resend`;
    return this.#post<DeliveryEntry>(path, { ...(as !== undefined && { as }) }, 'attempts');
  }

  async faults(): Promise<readonly Fault[]> {
    return (await this.#get<{ faults: readonly Fault[] }>('/faults', 'faults')).faults;
  }

  addFault(fault: FaultInput) {
    return this.#post<Fault>('/faults', fault, 'effect');
  }

  removeFault(id: string) {
    return this.#delete(`/faults/${encodeURIComponent(id)}`);
  }

  clearFaults() {
    return this.#delete('/faults');
  }

  async snapshots(): Promise<readonly SnapshotEntry[]> {
    return (await this.#get<{ snapshots: readonly SnapshotEntry[] }>('/snapshots', 'snapshots')).snapshots;
  }

  saveSnapshot(name: string) {
    return this.#post<SnapshotEntry>(snapshotPath(name), {}, 'rows');
  }

  async loadSnapshot(name: string): Promise<void> {
    await this.#post(`${snapshotPath(name)}/load`, {});
  }

  exportSnapshot(name: string) {
    return this.#get<Snapshot>(snapshotPath(name), 'tables');
  }

  importSnapshot(name: string, file: unknown) {
    return this.#post<SnapshotEntry>(`${snapshotPath(name)}/import`, file, 'rows');
  }

  async reset(scenario: ScenarioName): Promise<void> {
    await this.#post('/reset', { scenario });
  }

  /** Creates a record. The answer has new secrets, this once. */
  createRecord(kind: RecordKind, record: Readonly<Record<string, unknown>>) {
    return this.#post<{ id: string } & Readonly<Record<string, unknown>>>(`/data/${kind}`, record, 'id');
  }

  /** All records of one kind, oldest first. */
  async records(kind: RecordKind): Promise<readonly DataRecord[]> {
    const all: DataRecord[] = [];
    let after: string | undefined;
    do {
      const page = await this.#call<
        Record<string, readonly DataRecord[]> & { readonly next?: string | null }
      >({
        method: 'GET',
        path: `/data/${kind}`,
        query: { limit: PAGE_ROWS, ...(after !== undefined && { after }) },
        expects: kind,
      });
      all.push(...(page[kind] ?? []));
      after = page.next ?? undefined;
    } while (after !== undefined);
    return all;
  }

  grantMembership(membership: MembershipToGrant) {
    return this.#post<{ id: string }>('/memberships', membership, 'id');
  }

  async endMembership(id: string): Promise<void> {
    await this.#post(`/memberships/${encodeURIComponent(id)}/end`, {});
  }

  async changeRecord(kind: RecordKind, id: string, changes: object): Promise<void> {
    await this.#call({ method: 'PATCH', path: `/data/${kind}/${encodeURIComponent(id)}`, body: changes });
  }

  /** Records an event about the present state of a membership, and waits for its deliveries. */
  async sendEvent(event: { type: 'membership.updated'; membershipId: string }): Promise<void> {
    await this.#post('/events', event);
  }

  /** Finds the webhook whose secret signed a body. */
  verifySignature(pasted: { body: string; signature: string }) {
    return this.#post<{ verified: boolean; webhookId: string | null }>('/signatures', pasted, 'verified');
  }

  /** Messages of the stream as they arrive. Ends with the connection, or when the signal aborts. */
  stream(signal: AbortSignal): AsyncIterable<StreamMessage> {
    return streamMessages(this.#target, signal);
  }

  #get<Result>(path: string, expects: string): Promise<Result> {
    return this.#call<Result>({ method: 'GET', path, expects });
  }

  #post<Result>(path: string, body: unknown, expects?: string): Promise<Result> {
    return this.#call<Result>({ method: 'POST', path, body, ...(expects !== undefined && { expects }) });
  }

  async #delete(path: string): Promise<void> {
    await this.#call({ method: 'DELETE', path });
  }

  /** The types describe the sandbox of the same version. `expects` rejects other programs. */
  async #call<Result>(call: ControlCall): Promise<Result> {
    return (await callControl(this.#target, call)) as Result;
  }
}

function listenerPath(name: string): string {
  return `/listeners/${encodeURIComponent(name)}`;
}

function snapshotPath(name: string): string {
  return `/snapshots/${encodeURIComponent(name)}`;
}

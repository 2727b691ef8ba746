import type {
  ClockMove,
  ClockPreset,
  ClockReading,
  DataRecord,
  DeliveryEntry,
  EventEntry,
  Fault,
  FaultInput,
  LoggedRequest,
  RecordKind,
  RequestFilter,
  RequestPage,
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

/** Membership to grant. */
export interface MembershipToGrant {
  readonly userId: string;
  readonly productType: string;
  readonly communityId?: string;
  readonly productId?: string;
  readonly validFrom?: string;
  readonly validUntil?: string | null;
}

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

  requests(query: RequestFilter = {}) {
    return this.#call<RequestPage>({
      method: 'GET',
      path: '/requests',
      query: { ...query },
      expects: 'requests',
    });
  }

  request(id: string) {
    return this.#get<LoggedRequest & { curl: string }>(`/requests/${encodeURIComponent(id)}`, 'curl');
  }

  /** The newest events, newest first. */
  async events(limit: number): Promise<readonly EventEntry[]> {
    const { events } = await this.#call<{ events: readonly EventEntry[] }>({
      method: 'GET',
      path: '/events',
      query: { limit },
      expects: 'events',
    });
    return events;
  }

  delivery(id: string) {
    return this.#get<DeliveryEntry>(`/deliveries/${encodeURIComponent(id)}`, 'attempts');
  }

  resend(id: string) {
    return this.#post<DeliveryEntry>(`/deliveries/${encodeURIComponent(id)}/resend`, {}, 'attempts');
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

function snapshotPath(name: string): string {
  return `/snapshots/${encodeURIComponent(name)}`;
}

import type { ReactiveController } from 'lit';
import type { LiveEvent } from '../api/live.js';
import type { ConsoleView } from './console-view.js';

/** How long changes are collected for one call, in milliseconds. */
const COLLECT_MS = 150;

interface LogFeedOptions {
  /** A list of the control API. Its response has the rows under the same name. */
  readonly path: 'events' | 'payments' | 'requests';
  readonly limit: number;
  /** Events of the stream that can change the rows. */
  readonly changes: readonly string[];
  query(): Readonly<Record<string, string | undefined>>;
}

type LogPage<Row> = { readonly next: string | null; readonly total?: number } & Readonly<
  Record<string, readonly Row[]>
>;

/** The loaded part of a log: newest rows first, older ones on demand, and changes as they happen. */
export class LogFeed<Row extends { readonly id: string }> implements ReactiveController {
  entries: readonly Row[] = [];
  /** Total number of matching rows; -1 if unknown. */
  total = -1;
  isLoaded = false;
  isPaused = false;
  missed = 0;
  readonly #view: ConsoleView;
  readonly #options: LogFeedOptions;
  #next: string | null = null;
  /** Grows with each reload. Responses to earlier calls are dropped. */
  #round = 0;
  #isLoadingMore = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: ConsoleView, options: LogFeedOptions) {
    this.#view = view;
    this.#options = options;
    view.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Loads the newest rows, in place of everything loaded so far. */
  async reload(): Promise<void> {
    this.#round += 1;
    const page = await this.#load();
    if (page === undefined) return;
    this.isLoaded = true;
    this.missed = 0;
    this.#show(page.rows, page);
  }

  /** Loads older rows, if there are any. */
  async loadMore(): Promise<void> {
    if (this.#next === null || this.#isLoadingMore) return;
    this.#isLoadingMore = true;
    const page = await this.#load(this.#next);
    this.#isLoadingMore = false;
    if (page !== undefined) this.#show([...this.entries, ...page.rows], page);
  }

  /** Holds new rows back, or shows them again. */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (isPaused) this.#view.requestUpdate();
    else void this.#catchUp();
  }

  receive({ type }: LiveEvent): void {
    if (type === 'reset' || type === 'connected') return void this.reload();
    if (!this.#options.changes.includes(type)) return;
    if (this.isPaused) {
      this.missed += 1;
      this.#view.requestUpdate();
      return;
    }
    this.#timer ??= setTimeout(() => void this.#catchUp(), COLLECT_MS);
  }

  /** Reloads the newest page, and keeps the older rows that are already loaded. */
  async #catchUp(): Promise<void> {
    this.hostDisconnected();
    const page = await this.#load();
    if (page === undefined) return;
    this.missed = 0;
    const fresh = new Set(page.rows.map(({ id }) => id));
    const older = this.entries.filter(({ id }) => !fresh.has(id));
    // Without a common row, there are so many new rows that some lie between this page and the loaded rows.
    const isJoined = older.length < this.entries.length && page.next !== null;
    if (isJoined) this.#show([...page.rows, ...older], { ...page, next: this.#next });
    else this.#show(page.rows, page);
  }

  async #load(after?: string) {
    const round = this.#round;
    const { path, limit, query } = this.#options;
    const read = () => this.#view.api.call(`GET /${path}`, { ...query(), limit, after });
    const page = (await this.#view.attempt(read)) as LogPage<Row> | undefined;
    return page === undefined || round !== this.#round ? undefined : { ...page, rows: page[path] ?? [] };
  }

  #show(entries: readonly Row[], { next, total = -1 }: Pick<LogPage<Row>, 'next' | 'total'>): void {
    this.entries = entries;
    this.#next = next;
    this.total = total === -1 && next === null ? entries.length : total;
    this.#view.requestUpdate();
  }
}

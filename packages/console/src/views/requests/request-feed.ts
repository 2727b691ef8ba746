import type { RequestPage, RequestSummary } from '@latchkey/sandbox';
import type { ReactiveController } from 'lit';
import type { LiveEvent } from '../../api/live.js';
import type { ConsoleView } from '../../shell/console-view.js';
import { queryOf, type RequestFilters } from './request-filters.js';

/** Entries per call. */
const PAGE = 200;
/** Milliseconds in which new entries are collected for one call. */
const COLLECT_MS = 150;

/** The loaded part of the log: newest entries first, older ones on demand, and new ones as they happen. */
export class RequestFeed implements ReactiveController {
  /** Loaded entries, newest first. */
  entries: readonly RequestSummary[] = [];
  /** Number of all entries that match. */
  total = 0;
  /** True once the first page is loaded. */
  isLoaded = false;
  /** True while new entries are held back. */
  isPaused = false;
  /** Number of requests since the pause. */
  missed = 0;
  readonly #view: ConsoleView;
  readonly #filters: () => RequestFilters;
  #next: string | null = null;
  /** Grows with each reload. Answers to earlier calls are dropped. */
  #round = 0;
  #isLoadingMore = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: ConsoleView, filters: () => RequestFilters) {
    this.#view = view;
    this.#filters = filters;
    view.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  /** Loads the newest entries, in place of all that are loaded. */
  async reload(): Promise<void> {
    this.#round += 1;
    const page = await this.#load();
    if (page === undefined) return;
    this.isLoaded = true;
    this.missed = 0;
    this.#show(page.requests, page);
    this.#next = page.next;
  }

  /** Loads older entries, if there are any. */
  async loadMore(): Promise<void> {
    if (this.#next === null || this.#isLoadingMore) return;
    this.#isLoadingMore = true;
    const page = await this.#load(this.#next);
    this.#isLoadingMore = false;
    if (page === undefined) return;
    this.#next = page.next;
    this.#show([...this.entries, ...page.requests], page);
  }

  /** Holds new entries back, or shows them again. */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (isPaused) this.#view.requestUpdate();
    else void this.#catchUp();
  }

  /** Receives an event of the sandbox. */
  receive({ type }: LiveEvent): void {
    if (type === 'reset' || type === 'connected') return void this.reload();
    if (type !== 'request') return;
    if (this.isPaused) {
      this.missed += 1;
      this.#view.requestUpdate();
      return;
    }
    this.#timer ??= setTimeout(() => void this.#catchUp(), COLLECT_MS);
  }

  /** Loads the entries that are newer than the newest one. */
  async #catchUp(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const page = await this.#load();
    if (page === undefined) return;
    this.missed = 0;
    const known = new Set(this.entries.map(({ id }) => id));
    const fresh = page.requests.filter(({ id }) => !known.has(id));
    // So many are new that some lie between the page and the loaded entries.
    if (fresh.length === page.requests.length && page.next !== null) {
      this.#next = page.next;
      return this.#show(fresh, page);
    }
    this.#show([...fresh, ...this.entries], page);
  }

  async #load(after?: string): Promise<RequestPage | undefined> {
    const round = this.#round;
    const query = { ...queryOf(this.#filters()), limit: PAGE, after };
    const page = await this.#view.attempt(() => this.#view.api.get<RequestPage>('/requests', query));
    return round === this.#round ? page : undefined;
  }

  #show(entries: readonly RequestSummary[], { total }: RequestPage): void {
    this.entries = entries;
    this.total = total;
    this.#view.requestUpdate();
  }
}

import type { EventEntry, EventPage } from '@latchkey/sandbox';
import type { ReactiveController } from 'lit';
import type { LiveEvent } from '../../api/live.js';
import type { ConsoleView } from '../../shell/console-view.js';
import { type EventFilters, queryOf } from './event-filters.js';

/** Events per call. */
const PAGE = 100;
/** Milliseconds in which changes are collected for one call. */
const COLLECT_MS = 200;
/** Events of the stream after which the list can differ. */
const CHANGES: readonly string[] = ['delivery', 'clock', 'request', 'data'];

/** The loaded part of the events: the newest first, older ones on demand, and changes as they happen. */
export class EventFeed implements ReactiveController {
  /** Loaded events, newest first. */
  entries: readonly EventEntry[] = [];
  /** True once the first page is loaded. */
  isLoaded = false;
  readonly #view: ConsoleView;
  readonly #filters: () => EventFilters;
  #next: string | null = null;
  /** Grows with each reload. Answers to earlier calls are dropped. */
  #round = 0;
  #isLoadingMore = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: ConsoleView, filters: () => EventFilters) {
    this.#view = view;
    this.#filters = filters;
    view.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** True if older events can be loaded. */
  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** Loads the newest events, in place of all that are loaded. */
  async reload(): Promise<void> {
    this.#round += 1;
    const page = await this.#load();
    if (page === undefined) return;
    this.isLoaded = true;
    this.#next = page.next;
    this.#show(page.events);
  }

  /** Loads older events, if there are any. */
  async loadMore(): Promise<void> {
    if (this.#next === null || this.#isLoadingMore) return;
    this.#isLoadingMore = true;
    const page = await this.#load(this.#next);
    this.#isLoadingMore = false;
    if (page === undefined) return;
    this.#next = page.next;
    this.#show([...this.entries, ...page.events]);
  }

  receive({ type }: LiveEvent): void {
    if (type === 'reset' || type === 'connected') return void this.reload();
    if (CHANGES.includes(type)) this.#timer ??= setTimeout(() => void this.#catchUp(), COLLECT_MS);
  }

  /** Loads the newest page again, and keeps the older events that are loaded. */
  async #catchUp(): Promise<void> {
    this.#timer = undefined;
    const page = await this.#load();
    if (page === undefined) return;
    const fresh = new Set(page.events.map(({ id }) => id));
    const older = this.entries.filter(({ id }) => !fresh.has(id));
    const isJoined = older.length < this.entries.length && page.next !== null;
    if (!isJoined) this.#next = page.next;
    this.#show(isJoined ? [...page.events, ...older] : page.events);
  }

  async #load(after?: string): Promise<EventPage | undefined> {
    const round = this.#round;
    const query = { ...queryOf(this.#filters()), limit: PAGE, after };
    const page = await this.#view.attempt(() => this.#view.api.get<EventPage>('/events', query));
    return round === this.#round ? page : undefined;
  }

  #show(entries: readonly EventEntry[]): void {
    this.entries = entries;
    this.#view.requestUpdate();
  }
}

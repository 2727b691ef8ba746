import { sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { hashSecret } from '../../platform/secrets.js';

export interface Budget {
  /** What is being counted. Only a hash is stored. */
  readonly counted: readonly string[];
  readonly limit: number;
  readonly periodMs: number;
}

/** How far apart the clocks of two processes may be, and concurrent calls arrive out of order. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** `availableAt` is when all budgets allow an event again, in milliseconds since the epoch. */
export type BudgetUse<B extends Budget> =
  /** `from`, as of `slice`: the first budget in which the event counts no more. */
  | { kind: 'used'; undo: (transaction: Database, from?: number) => Promise<void> }
  | { kind: 'exhausted'; budget: B; availableAt: number };

/** Counts in all budgets, or in none. Pass them in one order: each row is locked, and orders could deadlock. */
export async function useBudgets<B extends Budget>(
  transaction: Database,
  budgets: readonly B[],
  now: number,
): Promise<BudgetUse<B>> {
  const used: UsedRow[] = [];
  for (const budget of budgets) {
    const row = await useOne(transaction, budget, now);
    if (row === undefined) {
      await undo(transaction, used);
      const availableAt = await availableFrom(transaction, budgets, now);
      return { kind: 'exhausted', budget, availableAt };
    }
    used.push(row);
  }
  return { kind: 'used', undo: (later, from) => undo(later, used.slice(from)) };
}

export async function isHalfUsed(db: Database, budgets: readonly Budget[], now: number): Promise<boolean> {
  const rows = await currentRows(db, budgets, now);
  return rows.some(({ budget, used }) => used * 2 >= budget.limit);
}

interface UsedRow {
  key_hash: string;
  ends_at: number;
}

function keyHash({ counted }: Budget): string {
  return hashSecret(JSON.stringify(counted));
}

/** Ignores a period that ends later: it was started by a clock that ran far ahead. */
function latestEnd({ periodMs }: Budget, now: number): number {
  return now + periodMs + CLOCK_DIFFERENCE_MS;
}

async function useOne(transaction: Database, budget: Budget, now: number): Promise<UsedRow | undefined> {
  const isOver = sql`(sign_in_budgets.ends_at <= ${now} or sign_in_budgets.ends_at > ${latestEnd(budget, now)})`;
  const { rows } = await sql<UsedRow>`
    insert into sign_in_budgets (key_hash, used, ends_at)
    values (${keyHash(budget)}, 1, ${now + budget.periodMs})
    on conflict (key_hash) do update set
      used = case when ${isOver} then 1 else sign_in_budgets.used + 1 end,
      ends_at = case when ${isOver} then excluded.ends_at else sign_in_budgets.ends_at end
    where ${isOver} or sign_in_budgets.used < ${budget.limit}
    returning key_hash, ends_at`.execute(transaction);
  return rows[0];
}

async function undo(transaction: Database, used: readonly UsedRow[]): Promise<void> {
  for (const { key_hash, ends_at } of used) {
    await transaction
      .updateTable('sign_in_budgets')
      .set((eb) => ({ used: eb('used', '-', 1) }))
      .where('key_hash', '=', key_hash)
      .where('ends_at', '=', ends_at)
      .where('used', '>', 0)
      .execute();
  }
}

async function availableFrom(db: Database, budgets: readonly Budget[], now: number): Promise<number> {
  const rows = await currentRows(db, budgets, now);
  const exhausted = rows.filter(({ budget, used }) => used >= budget.limit);
  return Math.max(now, ...exhausted.map(({ endsAt }) => endsAt));
}

async function currentRows(db: Database, budgets: readonly Budget[], now: number) {
  const stored = await db
    .selectFrom('sign_in_budgets')
    .selectAll()
    .where('key_hash', 'in', budgets.map(keyHash))
    .where('ends_at', '>', now)
    .execute();
  return budgets.flatMap((budget) => {
    const key = keyHash(budget);
    const row = stored.find(({ key_hash }) => key_hash === key);
    if (row === undefined || row.ends_at > latestEnd(budget, now)) return [];
    return [{ budget, used: row.used, endsAt: row.ends_at }];
  });
}

const DOTLESS_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/**
 * Returns the mailbox that receives an address's mail: without a tag after `+`, and for Gmail without dots. Use it only
 * to count mail: two addresses with the same mailbox remain different identities.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const plus = local.indexOf('+');
  const untagged = plus > 0 ? local.slice(0, plus) : local;
  if (!DOTLESS_DOMAINS.has(domain)) return `${untagged}@${domain}`;
  return `${untagged.replaceAll('.', '')}@gmail.com`;
}

export function mailboxHashOf(email: string): string {
  return hashSecret(mailboxOf(email));
}

/** Fills in the defaults. @throws Error if a limit of the option is unknown, or isn't a positive integer. */
export function checkLimits<L extends Readonly<Record<string, number>>>(
  option: string,
  limits: Partial<L> = {},
  defaults: L,
): L {
  for (const [name, value] of Object.entries(limits)) {
    if (!(name in defaults)) {
      const known = Object.keys(defaults).join(', ');
      throw new Error(`Option "${option}" has no limit "${name}". Its limits are ${known}.`);
    }
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      throw new Error(`Option "${option}.${name}" must be an integer of at least 1; got ${value}.`);
    }
  }
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

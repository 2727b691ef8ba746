import type { MemoryEntry } from '../log/log-entries.ts';
import type { SoakHistory } from './soak-history.ts';
import type { Report } from './violation.ts';

/** Share of the samples of a process that count as its warm-up. */
const WARM_UP = 0.3;
/** Fewer samples after the warm-up show no trend. */
const MIN_SAMPLES = 20;
const MEGABYTE = 2 ** 20;
/** Growth over the measured time that still counts as flat: caches fill, and the allocator keeps freed pages. */
const ALLOWED = {
  heapUsed: { share: 0.15, bytes: 6 * MEGABYTE },
  rss: { share: 0.3, bytes: 32 * MEGABYTE },
} as const;

/** Growth of one process after its warm-up. Sizes are bytes. */
export interface MemoryTrend {
  pid: number;
  samples: number;
  measure: keyof typeof ALLOWED;
  /** Mean size. */
  mean: number;
  /** Growth by the regression line from the first sample to the last. */
  growth: number;
  allowed: number;
}

/** Computes the trends of the processes that lived long enough. */
export function memoryTrends({ memory }: SoakHistory): MemoryTrend[] {
  return [...Map.groupBy(memory, ({ pid }) => pid)].flatMap(([pid, samples]) => {
    const warm = samples.slice(Math.ceil(samples.length * WARM_UP));
    if (warm.length < MIN_SAMPLES) return [];
    return (['heapUsed', 'rss'] as const).map((measure) => trendOf({ pid, samples: warm, measure }));
  });
}

/** Checks that the memory of no process grows. */
export function checkMemory(history: SoakHistory, report: Report): void {
  for (const { pid, measure, mean, growth, allowed } of memoryTrends(history)) {
    if (growth <= allowed) continue;
    const [grown, average, limit] = [growth, mean, allowed].map((bytes) => (bytes / MEGABYTE).toFixed(1));
    report(
      'memory is flat',
      `Process ${pid}: ${measure} grew by ${grown} MB at a mean of ${average} MB; at most ${limit} MB are allowed.`,
    );
  }
}

function trendOf({
  pid,
  samples,
  measure,
}: {
  pid: number;
  samples: readonly MemoryEntry[];
  measure: MemoryTrend['measure'];
}): MemoryTrend {
  const mean = average(samples.map((sample) => sample[measure]));
  const meanAt = average(samples.map(({ at }) => at));
  const covariance = average(samples.map((sample) => (sample.at - meanAt) * (sample[measure] - mean)));
  const variance = average(samples.map(({ at }) => (at - meanAt) ** 2));
  const lasted = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
  const { share, bytes } = ALLOWED[measure];
  const growth = variance === 0 ? 0 : (covariance / variance) * lasted;
  return { pid, samples: samples.length, measure, mean, growth, allowed: mean * share + bytes };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

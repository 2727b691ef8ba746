/** Median and 99th percentile of times. */
export function spread(times) {
  const sorted = times.toSorted((one, other) => one - other);
  return { p50: sorted[Math.floor(sorted.length * 0.5)], p99: sorted[Math.floor(sorted.length * 0.99)] };
}

export function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

export function ms(number) {
  return `${number < 100 ? number.toFixed(1) : number.toFixed(0)} ms`;
}

/** Median of the ratios of the rounds. Other load on the machine affects both phases of a round. */
export function ratioOf(phase, base, figure) {
  return median(phase.map((round, index) => figure(round) / figure(base[index])));
}

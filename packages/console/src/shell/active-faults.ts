import type { Fault } from '@latchkey/sandbox';

/** True if the fault can still change a call or a delivery. */
export function isActive({ times, changed }: Fault): boolean {
  return times === undefined || changed < times;
}

/** Returns what a fault does, and to what. */
export function faultText({ effect, endpoint, client, webhook, event }: Fault): string {
  const amount = 'ms' in effect ? ` ${effect.ms} ms` : 'status' in effect ? ` ${effect.status}` : '';
  const target = endpoint ?? event ?? (webhook === undefined ? 'everything' : 'one webhook');
  return `${effect.kind}${amount}, ${target}${client === undefined ? '' : `, ${client}`}`;
}

/** Returns how often a fault applies. */
export function limitText({ times, rate, seed }: Fault): string {
  const limits = [
    ...(times === undefined ? [] : [`the next ${times}`]),
    ...(rate === undefined ? [] : [`share ${rate}, seed ${seed}`]),
  ];
  return limits.length === 0 ? 'always' : limits.join(', ');
}

import type { FakeService } from './fake-service.js';

/**
 * Makes the service answer token requests slowly, and every tenth refresh not at all: in turn the request is lost before
 * the service has seen it, and the answer after the service has done its work. The list grows with what was lost.
 */
export function losingOneInTen(service: FakeService): ('request' | 'answer')[] {
  const lost: ('request' | 'answer')[] = [];
  let refreshes = 0;
  let losses = 0;
  service.fateOfToken = (form) => {
    const delayMs = 5 + (refreshes % 4) * 10;
    if (form.get('grant_type') !== 'refresh_token') return {};
    refreshes += 1;
    if (refreshes % 10 !== 0) return { delayMs };
    losses += 1;
    const lose = losses % 2 === 0 ? 'answer' : 'request';
    lost.push(lose);
    return { delayMs, lose };
  };
  return lost;
}

import type { FakeService } from '@latchkey/conformance/scripted-service';

/**
 * Makes the service answer token requests slowly and lose every tenth refresh. In turn, the request is lost before the
 * service has processed it, and the response after. The returned list grows with each loss.
 */
export function loseEveryTenthRefresh(service: FakeService): ('request' | 'response')[] {
  const lost: ('request' | 'response')[] = [];
  let refreshes = 0;
  service.on('/oauth/token', ({ form }) => {
    const delayMs = 5 + (refreshes % 4) * 10;
    if (form.get('grant_type') !== 'refresh_token') return undefined;
    refreshes += 1;
    if (refreshes % 10 !== 0) return { kind: 'slow', delayMs };
    const lose = lost.length % 2 === 0 ? 'request' : 'response';
    lost.push(lose);
    return lose === 'response' ? { kind: 'response-lost', delayMs } : { kind: 'reset' };
  });
  return lost;
}

import { expect } from 'chai';
import { clientId } from './support/client-id.js';
import { SERVICE } from './support/popup-session.js';
import { until } from './support/until.js';

const NAME = `latchkey:${clientId('good')}@${SERVICE}`;
let frame: HTMLIFrameElement;

/** A page whose Content-Security-Policy allows requests to its own origin only. */
beforeEach(async () => {
  frame = document.createElement('iframe');
  frame.title = 'policy';
  frame.src = new URL('./support/policy-page.html', import.meta.url).href;
  document.body.append(frame);
  await until('loaded', () => frame.contentWindow?.createSession);
});

afterEach(() => {
  frame.remove();
  localStorage.clear();
});

/** A session whose first act is a request to the service. */
async function failureAt(serviceUrl: string) {
  const tokens = { accessToken: 'a', refreshToken: 'r', expiresAt: 1, renewAt: 1, scopes: [] };
  localStorage.setItem(NAME.replace(SERVICE, serviceUrl), JSON.stringify(tokens));
  const session = frame.contentWindow?.createSession({
    clientId: clientId('good'),
    serviceUrl,
    storage: 'local',
  });
  await until('failed', () => session?.snapshot.status === 'failed');
  session?.dispose();
  return session?.snapshot.failure;
}

it('a request that the page’s policy forbids is misconfigured, and names connect-src and the origin', async () => {
  const failure = await failureAt(SERVICE);
  expect(failure?.code).to.equal('misconfigured');
  expect(failure?.message).to.equal(`Content-Security-Policy: add ${SERVICE} to connect-src.`);
});

it('a request that the policy allows and that fails is a failure of the network', async () => {
  const { fetch } = frame.contentWindow as Window & typeof globalThis;
  Object.assign(frame.contentWindow as Window, { fetch: () => Promise.reject(new TypeError('Failed')) });
  const failure = await failureAt(SERVICE);
  Object.assign(frame.contentWindow as Window, { fetch });
  expect(failure?.code).to.equal('network');
});

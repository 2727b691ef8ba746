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

function imageAt(page: Window & typeof globalThis, src: string): HTMLImageElement {
  return Object.assign(new page.Image(), { src });
}

for (const [what, serviceUrl, violate] of [
  [
    'an image of the service',
    SERVICE,
    (page: Window & typeof globalThis) => page.document.body.append(imageAt(page, `${SERVICE}/image.png`)),
  ],
  [
    'a request to an origin that begins like the service’s',
    SERVICE.slice(0, -1),
    (page: Window & typeof globalThis) => void page.fetch(`${SERVICE}/other`).catch(() => {}),
  ],
] as const) {
  it(`a lost connection is a failure of the network after the policy forbade ${what}`, async () => {
    const page = frame.contentWindow as Window & typeof globalThis;
    const { fetch } = page;
    const seen = new Promise((resolve) => page.document.addEventListener('securitypolicyviolation', resolve));
    const lose = async () => {
      page.fetch = fetch;
      violate(page);
      await seen;
      throw new TypeError('Failed to fetch');
    };
    page.fetch = lose;
    expect((await failureAt(serviceUrl))?.code).to.equal('network');
  });
}

for (const [what, markup] of [
  ['an event handler', '<img src="data:," onerror="ran = true">'],
  ['a javascript: link', '<a id="link" href="javascript:void (ran = true)">Brew</a>'],
  ['a script of a frame with srcdoc', '<iframe srcdoc="<script>parent.ran = true</script>"></iframe>'],
] as const) {
  it(`script-src without 'unsafe-inline' stops ${what} in the content of a gate`, async () => {
    const page = frame.contentWindow as Window & { ran?: boolean };
    let stopped = '';
    const listen = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
      stopped = `${effectiveDirective} ${blockedURI}`;
    };
    page.document.addEventListener('securitypolicyviolation', listen);
    page.showMarkup(`<p id="part">The roast curve.</p>${markup}`);
    await until('open', () => page.document.querySelector('#part'));
    const inner = page.document.querySelector('iframe');
    if (inner) {
      await until(
        'loaded',
        () =>
          inner.contentDocument?.URL === 'about:srcdoc' && inner.contentDocument.readyState === 'complete',
      );
    } else {
      page.document.querySelector<HTMLElement>('#link')?.click();
      await until('stopped', () => stopped);
      expect(stopped)
        .to.match(/^script-src/)
        .and.to.match(/inline$/);
    }
    expect(page.ran).to.equal(undefined);
  });
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallerProfileInput } from '../../src/caller.js';
import type { Fault } from './faults.js';
import { SmallClient } from './small-client.js';
import { SmallReceiver } from './small-receiver.js';
import type { Reply, SmallAppOptions } from './small-reply.js';
import { SmallSignIn } from './small-sign-in.js';

/** A small backend without any package of this repository. It keeps all rules, except for those of its faults. */
export class SmallApp {
  readonly #faults: ReadonlySet<Fault>;
  readonly #client: SmallClient;
  readonly #signIn: SmallSignIn;
  readonly #receiver: SmallReceiver;
  readonly #orders = new Map<string, string>();
  readonly #links = new Map<string, { link: string; expiresAt: number }>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #url = '';

  constructor(options: SmallAppOptions) {
    const { env, faults } = options;
    this.#faults = faults;
    this.#client = new SmallClient(env, faults);
    this.#signIn = new SmallSignIn(options);
    this.#receiver = new SmallReceiver(env.LATCHKEY_WEBHOOK_SECRET ?? '', faults);
  }

  async start(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    this.#signIn.url = this.#url;
    return this.#url;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = new URL(request.url ?? '/', this.#url);
    const [status, text, location] = await this.#route(request, url, {
      raw: Buffer.concat(chunks),
      response,
    }).catch((error: unknown): Reply => {
      const failure = this.#client.pageOf(error);
      return [failure.status, failure.text];
    });
    response.writeHead(status, { 'content-type': 'text/plain', ...(location !== undefined && { location }) });
    response.end(text);
  }

  async #route(
    request: IncomingMessage,
    url: URL,
    { raw, response }: { raw: Buffer; response: ServerResponse },
  ): Promise<Reply> {
    const query = url.searchParams;
    const session = this.#signIn.sessionOf(request);
    switch (url.pathname) {
      case '/provision':
        return await this.#provision(query);
      case '/orders':
        return [
          200,
          this.#has('forgets-membership-id') ? '' : (this.#orders.get(query.get('id') ?? '') ?? ''),
        ];
      case '/check':
        return [200, String(await this.#client.isActive(query.get('messenger') ?? ''))];
      case '/checkout': {
        const checkoutUrl = await this.#client.buyPlan(query.get('email') ?? '', {
          externalId: `${query.get('buyer')}`,
          successUrl: `${this.#url}/thanks`,
        });
        return [303, '', checkoutUrl];
      }
      case '/thanks':
        if (session !== undefined && this.#has('trusts-success-url')) this.#signIn.paid.add(session.sub);
        return [200, 'Thank you. We are waiting for the payment.'];
      case '/invite':
        return await this.#invite(query.get('buyer') ?? '');
      case '/drop':
        return [
          200,
          (await this.#client.dropSignup(query.get('email') ?? '')) ? 'signed up' : 'has an account',
        ];
      case '/failures':
        return [200, this.#client.reports.join('\n')];
      case '/login':
        return this.#signIn.login(response);
      case '/callback':
        return await this.#signIn.callback(request, query, response);
      case '/members':
        return session === undefined ? [401, 'Sign in.'] : await this.#signIn.members(session);
      case '/refresh':
        return session === undefined
          ? [401, 'Sign in.']
          : ((await this.#signIn.refresh(session)) ?? [200, 'Renewed.']);
      case '/account':
        return session === undefined ? [401, ''] : [200, this.#signIn.accountOf(session)];
      case '/logout':
        return session === undefined ? [401, ''] : await this.#signIn.logout(session, request);
      case '/webhooks':
        return await this.#receiver.receive(request, raw);
      case '/handled':
        return [200, this.#receiver.handled.join('\n')];
      case '/':
        return [200, 'A small shop'];
      default:
        return [404, 'Not found'];
    }
  }

  #has(fault: Fault): boolean {
    return this.#faults.has(fault);
  }

  async #provision(query: URLSearchParams): Promise<Reply> {
    const id = query.get('id') ?? '';
    const membershipId = await this.#client.provision({
      orderId: id,
      email: query.get('email') ?? '',
      messengerUserId: Number(query.get('messenger')),
    });
    this.#orders.set(id, membershipId);
    return [200, 'granted'];
  }

  async #invite(buyer: string): Promise<Reply> {
    const kept = this.#links.get(buyer);
    if (kept !== undefined && (this.#has('caches-expired-link') || kept.expiresAt > Date.now())) {
      return [200, kept.link];
    }
    const invite = await this.#client.inviteLink(buyer);
    this.#links.set(buyer, invite);
    return [200, invite.link];
  }
}

/** Profile of the small app. */
export function smallProfile(app: string): CallerProfileInput {
  return {
    name: 'small app',
    app,
    webhook: '/webhooks',
    actions: {
      provision: { request: 'POST /provision?id={orderId}&email={email}&messenger={messengerUserId}' },
      storedMembership: { request: 'GET /orders?id={orderId}' },
      checkMessenger: { request: 'GET /check?messenger={messengerUserId}' },
      checkout: { request: 'POST /checkout?email={email}&buyer={externalId}' },
      inviteLink: { request: 'GET /invite?buyer={externalId}' },
      dropSignup: { request: 'POST /drop?email={email}' },
      signIn: { request: 'GET /login' },
      protectedPage: { request: 'GET /members' },
      account: { request: 'GET /account' },
      refresh: { request: 'POST /refresh' },
      signOut: { request: 'POST /logout' },
      handledEvents: { request: 'GET /handled' },
      failureReport: { request: 'GET /failures', audience: 'developers' },
    },
    timing: { retryWithinSeconds: 0.5, quietSeconds: 0 },
  };
}

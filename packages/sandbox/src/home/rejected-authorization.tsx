import { PATHS } from '@latchkey/contract/constants';
import {
  checkAuthorization,
  formOf,
  readForm,
  redirect,
  requestQuery,
  sameOriginGuard,
  wantsPage,
} from '@latchkey/server/extension';
import { AlertIcon, Button, CodeBlock, type Page, renderDocument, sendPage } from '@latchkey/server/ui';
import { type RequestHandler, Router } from 'express';
import type { ControlAccess } from '../control/control-routes.js';
import { dataHref } from '../navigation/data-href.js';
import { onPost } from '../services/routes.js';
import type { Needs } from '../services/services.js';

const REGISTER_PATH = '/sandbox/redirect-uris';

interface Rejection {
  /** What the service tells programs: `redirect_uri is not registered for this client; it must match exactly.` */
  readonly description: string;
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  /** Redirect URIs of the client. `undefined` if there is no such client. */
  readonly registered: readonly string[] | undefined;
  /** The query of the request, if the visitor may register its redirect URI. */
  readonly query: string | undefined;
}

/** Shows browsers a page where the service responds to a wrong authorization request with JSON. Programs get the JSON. */
export function explainRejectedAuthorization(
  services: Needs<'baseUrl' | 'db'>,
  { tokenFor }: Pick<ControlAccess, 'tokenFor'>,
): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'GET' || !wantsPage(request)) return next();
    const rejection = await rejectionOf(services, requestQuery(request), tokenFor(request));
    if (rejection === undefined) return next();
    sendPage(response, rejectedAuthorizationPage(rejection), { status: 400 });
  };
}

/**
 * The route that registers the redirect URI of a rejected request for its client, then repeats the request. Since it
 * changes a client like a call with the token, it works only where pages contain the token.
 */
export function registerRedirectRoutes(
  services: Needs<'baseUrl' | 'db' | 'operator'>,
  { tokenFor }: Pick<ControlAccess, 'tokenFor'>,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  onPost(router, REGISTER_PATH, sameOriginGuard(services), readForm, async (request, response) => {
    const query = new URLSearchParams(formOf(request).get('request') ?? '');
    const path = `${PATHS.authorize}?${query}`;
    const rejection = await rejectionOf(services, query, tokenFor(request));
    const { clientId, redirectUri, registered } = rejection ?? {};
    if (
      rejection?.query === undefined ||
      clientId === undefined ||
      redirectUri === undefined ||
      registered === undefined
    )
      return redirect(response, 303, path);
    try {
      await services.operator.change('clients', clientId, { redirectUris: [...registered, redirectUri] });
    } catch (error) {
      const page = rejectedAuthorizationPage({ ...rejection, error: (error as Error).message });
      return sendPage(response, page, { status: 400 });
    }
    redirect(response, 303, path);
  });
  return router;
}

/** Returns what is wrong with an authorization request if the service responds with 400. */
async function rejectionOf(
  services: Needs<'baseUrl' | 'db'>,
  query: URLSearchParams,
  token: string | undefined,
): Promise<Rejection | undefined> {
  const checked = await checkAuthorization(services, query);
  if (checked.kind !== 'rejected' || checked.rejection.kind !== 'bad-request') return undefined;
  const { clientId, redirectUri } = checked.parameters;
  const { description, setting } = checked.rejection;
  const canRegister = setting === 'redirect URIs' && token !== undefined;
  const registered = checked.client?.redirectUris;
  return { description, clientId, redirectUri, registered, query: canRegister ? String(query) : undefined };
}

/** @param rejection with the reason why the URI wasn't registered, in `error`. */
export function rejectedAuthorizationPage(props: Rejection & { readonly error?: string }): Page {
  const { registered } = props;
  return renderDocument({
    title: 'The sign-in request is wrong',
    loadsPageScript: true,
    layout: 'card',
    children: (
      <main class="card">
        <div class="heading">
          <span class="state-icon">
            <AlertIcon />
          </span>
          <h1>The sign-in request is wrong</h1>
          <p class="lead">{props.description}</p>
        </div>
        {props.error !== undefined && (
          <p class="detail" role="alert">
            {props.error}
          </p>
        )}
        {props.redirectUri !== undefined && (
          <CodeBlock label="Received redirect address" text={props.redirectUri} wraps />
        )}
        {registered !== undefined && registered.length > 0 && (
          <CodeBlock label="Registered for this client" text={registered.join('\n')} wraps />
        )}
        {registered === undefined && props.clientId !== undefined && (
          <CodeBlock label="Received client id" text={props.clientId} wraps />
        )}
        {props.query !== undefined && (
          <form class="stack" method="post" action={REGISTER_PATH}>
            <input type="hidden" name="request" value={props.query} />
            <Button kind="primary">Register this address and continue</Button>
          </form>
        )}
        <p class="fine">
          Only the sandbox shows this page. The live service answers with JSON, as programs receive it here.{' '}
          <a href={dataHref('clients')}>Clients of the sandbox</a>
        </p>
      </main>
    ),
  });
}

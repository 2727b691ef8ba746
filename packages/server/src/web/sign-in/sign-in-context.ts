import { checkAuthorization } from '../../domain/oauth/check-authorization.js';
import type { Database } from '../../platform/database/open-database.js';
import type { ClientSummary } from '../ui/client-summary.js';
import { formTargetOf } from '../ui/send-page.js';
import { authorizationQueryOf } from './continue-path.js';

interface SignInContextNeeds {
  readonly db: Database;
}

/** What a sign-in page tells of where it leads. */
export interface SignInContext {
  continueTo: string;
  /** The client whose authorization request asked for the sign-in. */
  client?: ClientSummary;
  /** Where the form may end up after its redirects, when the person has allowed the client before. */
  formTargets: readonly string[];
}

/** Looks up who asked for a sign-in. `continueTo` is a path that `readContinuePath` gave. */
export async function signInContext({ db }: SignInContextNeeds, continueTo: string): Promise<SignInContext> {
  const query = authorizationQueryOf(continueTo);
  const checked = query && (await checkAuthorization(db, query));
  if (checked?.kind !== 'valid') return { continueTo, formTargets: [] };
  const { client, redirectUri } = checked.request;
  return { continueTo, client, formTargets: [formTargetOf(redirectUri)] };
}

import type { Request } from 'express';
import type { Services } from '../../app/services.js';
import type { SignInVisitor } from '../../domain/sign-in/sign-in-budgets.js';
import { clientNetwork, clientSite } from '../../platform/http/client-network.js';
import { knownBrowserOf } from './known-browser.js';

/** Finds the visitor whose budgets count for a request about an email address. */
export type FindVisitor = (request: Request, email: string) => Promise<SignInVisitor>;

/** Creates {@link FindVisitor}. It logs one warning if a proxy is in front of the server and `trustProxy` is not set. */
export function createFindVisitor(needs: Services): FindVisitor {
  const { logger, trustProxy } = needs;
  let hasWarned = false;
  return async (request, email) => {
    if (!hasWarned && trustProxy === false && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      logger.warn(
        { option: 'trustProxy' },
        'X-Forwarded-For is ignored, so all visitors behind a proxy share one limit of sign-in codes. Set trustProxy if there is a proxy.',
      );
    }
    return {
      client: clientNetwork(request.ip),
      site: clientSite(request.ip),
      knownBrowser: await knownBrowserOf(needs, request, email),
    };
  };
}

import type { Response } from 'express';
import type { Database } from '../../platform/database/open-database.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Site } from '../ui/frame/site.js';
import type { SignInChoices } from './sign-in-choices.js';
import { signInContext } from './sign-in-context.js';
import { signInPage } from './sign-in-page.js';

interface SignInPageNeeds {
  readonly baseUrl: string;
  readonly db: Database;
  readonly signInChoices: SignInChoices;
  readonly site: Site;
}

/** Values of the sign-in page. */
export interface SignInPageFacts {
  continueTo: string;
  email?: string | undefined;
  error?: string | undefined;
}

/** Sends the sign-in page, with the status 400 if there is an error. */
export async function sendSignInPage(
  needs: SignInPageNeeds,
  response: Response,
  { continueTo, email, error }: SignInPageFacts,
): Promise<void> {
  const { people, inbox } = needs.signInChoices;
  const { client, app, formTargets } = await signInContext(needs, continueTo);
  const html = signInPage({
    client,
    service: needs.site.brand,
    receiver: app?.receiver,
    isVerified: app?.isVerified,
    continueTo,
    email,
    error,
    people: people && { ...people, list: await people.list(needs.db) },
    inbox: inbox && { name: inbox.name, href: inbox.href() },
  });
  sendPage(response, html, { status: error === undefined ? 200 : 400, formTargets });
}

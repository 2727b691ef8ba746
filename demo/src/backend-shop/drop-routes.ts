import { isLatchkeyApiError, type LatchkeyClient } from '@latchkey/client';
import express, { type Request, type Response, Router } from 'express';
import type { Drop } from '../drops/next-drop.js';
import { type DropView, dropPage, type SignupNotice } from './drop-page.js';
import { requireOwnPage } from './require-own-page.js';
import type { PageFrame } from './shop-layout.js';

interface DropNeeds {
  readonly client: LatchkeyClient;
  readonly communityId: string;
  readonly shopUrl: string;
  readonly clock: { now(): number };
  readDrop(): Promise<Drop | undefined>;
  frame(request: Request, title: string): PageFrame;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const NOTICES: readonly string[] = ['thanks', 'full', 'closed', 'later'] satisfies SignupNotice[];

/** Serves the page of the next drop, and its signup by API key. */
export function dropRoutes(needs: DropNeeds): Router {
  const { clock, readDrop, frame, shopUrl } = needs;
  const send = async (request: Request, response: Response, part: Pick<DropView, 'notice' | 'email'>) => {
    const view = { ...part, drop: await readDrop(), now: clock.now() };
    response.set('Cache-Control', 'no-store').send(dropPage(frame(request, 'The drop'), view));
  };
  const router = Router();
  router.get('/drop', async (request, response) => {
    const asked = String(request.query.signup);
    const notice = NOTICES.includes(asked) ? (asked as SignupNotice) : undefined;
    await send(request, response, { notice, email: request.latchkey?.user?.email ?? '' });
  });
  const form = express.urlencoded({ extended: false, limit: '4kb' });
  router.post('/drop', requireOwnPage(shopUrl), form, async (request, response) => {
    const email = String(request.body?.email ?? '').trim();
    if (!EMAIL.test(email) || email.length > 254) {
      response.status(422);
      await send(request, response, { notice: 'invalid', email: email.slice(0, 254) });
      return;
    }
    response.redirect(303, `/drop?signup=${await signUp(needs, email)}#signup`);
  });
  return router;
}

/**
 * Signs an address up. New and known addresses get the same answer. Otherwise the page would reveal which addresses have an
 * account.
 */
async function signUp({ client, communityId }: DropNeeds, email: string): Promise<SignupNotice> {
  try {
    await client.dropSignup({ communityId, email }, { maxRetries: 1, signal: AbortSignal.timeout(5_000) });
    return 'thanks';
  } catch (error) {
    if (!isLatchkeyApiError(error)) throw error;
    if (error.status === 404) return 'closed';
    if (error.status === 400) return 'later';
    if (error.status === 409) return error.errorCode === 'already_exists' ? 'thanks' : 'full';
    return 'later';
  }
}

import { SEED } from '../world/seed.ts';
import type { Caller } from './caller.ts';
import type { Member } from './member.ts';
import { hiddenField, locationOf, type PageSession, signIn } from './page-session.ts';

/** The community's owner in the seller area. */
export interface Seller {
  /** Ends a member's access now. The member's other writes wait for it. */
  endNow(caller: Caller, member: Member): Promise<void>;
}

export function createSeller(): Seller {
  let session: Promise<{ browser: PageSession; account: string } | undefined> | undefined;
  return {
    async endNow(caller, member) {
      const { membershipId } = member;
      if (membershipId === undefined) return;
      session ??= open(caller);
      const opened = await session;
      if (opened === undefined) {
        session = undefined;
        return;
      }
      const path = `/seller/communities/${SEED.community.id}/members/${membershipId}`;
      const sent = Date.now();
      const reply = await opened.browser.post(`${path}/end-now`, { account: opened.account });
      const isDone = reply.status === 303 && locationOf(reply).includes('done=');
      // A redirect to the sign-in page changes nothing.
      if (reply.status === 303 && !isDone) session = undefined;
      caller.world.log.append({
        kind: 'call',
        op: 'end-now',
        subject: member.name,
        sent,
        done: Date.now(),
        input: { membershipId, isForLife: member.isForLife },
        status: isDone ? 303 : reply.status === 303 ? 401 : reply.status,
      });
      member.isForLife = false;
    },
  };
}

async function open(caller: Caller) {
  const browser = await signIn(caller, SEED.owner.email);
  if (browser === undefined) return undefined;
  const page = await browser.get('/seller/communities/new');
  const account = hiddenField(page, 'account');
  return account === undefined ? undefined : { browser, account };
}

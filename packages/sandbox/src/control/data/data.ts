import type { GrantMembership, Operator } from '@latchkey/server';
import { type Database, listCommunitiesWithBot, listJoinRequests } from '@latchkey/server/extension';
import type { ReceivedMail, SandboxMailbox } from '../../mailbox/sandbox-mailbox.js';
import { unknown } from '../access/control-failure.js';
import { type DataRecord, listRecords, type RecordKind, type RowRange } from './records.js';

/** Records, mail and messenger of the sandbox. */
export interface SandboxData {
  /** Lists records of one kind without their secrets, oldest first. */
  list(kind: RecordKind, range?: Partial<RowRange>): Promise<readonly DataRecord[]>;
  /** Grants a membership. An existing membership of the same community or product gets the new period. */
  grantMembership(membership: GrantMembership): Promise<{ id: string }>;
  /** Ends a membership now. */
  endMembership(id: string): Promise<void>;
  /** Lists the mail, newest first: all of it, or that to one address. */
  mail(to?: string): readonly ReceivedMail[];
  /** @throws ControlFailure `not_found` if there is no such message. */
  findMail(id: string): ReceivedMail;
  /** Lists the communities with a messenger bot, and the newest requests to join their chats. */
  messenger(): Promise<{ communities: readonly object[] }>;
}

interface DataNeeds {
  readonly mailbox: SandboxMailbox;
  db(): Database;
  operator(): Operator;
}

/** Number of communities, and of join requests of each, that are listed. */
const LISTED = 100;

/** Creates the access to the data. All writes are operator calls of the server. */
export function createData({ mailbox, db, operator }: DataNeeds): SandboxData {
  return {
    list: (kind, { limit = 100, offset = 0 } = {}) => listRecords(db(), kind, { limit, offset }),
    grantMembership: (membership) => operator().grantMembership(membership),
    endMembership: (id) => operator().endMembership(id),
    mail: (to) => mailbox.list(to),
    findMail(id) {
      const mail = mailbox.find(id);
      if (mail === undefined) throw unknown('message', id);
      return mail;
    },
    async messenger() {
      const communities = await listCommunitiesWithBot(db(), LISTED);
      return {
        communities: await Promise.all(
          communities.map(async (community) => ({
            ...community,
            joinRequests: await listJoinRequests(db(), community.id, LISTED),
          })),
        ),
      };
    },
  };
}

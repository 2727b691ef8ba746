import { evalScript, type IoRedisScripts, type NodeRedisScripts } from '../../platform/redis.js';
import { type DirectoryOptions, membershipDirectory } from './create-directory.js';
import type { DirectoryStatement } from './directory-store.js';
import type { DirectoryEntry, MembershipDirectory } from './membership-directory.js';

export interface RedisDirectoryOptions extends DirectoryOptions {
  /**
   * Key of the hash. Apps that share a Redis need different keys.
   * @default 'latchkey:memberships'
   */
  key?: string | undefined;
}

/** Returns the values of the fields in ARGV. HMGET has a limit for the number of arguments in a script. */
const FIND = `local found = {}
for first = 1, #ARGV, 1000 do
  local values = redis.call('HMGET', KEYS[1], unpack(ARGV, first, math.min(first + 999, #ARGV)))
  for index, value in ipairs(values) do found[first + index - 1] = value end
end
return found`;

/** ARGV: field, source, plan and time of each statement. Returns field and value of each conflict. */
const RECORD = `local conflicts = {}
local stored = {}
for i = 1, #ARGV, 4 do
  local value = redis.call('HGET', KEYS[1], ARGV[i])
  if value then
    local source, plan, at = string.match(value, '^(%S+) (%S*) (%S*)$')
    stored[i] = at
    if source ~= ARGV[i + 1] then
      conflicts[#conflicts + 1] = ARGV[i]
      conflicts[#conflicts + 1] = value
    end
  end
end
if #conflicts > 0 then return conflicts end
for i = 1, #ARGV, 4 do
  local at = stored[i]
  local newer = ARGV[i + 3] ~= '' and (at == '' or at and tonumber(ARGV[i + 3]) > tonumber(at))
  if not at or newer then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1] .. ' ' .. ARGV[i + 2] .. ' ' .. ARGV[i + 3])
  end
end
return conflicts`;

const REMOVE = `for _, field in ipairs(ARGV) do redis.call('HDEL', KEYS[1], field) end return false`;

/**
 * Creates a directory in Redis or Valkey, in one hash. Set `maxmemory-policy` to `noeviction` and enable the append-only
 * file: members without an entry are locked out.
 */
export function redisDirectory(
  client: NodeRedisScripts | IoRedisScripts,
  { key = 'latchkey:memberships', ...options }: RedisDirectoryOptions = {},
): MembershipDirectory {
  const run = (script: string, values: string[]) => evalScript(client, script, { key, values });
  return membershipDirectory(
    {
      async find(membershipIds) {
        const values = listOf(await run(FIND, [...membershipIds]));
        return membershipIds.flatMap((id, index) => {
          const value = values[index];
          return value === null || value === undefined ? [] : [entryOf(id, String(value))];
        });
      },
      async record(statements) {
        const conflicts = listOf(await run(RECORD, statements.flatMap(fieldsOf)));
        if (conflicts.length === 0) return { kind: 'recorded' };
        const stored = conflicts.flatMap((id, index) =>
          index % 2 === 0 ? [entryOf(String(id), String(conflicts[index + 1]))] : [],
        );
        return { kind: 'conflict', stored };
      },
      async remove(membershipIds) {
        await run(REMOVE, [...membershipIds]);
      },
      async close() {},
    },
    options,
  );
}

const COMMUNITY = 'community:';
const PRODUCT = 'product:';

/** The field of a statement, and the parts of its value. Ids contain no white space. */
function fieldsOf({ membershipId, communityId, productId, plan }: DirectoryStatement): string[] {
  const source = communityId === null ? `${PRODUCT}${productId}` : `${COMMUNITY}${communityId}`;
  return [membershipId, source, plan?.id ?? '', plan === undefined ? '' : String(plan.observedAt)];
}

function entryOf(membershipId: string, value: string): DirectoryEntry {
  const [source = '', plan = ''] = value.split(' ');
  const idAfter = (prefix: string) => (source.startsWith(prefix) ? source.slice(prefix.length) : null);
  return {
    membershipId,
    communityId: idAfter(COMMUNITY),
    productId: idAfter(PRODUCT),
    pricingPlanId: plan === '' ? null : plan,
  };
}

const listOf = (reply: unknown): readonly unknown[] => (Array.isArray(reply) ? reply : []);

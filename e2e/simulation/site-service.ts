import type { ServiceResponse, SimulatedService } from './token-service.ts';

/** Service of a simulated site, with one membership per user. */
export interface SiteService extends SimulatedService {
  /** Number of codes that were issued. */
  readonly grants: number;
  isMember(sub: string): boolean;
  setMember(sub: string, isMember: boolean): void;
}

/** Adds memberships to the token rules. A real server lists its own. */
export function createSiteService(service: SimulatedService): SiteService {
  const former = new Set<string>();
  let grants = 0;
  const isMember = (sub: string) => !former.has(sub);
  return {
    namesGrants: service.namesGrants,
    get grants() {
      return grants;
    },
    issueCode(authorization) {
      grants += 1;
      return service.issueCode(authorization);
    },
    revokeAll: service.revokeAll,
    isMember,
    setMember(sub, member) {
      if (member) former.delete(sub);
      else former.add(sub);
    },
    async handle(request): Promise<ServiceResponse> {
      if (!service.namesGrants || request.path !== '/oauth/memberships') return service.handle(request);
      const { status, body } = await service.handle({ ...request, path: '/oauth/userinfo' });
      if (status !== 200) return { status, body };
      const { sub } = body as { sub: string };
      return { status, body: { memberships: isMember(sub) ? [membershipOf(sub)] : [] } };
    },
  };
}

/** Id of a user's membership. */
export function membershipIdOf(sub: string): string {
  return `11111111${sub.slice(8)}`;
}

function membershipOf(sub: string) {
  const validFrom = '2026-01-01T00:00:00.000Z';
  return { id: membershipIdOf(sub), productType: 'community', isActive: true, validFrom, validUntil: null };
}

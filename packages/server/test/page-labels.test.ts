import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from 'vitest';
import { type RecordKind, recordKind } from '../src/features/operator/record-kinds.js';
import { signedIn } from './authorization-flow.js';
import { parsePage } from './pages/page-document.js';
import { it } from './service-under-test.js';

const { users, community } = sandboxScenario;
const COMMUNITY = `/seller/communities/${community.id}`;

/** Forms of the pages, each with the fields of the resource that it doesn't have. */
const FORMS: readonly [path: string, kind: RecordKind, without: readonly string[]][] = [
  [`${COMMUNITY}/plans/new`, 'plans', ['communityId']],
  [`${COMMUNITY}/drops/new`, 'drops', ['communityId']],
  ['/seller/products/new', 'products', ['ownerId']],
  ['/seller/communities/new', 'communities', ['ownerId', 'logoUrl', 'accent']],
  [`${COMMUNITY}/brand`, 'communities', ['name', 'ownerId']],
  [`${COMMUNITY}/roles/new`, 'invitations', ['communityId', 'validFrom', 'validUntil']],
  [`${COMMUNITY}/members/new`, 'invitations', ['communityId', 'role']],
  ['/account/profile', 'users', ['email', 'messengerUserId']],
  ['/developer/clients/new', 'clients', ['clientId', 'ownerId']],
  ['/developer/api-keys/new', 'keys', ['ownerId']],
  // A select has both kinds of subjects.
  ['/developer/webhooks/new', 'webhooks', ['ownerId', 'communityId', 'productId']],
];

it.for(FORMS)(
  'the form on %s has the fields of %s with their labels and lengths',
  async (form, { service }) => {
    const [path, kind, without] = form;
    const browser = await signedIn(service, users.dana.email);
    const $ = parsePage(await (await browser.get(path)).text());
    const labelOf = (name: string) => {
      const control = $(`main [name="${name}"], main [name="${name}-date"]`).first();
      const group = control.closest('fieldset').find('legend').first().text();
      return (group || $(`label[for="${control.attr('id')}"]`).text()).replace('(optional)', '').trim();
    };
    const fields = recordKind(kind).fields.filter(({ name, isLater }) => name !== 'id' && !isLater);
    const shown = fields.filter(({ name }) => !without.includes(name));
    const nameOf: Readonly<Record<string, string>> = { priceMinor: 'price', accent: 'accentChoice' };
    for (const { name, label, isInstant, maxLength } of shown) {
      const field = nameOf[name] ?? name;
      expect([name, labelOf(field)]).toEqual([name, isInstant ? label.replace(' (UTC)', '') : label]);
      const limit = $(`main [name="${field}"]`).attr('maxlength');
      if (limit !== undefined) expect([name, limit]).toEqual([name, String(maxLength)]);
    }
    for (const name of without) expect($(`main [name="${name}"]`).length, name).toBe(0);
  },
);

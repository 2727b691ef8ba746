// The surfaces of a new field of plans. `new-field.all.test.ts` copies this file into the sandbox's tests, after it applied the patch.
import { formFieldsOf } from '@latchkey/server/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_COMMANDS, settingsOf } from '../../cli/src/admin/admin-command.js';
import { flagsOf } from '../../cli/src/command-line/flag.js';
import { sandboxScenario } from '../src/index.js';
import { createSandboxUnderTest, type SandboxUnderTest, signedIn } from './sandbox-under-test.js';

const TAGLINE = 'Freshly roasted';
const TOO_LONG = 'x'.repeat(61);
const plan = { communityId: sandboxScenario.community.id, name: 'New', priceMinor: 900, tagline: TAGLINE };
const pages = `/seller/communities/${plan.communityId}/plans`;

describe('the tagline of a plan', () => {
  let service: SandboxUnderTest;
  let id: string;
  beforeAll(async () => {
    service = await createSandboxUnderTest();
    ({ id } = await service.server.operator.create('plans', plan));
  });
  afterAll(() => service.server.close());

  it('is in the control API, which checks it', async () => {
    const { operator } = service.server;
    expect((await operator.find('plans', id)).record).toMatchObject({ tagline: TAGLINE });
    await operator.change('plans', id, { tagline: null });
    expect((await operator.find('plans', id)).record).toMatchObject({ tagline: null });
    await operator.change('plans', id, { tagline: TAGLINE });
    const fields = { tagline: expect.stringContaining('at most 60 characters') };
    await expect(operator.change('plans', id, { tagline: TOO_LONG })).rejects.toMatchObject({ fields });
    const { paths } = await (await service.request('/sandbox/api/openapi.json', authorized(service))).json();
    const { schema } = paths['/sandbox/api/data/plans'].post.requestBody.content['application/json'];
    expect(schema.properties.tagline).toMatchObject({ description: expect.stringContaining('Tagline') });
  });

  it('is in the forms of the seller, which check it', async () => {
    const seller = await signedIn(service, sandboxScenario.users.dana.email);
    const form = await (await seller.get(`${pages}/new`)).text();
    expect(form).toMatch(/<label[^>]*>Tagline \(optional\)/);
    expect(form).toMatch(/name="tagline"[^>]*maxlength="60"|maxlength="60"[^>]*name="tagline"/i);
    expect(await (await seller.get(`${pages}/${id}`)).text()).toContain(TAGLINE);
  });

  it('is on the page of the community', async () => {
    const page = await service.request(`/communities/${plan.communityId}`);
    expect(await page.text()).toContain(TAGLINE);
  });

  it('is a flag of the command line', () => {
    for (const verb of ['create', 'change']) {
      const command = ADMIN_COMMANDS.find((one) => one.verb === verb && one.name === 'plan');
      const flags = command === undefined ? [] : flagsOf(settingsOf(command));
      const flag = flags.find(({ name }) => name === '--tagline');
      expect(flag?.meta.description, verb).toContain('Tagline');
    }
  });

  it('is in the forms of the console', () => {
    expect(formFieldsOf('plans')).toContainEqual(
      expect.objectContaining({ name: 'tagline', label: 'Tagline', type: 'text', isNullable: true }),
    );
  });
});

function authorized({ server }: SandboxUnderTest) {
  return { headers: { authorization: `Bearer ${server.controlToken}` } };
}

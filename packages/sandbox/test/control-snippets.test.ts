import { describe, expect } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { callControl } from './control-caller.js';
import { it } from './sandbox-under-test.js';

interface Answer {
  readonly values: readonly { label: string; value: string; variable?: string }[];
  readonly env: string;
  readonly snippets: readonly { title: string; code: string }[];
}

const { community, confidentialClient, plans, publicClient } = sandboxScenario;

describe('the snippets in the control API', () => {
  it('contain the ids of the sample data without a choice, and no control token', async ({ service }) => {
    const { status, body } = await callControl<Answer>(service, 'POST /snippets', {});
    expect(status).toBe(200);
    expect(body.env).toContain(`LATCHKEY_CLIENT_SECRET=${confidentialClient.clientSecret}`);
    expect(JSON.stringify(body)).not.toContain(service.server.controlToken);
    expect(codeOf(body, 'Script tag')).toContain(confidentialClient.clientId);
    expect(codeOf(body, 'npm')).toContain(publicClient.clientId);
  });

  it('contain the chosen client, community, plan, attributes and theme', async ({ service }) => {
    const { body } = await callControl<Answer>(service, 'POST /snippets', {
      clientId: publicClient.clientId,
      communityId: sandboxScenario.otherCommunity.id,
      planId: plans.monthly.id,
      elements: {
        'latchkey-login': {
          'client-id': publicClient.clientId,
          label: 'Join "now" & <here>',
          'full-width': true,
        },
        'latchkey-plans': { backend: '/auth', community: community.id },
      },
      theme: { '--latchkey-accent': '#123456' },
    });
    const page = codeOf(body, 'Script tag');
    expect(page).toMatch(/label="Join &quot;now&quot; &amp; &lt;here>"\s+full-width\n/);
    expect(page).toContain('--latchkey-accent: #123456;');
    expect(page).toContain('/widget/latchkey-plans.js');
    expect(page).not.toContain('latchkey-gate');
    for (const title of ['npm', 'React', 'Vue', 'Svelte']) {
      expect(codeOf(body, title)).toContain("import '@latchkey/widget/plans';");
    }
    expect(codeOf(body, 'Express')).not.toContain('clientSecret');
    expect(codeOf(body, 'Client')).toContain(plans.monthly.id);
    expect(body.env).not.toContain('CLIENT_SECRET');
    expect(body.env).toContain(`LATCHKEY_COMMUNITY_ID=${sandboxScenario.otherCommunity.id}`);
  });

  it('reject unknown ids, and values that could end the style or the script', async ({ service }) => {
    for (const [body, status] of [
      [{ clientId: 'oac_000000000000000000000000' }, 404],
      [{ communityId: '5eed0000-0000-4000-8000-000000000000' }, 404],
      [{ planId: '5eed0000-0000-4000-8000-000000000000' }, 404],
      [{ theme: { '--latchkey-accent': 'red; } </style>' } }, 400],
      [{ theme: { color: 'red' } }, 400],
      [{ elements: { 'latchkey-login': { 'on click': 'x' } } }, 400],
      [{ elements: { script: {} } }, 400],
      [{ elements: { 'latchkey-login': { label: 'a\u0000b' } } }, 400],
    ] as const) {
      expect((await callControl(service, 'POST /snippets', body)).status, JSON.stringify(body)).toBe(status);
    }
    const { body } = await callControl<Answer>(service, 'POST /snippets', {
      elements: { 'latchkey-login': { label: ['$', '{alert(1)}` \\ {x} <script>'].join('') } },
    });
    for (const { code } of body.snippets) expect(code).not.toMatch(/alert\(1\)\}`|\{x\}|<script>\s*"/);
  });
});

function codeOf({ snippets }: Answer, title: string): string {
  return snippets.find((snippet) => snippet.title === title)?.code ?? '';
}

import { ButtonLink, Panel, Steps } from '@latchkey/server/ui';
import { sandboxScenario } from '../scenario/sandbox-scenario.js';
import { Outside } from './outside.js';
import type { WalkthroughPlaces } from './walkthrough-section.js';

/** Instructions for the first two minutes. The first has the page's only primary button. */
export function StartSteps({ places: { demo, shops } }: { places: WalkthroughPlaces }) {
  const shop = demo?.gate ?? shops[0]?.url;
  const { ada, ben } = sandboxScenario.users;
  const open =
    shop === undefined ? (
      <ButtonLink kind="primary" id="to-shop" href="/sign-in">
        Open the sign-in page
      </ButtonLink>
    ) : (
      <ButtonLink kind="primary" id="to-shop" href={shop} target="_blank" rel="noopener">
        <Outside text="Open the shop" />
        <span class="visually-hidden"> (opens in a new tab)</span>
      </ButtonLink>
    );
  return (
    <Panel>
      <Steps
        steps={[
          {
            id: 'shop',
            title: shop === undefined ? 'Open the sign-in page' : 'Open the shop',
            text:
              shop === undefined
                ? 'It lists the test people below.'
                : 'A demo coffee shop. Its members’ table asks you to sign in.',
            action: open,
          },
          {
            id: 'sign-in',
            title: `Sign in as ${firstNameOf(ada.name)}`,
            text: `Pick ${ada.name}: her membership opens the table. ${ben.name} has none, and can join with a test card.`,
          },
          {
            id: 'clock',
            title: 'Move the clock',
            text: 'Memberships renew and end, codes and tokens expire, within a second.',
            action: (
              <ButtonLink id="to-clock" href="#clock">
                Choose a time
              </ButtonLink>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function firstNameOf(name: string): string {
  return name.split(' ')[0] ?? name;
}

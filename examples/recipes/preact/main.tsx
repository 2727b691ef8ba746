import '@latchkey/widget/define';
import type {} from '@latchkey/widget/preact';
import { render } from 'preact';
import { useState } from 'preact/hooks';

const texts = { signIn: 'Join the table' };

function RecipePage() {
  const [greeting, setGreeting] = useState('You are not signed in.');
  return (
    <main>
      <h1>Latchkey in Preact</h1>
      <latchkey-login
        client-id="oac_5c5c5c5c5c5c5c5c5c5c5c5c"
        service-url="http://127.0.0.1:4400"
        callback-url="http://127.0.0.1:4400/widget/callback/oac_5c5c5c5c5c5c5c5c5c5c5c5c"
        backend="/auth"
        messages={texts}
        onlatchkey-signed-in={({ detail }) => setGreeting(`Hello ${detail.user?.email ?? 'there'}`)}
        onlatchkey-signed-out={() => setGreeting('You are not signed in.')}
      />
      <p id="greeting">{greeting}</p>
      <latchkey-gate backend="/auth" community="5eed0000-0000-4000-8000-0000000000c0">
        <p>Members see this.</p>
        <p slot="locked">
          This part is for members. <a href="/join">Join</a>
        </p>
      </latchkey-gate>
    </main>
  );
}

const root = document.querySelector('#root');
if (root) render(<RecipePage />, root);

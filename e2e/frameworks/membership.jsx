'use client';

import { useState } from 'react';

export function Membership() {
  const [count, setCount] = useState(0);
  return (
    <main>
      <latchkey-login
        client-id="oac_c0ffee00c0ffee00c0ffee00"
        service-url="http://127.0.0.1:4400"
        callback-url="http://127.0.0.1:4400/widget/callback/oac_c0ffee00c0ffee00c0ffee00"
        backend="/auth"
      />
      <latchkey-gate backend="/auth" community="5eed0000-0000-4000-8000-0000000000c0">
        <p>Members see this.</p>
        <p slot="locked">This part is for members.</p>
      </latchkey-gate>
      <latchkey-gate backend="/auth" community="5eed0000-0000-4000-8000-0000000000c0" src="/members">
        <p slot="locked">This part is for members.</p>
      </latchkey-gate>
      <button type="button" onClick={() => setCount(count + 1)}>
        Pressed {count}
      </button>
    </main>
  );
}

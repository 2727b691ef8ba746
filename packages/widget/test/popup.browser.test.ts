import { expect } from 'chai';
import '../src/define.js';

describe('smoke', () => {
  it('signs in', async () => {
    const login = document.createElement('latchkey-login');
    login.clientId = 'oac_good';
    login.serviceUrl = location.origin.replace('localhost', '127.0.0.1');
    document.body.append(login);
    await login.updateComplete;
    login.signIn();
    await new Promise((r) => login.addEventListener('latchkey-signed-in', r));
    await login.updateComplete;
    expect(login.shadowRoot?.textContent).to.contain('ada@example.com');
  });
});

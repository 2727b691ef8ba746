import { expect } from 'chai';

describe('the entries', () => {
  it('with classes, session and testing tools register nothing, and define registers both elements once', async () => {
    await import('../src/index.js');
    await import('../src/session/index.js');
    await import('../src/testing.js');
    expect(customElements.get('latchkey-login')).to.equal(undefined);
    expect(customElements.get('latchkey-gate')).to.equal(undefined);
    const { LatchkeyGate, LatchkeyLogin } = await import('../src/define.js');
    expect(customElements.get('latchkey-login')).to.equal(LatchkeyLogin);
    expect(customElements.get('latchkey-gate')).to.equal(LatchkeyGate);
  });
});

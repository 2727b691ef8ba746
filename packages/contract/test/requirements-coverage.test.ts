import { REQUIREMENTS, type Requirement } from '@latchkey/contract';
import { describe, expect, it } from 'vitest';
import { citedIds, readCitations } from './citations.js';

const requirements: readonly Requirement[] = REQUIREMENTS;
const citations = readCitations();

/** Only tests that talk to the running service show that it keeps a rule; a schema does not. */
const provenByServer = new Set(
  citations.filter(({ file }) => /^(?:packages\/server|e2e)\//.test(file)).map(({ id }) => id),
);
/** What a caller has to do is shown by the packages that call, or end to end. */
const provenByCallers = new Set(
  citations
    .filter(({ file }) => /^(?:packages\/(?:client|express|oauth|widget)|e2e)\//.test(file))
    .map(({ id }) => id),
);

describe('requirements', () => {
  it('have ids of their own, in the form area.rule-in-kebab-case', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+(?:-[a-z0-9]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  it('say in one sentence what holds, and where the spec says so', () => {
    expect(requirements.filter(({ text }) => !/^\S+ .* .*\.$/.test(text)).map(({ id }) => id)).toEqual([]);
    expect(requirements.filter(({ section }) => section === '')).toEqual([]);
  });

  it('exist wherever a test cites one', () => {
    const ids = new Set(requirements.map(({ id }) => id));
    expect(citations.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  it('that the service has to keep are shown on the running service, each by a test that cites it', () => {
    const unproven = requirements.filter(({ side, id }) => side !== 'caller' && !provenByServer.has(id));
    expect(unproven.map(({ id }) => id)).toEqual([]);
  });

  it('that callers have to keep are shown on their side, each by a test that cites it', () => {
    const unproven = requirements.filter(({ side, id }) => side !== 'server' && !provenByCallers.has(id));
    expect(unproven.map(({ id }) => id)).toEqual([]);
  });
});

describe('citations', () => {
  it('are ids in brackets at the end of a name, one or several', () => {
    const [one, two] = ['authorize.state-max-length', 'token.code-grant'];
    expect(citedIds(`it('refuses [${one}]', f); it.each(x)("does [${one}] [${two}]", f)`)).toEqual([
      one,
      one,
      two,
    ]);
    expect(citedIds(`it(\`takes \${n} characters [${two}]\`, f)`)).toEqual([two]);
  });

  it('are not element accesses', () => {
    expect(citedIds('rows[index.value] = names[user.id];')).toEqual([]);
  });
});

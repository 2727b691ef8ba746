import { expect } from 'chai';
import { type CSSResult, LitElement } from 'lit';
import '../src/define.js';
import type { SessionSnapshot } from '../src/session/index.js';
import { eventsBetween } from '../src/state/widget-events.js';
import { createStillSession, loginStates } from '../src/testing.js';

interface Described {
  tagName?: 'latchkey-login' | 'latchkey-gate';
  attributes: { name: string; fieldName?: string; type?: { text: string } }[];
  members: { kind: 'field' | 'method'; name: string }[];
  events?: { name: string }[];
  slots: { name: string }[];
  cssParts: { name: string }[];
  cssProperties: { name: string }[];
}

/** Members for the browser, for Lit and for subclasses. */
const INTERNAL = [
  'constructor',
  'connectedCallback',
  'disconnectedCallback',
  'update',
  'willUpdate',
  'render',
  'sessionSettings',
  'sessionChanged',
  'showState',
];

let described: Described[] = [];

before(async () => {
  const { modules } = await (await fetch('/packages/widget/custom-elements.json')).json();
  described = (modules as { declarations: Described[] }[]).flatMap(({ declarations }) => declarations);
});

const manifestOf = (tag: string) => described.find(({ tagName }) => tagName === tag) as Described;
const names = (list: { name: string }[] = []) => list.map(({ name }) => name).sort();
const set = (list: Iterable<string>) => [...new Set(list)].sort();

for (const tag of ['latchkey-login', 'latchkey-gate'] as const) {
  describe(`the manifest of <${tag}>`, () => {
    const Class = customElements.get(tag) as typeof LitElement & { styles: CSSResult[] };
    const styles = Class.styles.join('\n');
    afterEach(() => document.body.replaceChildren());

    /** Everything in the element's shadow, over all of its states. */
    async function everything(): Promise<Element[]> {
      const found: Element[] = [];
      for (const snapshot of Object.values<SessionSnapshot>(loginStates)) {
        const element = document.createElement(tag);
        element.session = createStillSession(snapshot);
        document.body.append(element);
        await element.updateComplete;
        element.shadowRoot?.querySelector<HTMLElement>('[aria-expanded]')?.click();
        await element.updateComplete;
        found.push(...(element.shadowRoot?.querySelectorAll('*') ?? []));
      }
      return found;
    }

    it('names every attribute that the class observes or its styles look at, and no other', () => {
      const styled = [...styles.matchAll(/\[([\w-]+)[\]=]/g)].map(([, name = '']) => name);
      const own = styled.filter((name) => styles.includes(`:host([${name}`) && name !== 'hidden');
      expect(names(manifestOf(tag).attributes)).to.deep.equal(set([...Class.observedAttributes, ...own]));
    });

    it('names a property for each attribute that has one, and they reflect each other', async () => {
      const element = document.createElement(tag) as unknown as LitElement & Record<string, unknown>;
      element.session = createStillSession(loginStates['signed out']);
      document.body.append(element);
      const reflected = manifestOf(tag).attributes.filter(({ fieldName }) => fieldName);
      expect(reflected.length).to.be.greaterThan(9);
      for (const { name, fieldName = '', type } of reflected) {
        if (type?.text.startsWith('MembershipNames')) {
          element[fieldName] = { id: 'a' };
          await element.updateComplete;
          expect(element.getAttribute(name), name).to.equal('{"id":"a"}');
          element.setAttribute(name, '{"id":"b"}');
          expect(element[fieldName], fieldName).to.deep.equal({ id: 'b' });
          continue;
        }
        const [first, second] = type?.text === 'boolean' ? [true, false] : ['a', 'b'];
        element[fieldName] = first;
        await element.updateComplete;
        expect(element.getAttribute(name), name).to.equal(first === true ? '' : first);
        if (second === false) element.removeAttribute(name);
        else element.setAttribute(name, `${second}`);
        expect(element[fieldName], fieldName).to.equal(second);
      }
    });

    it('names every public property and method that the element adds to LitElement, and no other', () => {
      const members: string[] = [];
      for (
        let prototype = customElements.get(tag)?.prototype;
        prototype && prototype !== LitElement.prototype;
        prototype = Object.getPrototypeOf(prototype)
      )
        members.push(...Object.getOwnPropertyNames(prototype));
      expect(names(manifestOf(tag).members)).to.deep.equal(
        set(members.filter((name) => !INTERNAL.includes(name) && !name.startsWith('_'))),
      );
    });

    it('names every slot, and no other', async () => {
      const slots = (await everything()).filter((element) => element instanceof HTMLSlotElement);
      const others = tag === 'latchkey-login' ? ['checking', 'signed-out'] : [];
      // Without a label of the page's own, the slot for it has a name that no child has.
      const named = slots.map(({ name }) => (name === '-' ? '' : name));
      expect(set(named).filter((name) => !others.includes(name))).to.deep.equal(names(manifestOf(tag).slots));
    });

    it('names every part, and no other', async () => {
      const parts = (await everything()).flatMap(({ part }) => [...part]);
      expect(set(parts)).to.deep.equal(names(manifestOf(tag).cssParts));
    });

    it('names every custom property that its styles read, and no other', () => {
      const read = [...styles.matchAll(/var\((--latchkey-[\w-]+)/g)].map(([, name = '']) => name);
      expect(names(manifestOf(tag).cssProperties)).to.deep.equal(set(read));
    });
  });
}

it('the manifest of <latchkey-login> names every event, and no other', () => {
  const snapshots = Object.values<SessionSnapshot>(loginStates);
  const told = snapshots.flatMap((before) =>
    snapshots.flatMap((after) => eventsBetween(before, after).map(([type]) => type)),
  );
  expect(set(told)).to.deep.equal(names(manifestOf('latchkey-login').events));
});

it('the manifest of <latchkey-gate> names its event', () => {
  expect(names(manifestOf('latchkey-gate').events)).to.deep.equal(['latchkey-error']);
});

it('the manifest of <latchkey-gate> says that product-type alone is cosmetic', () => {
  const gate = manifestOf('latchkey-gate') as Described & { description: string };
  const about = (gate.attributes as { name: string; description?: string }[]).find(
    ({ name }) => name === 'product-type',
  );
  for (const text of [gate.description, about?.description])
    expect(text)
      .to.match(/cosmetic/)
      .and.to.match(/members of any\s+seller/);
});

// Templates are compiled in the browser here; a project made by the Angular CLI compiles them ahead and leaves this out.
import '@angular/compiler';
import '@latchkey/widget/define';
import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import type { SessionSnapshot } from '@latchkey/widget';

@Component({
  selector: 'recipe-page',
  // Angular checks the names in templates against what it knows; this says that custom elements are not its own.
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <h1>Latchkey in Angular</h1>
      <latchkey-login
        client-id="oac_5c5c5c5c5c5c5c5c5c5c5c5c"
        service-url="http://127.0.0.1:4400"
        [messages]="texts"
        (latchkey-signed-in)="greet($event)"
        (latchkey-signed-out)="forget()"
      ></latchkey-login>
      <p id="greeting">{{ greeting() }}</p>
      <latchkey-gate product-type="community">
        <p>Members see this.</p>
        <p slot="locked">This part is for members. <a href="/join">Join</a></p>
      </latchkey-gate>
    </main>
  `,
})
class RecipePage {
  readonly texts = { signIn: 'Join the table' };
  readonly greeting = signal('Nobody is signed in.');

  greet({ detail }: CustomEvent<SessionSnapshot>): void {
    this.greeting.set(`Hello ${detail.user?.email ?? 'there'}`);
  }

  forget(): void {
    this.greeting.set('Nobody is signed in.');
  }
}

await bootstrapApplication(RecipePage);

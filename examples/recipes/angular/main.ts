// Compiles templates in the browser. Projects of the Angular CLI compile them at build time and do not need this import.
import '@angular/compiler';
import '@latchkey/widget/define';
import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import type { SessionSnapshot } from '@latchkey/widget';

@Component({
  selector: 'recipe-page',
  // Allows custom elements, which Angular would otherwise reject as unknown components.
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <h1>Latchkey in Angular</h1>
      <latchkey-login
        client-id="oac_5c5c5c5c5c5c5c5c5c5c5c5c"
        service-url="http://127.0.0.1:4400"
        callback-url="http://127.0.0.1:4400/widget/callback/oac_5c5c5c5c5c5c5c5c5c5c5c5c"
        backend="/auth"
        [messages]="texts"
        (latchkey-signed-in)="greet($event)"
        (latchkey-signed-out)="forget()"
      ></latchkey-login>
      <p id="greeting">{{ greeting() }}</p>
      <latchkey-gate backend="/auth" community="5eed0000-0000-4000-8000-0000000000c0">
        <p>Members see this.</p>
        <p slot="locked">This part is for members. <a href="/join">Join</a></p>
      </latchkey-gate>
    </main>
  `,
})
class RecipePage {
  readonly texts = { signIn: 'Join the table' };
  readonly greeting = signal('You are not signed in.');

  greet({ detail }: CustomEvent<SessionSnapshot>): void {
    this.greeting.set(`Hello ${detail.user?.email ?? 'there'}`);
  }

  forget(): void {
    this.greeting.set('You are not signed in.');
  }
}

await bootstrapApplication(RecipePage);

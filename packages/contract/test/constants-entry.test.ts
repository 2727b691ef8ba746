import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as contract from '@latchkey/contract';
import * as constants from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';

const IMPORT = /^(?:import|export)\s+(?:[\w\s{},*]+\s+from\s+)?['"]([^'"]+)['"];?$/gm;

/** Every module that a built file imports, by following its relative imports. */
function importedModules(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    if (specifier.startsWith('.')) importedModules(resolve(dirname(file), specifier), seen);
    else seen.add(specifier);
  }
  return seen;
}

function entry(specifier: string): string {
  return new URL(import.meta.resolve(specifier)).pathname;
}

describe('the constants entry', () => {
  it('imports neither zod nor a Node module', () => {
    const modules = [...importedModules(entry('@latchkey/contract/constants'))];
    expect(modules.length).toBeGreaterThan(5);
    expect(modules.filter((module) => !module.startsWith('/'))).toEqual([]);
  });

  it('is told apart from the main entry, which needs zod and nothing else', () => {
    const modules = [...importedModules(entry('@latchkey/contract'))];
    expect(modules.filter((module) => !module.startsWith('/'))).toEqual(['zod']);
  });

  it('shows nothing that the main entry does not show as well', () => {
    for (const [name, value] of Object.entries(constants)) {
      expect(contract, name).toHaveProperty(name, value);
    }
  });

  it('holds the limits of the spec [credentials.code-lifetime] [credentials.access-token-lifetime] [credentials.refresh-token-lifetime] [authorize.state-max-length] [authorize.challenge-length] [token.verifier-length] [buy-plan.utm-source-max-length] [invite-link.lifetime] [webhook.answer-in-time] [provision.messenger-user-id-min] [webhook.secret-format]', () => {
    expect(constants).toMatchObject({
      AUTHORIZATION_CODE_LIFETIME_SECONDS: 60,
      ACCESS_TOKEN_LIFETIME_SECONDS: 3600,
      REFRESH_TOKEN_LIFETIME_SECONDS: 2_592_000,
      STATE_MAX_LENGTH: 1024,
      PKCE_MIN_LENGTH: 43,
      PKCE_MAX_LENGTH: 128,
      UTM_SOURCE_MAX_LENGTH: 100,
      INVITE_LINK_LIFETIME_SECONDS: 86_400,
      WEBHOOK_RESPONSE_TIMEOUT_SECONDS: 10,
      MESSENGER_USER_ID_MIN: 1,
      WEBHOOK_SECRET_LENGTH: 64,
    });
  });
});

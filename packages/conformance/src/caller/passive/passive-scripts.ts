import { apiKeyFailureScripts, unknownFieldsScript } from '../scripts/api-key-scripts.js';
import {
  codeRejectedScript,
  insufficientScopeScript,
  invalidTokenScript,
  REFRESH_REJECTED_SCRIPTS,
  refreshDownScript,
  STATE_SCRIPTS,
} from '../scripts/oauth-scripts.js';
import { ordinaryScript, type Script } from '../service/script.js';
import {
  membership,
  newVisitor,
  ODD_TOKENS,
  PLAIN_TOKENS,
  type ScriptedService,
} from '../service/scripted-service.js';

/** A behaviour of the service that a developer selects while using the client by hand. */
export interface PassiveScript {
  readonly name: string;
  /** Sets the behaviour. */
  readonly apply: (service: ScriptedService) => void;
}

/** Behaviours by name. Several use the ordinary answers and other data. */
export const PASSIVE_SCRIPTS: readonly PassiveScript[] = [
  answering(() => ordinaryScript),
  answering(unknownFieldsScript),
  data('odd tokens', (service) => {
    service.newToken = ODD_TOKENS;
  }),
  data('null email', (service) => {
    service.visitor = newVisitor({ email: null });
  }),
  data('lifetime membership', (service) => {
    service.visitor = newVisitor({ memberships: [membership({ validUntil: null })] });
  }),
  data('no membership', (service) => {
    service.visitor = newVisitor({ memberships: [] });
  }),
  data('short tokens', (service) => {
    service.accessTokenSeconds = 20;
  }),
  data('origin refused', (service) => {
    service.allowOrigins(false);
  }),
  ...[...STATE_SCRIPTS, codeRejectedScript, ...REFRESH_REJECTED_SCRIPTS].map((script) =>
    answering(() => script),
  ),
  ...[refreshDownScript, insufficientScopeScript].map((script) => answering(() => script)),
  answering(invalidTokenScript),
  ...apiKeyFailureScripts().map(answering),
];

function answering(create: () => Script): PassiveScript {
  return {
    name: create().name,
    apply(service) {
      restore(service);
      service.script = create();
    },
  };
}

function data(name: string, change: (service: ScriptedService) => void): PassiveScript {
  return {
    name,
    apply(service) {
      restore(service);
      service.script = { ...ordinaryScript, name };
      change(service);
    },
  };
}

function restore(service: ScriptedService): void {
  service.allowOrigins(true);
  service.newToken = PLAIN_TOKENS;
  service.accessTokenSeconds = 3600;
  service.visitor = newVisitor();
}

import type { CommandDefinition } from '../command-line/command.js';
import { doctorSettings } from './doctor-settings.js';

export const doctorCommand: CommandDefinition<typeof doctorSettings> = {
  name: 'doctor',
  summary: 'Finds what is wrong with your site, its backend and the service.',
  settings: doctorSettings,
  examples: [
    'latchkey doctor --site https://shop.example --service https://service.example',
    'latchkey doctor --site http://localhost:4402 --service http://127.0.0.1:4400 --project . --fix',
    'latchkey doctor --service https://service.example',
    'latchkey doctor --service https://service.example --service-names \'{"messenger":"telegram"}\' --json',
    'latchkey doctor --service https://service.example --client-id oac_a1b2c3d4e5f60718293a4b5c \\',
    '  --redirect-uri https://shop.example/auth/callback --origin https://shop.example',
    'latchkey doctor --service https://service.example --webhook-body body.json --webhook-signature 5257a869…',
    'latchkey doctor --payments stripe --stripe-mode live --service https://members.example',
  ],
  notes:
    'With --site or --project, it prints findings with their remedies, or "All fine.". "latchkey explain <finding>" explains each of them. Without, it checks the service: docs/live-service.md explains each check, and the specification each rule. With --payments stripe, it checks the values of Stripe, the webhook endpoint in your account, and sends your service one webhook that reports nothing. The exit code is 0 if nothing is wrong except for warnings, 1 if something is, 2 for an error in the command line. A site receives GET requests only, and a service also OPTIONS requests and one token request with a made-up client. Only --fix and --send-event change something, in a sandbox.',
  async run(settings, output) {
    const { service, site, project, payments } = settings;
    if (service !== undefined && payments !== undefined) {
      const { runStripeDoctor } = await import('./stripe-doctor.js');
      return await runStripeDoctor({ ...settings, service }, output);
    }
    if (service !== undefined && site.length === 0 && project === undefined) {
      const { runServiceDoctor } = await import('./service-doctor.js');
      return await runServiceDoctor({ ...settings, service }, output);
    }
    const { runSiteDoctor } = await import('./site-doctor.js');
    return await runSiteDoctor(settings, output);
  },
};

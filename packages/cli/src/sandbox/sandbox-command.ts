import type { CommandDefinition } from '../command-line/command.js';
import { runService } from '../service/run-service.js';
import { sandboxSettings } from './sandbox-settings.js';

/** `latchkey sandbox` */
export const sandboxCommand: CommandDefinition<typeof sandboxSettings> = {
  name: 'sandbox',
  summary: 'Runs a sandbox for developers: sample data, a mailbox page, a clock that you can move.',
  settings: sandboxSettings,
  examples: [
    'latchkey sandbox',
    'latchkey sandbox --scenario busy-shop',
    'latchkey sandbox --site https://shop.example --database sqlite:./sandbox.sqlite',
  ],
  notes:
    'Anyone who can reach the sandbox can sign in as any of its users. Payments are simulated, and no mail leaves the process.',
  async run({ database, site, scenario, allowPublic, controlToken, smtpUrl: _, ...settings }, output) {
    const { seedSandbox, startSandbox } = await import('@latchkey/sandbox');
    const { startText } = await import('./start-text.js');
    return await runService({
      settings,
      output,
      start: (options) =>
        startSandbox({
          ...options,
          allowPublic,
          ...(database !== undefined && { database }),
          ...(controlToken !== undefined && { controlToken }),
        }),
      async onListening(sandbox) {
        if (scenario !== 'empty') {
          await seedSandbox(sandbox, { scriptTagShop: site, backendShop: site });
          await sandbox.control.scenarios.add(scenario);
        }
        sandbox.guide.shops = [{ label: 'Your site', url: site }];
        output.warn(
          startText(sandbox, {
            site,
            hasSampleData: scenario !== 'empty',
            isInMemory: database === undefined,
          }),
        );
      },
    });
  },
};

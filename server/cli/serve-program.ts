import { Command } from 'commander';
import { RELEASE } from '../config/release.ts';
import { addServeCommands } from './commands/serve.ts';

/** Commands that run a gateway, which runs for days and needs none of the others in its memory. */
export const SERVING: readonly (string | undefined)[] = ['serve', 'start'];

/** Creates `faxdesk` with the commands that run a gateway; `after` follows the help of the program. */
export function createServeProgram(after = ''): Command {
  const program = new Command('faxdesk')
    .description('Fax gateway for an office workstation.')
    .version(RELEASE)
    .option('--url <address>', 'the gateway, e.g. http://192.168.1.20:8080')
    .option('--key <key>', 'an API key')
    .option('--data <folder>', 'the data folder of a gateway on this computer')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', after)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(faxdesk --help shows every command)');
  addServeCommands(program);
  return program;
}

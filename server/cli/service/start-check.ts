import { CommandFailure, EXIT } from '../exit-codes.ts';
import { terminal } from '../terminal.ts';
import { type ServiceSystem, thisSystem } from './service-system.ts';
import { carryOutTrustStep } from './trusted-folder.ts';
import { ownerSteps } from './windows.ts';

/**
 * Checks the data folder at the start of the service of Windows: where it was deleted, each account can make it anew in
 * `ProgramData`, with settings. Throws CommandFailure for one that is missing or not of an administrator; one whose owner cannot be
 * read passes, with a note.
 */
export async function requireServiceFolder(
  dataFolder: string,
  system: ServiceSystem = thisSystem(),
): Promise<void> {
  if (system.platform !== 'win32') return;
  // One that the gateway made itself would be open to files of other accounts.
  if (system.entry(dataFolder) === null)
    throw new CommandFailure(
      `There is no folder ${dataFolder}, so the service does not start. As administrator run: faxdesk service create`,
      EXIT.notFound,
    );
  try {
    for (const step of ownerSteps(dataFolder, system.windows)) await carryOutTrustStep(system, step);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    // No account but an administrator can keep the question from being answered, and faxes must arrive.
    if (error.exitCode !== EXIT.notAllowed) return terminal.note(error.message);
    throw new CommandFailure(
      `${dataFolder} is a link or belongs to an account that is no administrator, so the service does not start. Look at it, move it away, and as administrator run: faxdesk service create`,
      EXIT.broken,
    );
  }
}

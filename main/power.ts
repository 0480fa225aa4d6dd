import { powerMonitor, powerSaveBlocker } from 'electron';
import type { OwnGateway } from './gateway.ts';

/**
 * While a fax is being handed over the computer does not fall asleep by itself. When it is put to sleep, or ends, the
 * gateway takes no new work and finishes that fax, for as long as the system lets it: 10 s at most.
 */
export function watchPower(gateway: OwnGateway, quit: () => void): void {
  let blocker: number | null = null;
  gateway.on('submitting', (submitting) => {
    if (submitting && blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension');
    if (submitting || blocker === null) return;
    powerSaveBlocker.stop(blocker);
    blocker = null;
  });
  powerMonitor.on('suspend', () => void gateway.suspend());
  powerMonitor.on('resume', () => gateway.resume());
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    quit();
  });
}

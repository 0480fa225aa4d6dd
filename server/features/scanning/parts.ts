import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { PrintingService } from '../printing/service.ts';
import type { PageFile, Scan } from './scan.ts';
import type { Scanners } from './scanner-port.ts';

export interface ScanningParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scanners: Scanners;
  /** Addresses of the scanners, in the order of the settings. */
  readonly addresses: () => readonly string[];
  /** Keeps finished scans. */
  readonly printing: Pick<PrintingService, 'keepScan'>;
  /** Creates a file for a page. */
  readonly newFile: () => PageFile;
  /** Largest document in bytes. */
  readonly maxFileBytes: () => number;
  /** Search in the network under way, which all who search meanwhile share. */
  searching: ReturnType<Scanners['search']> | null;
  /** Scans under way, by their IDs. */
  readonly scans: Map<string, Scan>;
}

import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { PrintingService } from '../printing/service.ts';
import type { PageFile, Scan } from './scan.ts';
import type { FoundScanner, ScannerIdentity, Scanners } from './scanner-port.ts';

/** Result of a search in the network. */
interface NetworkSearch {
  readonly found: readonly FoundScanner[];
  /** Scanners of the settings, by their addresses. */
  readonly saved: ReadonlyMap<string, ScannerIdentity>;
}

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
  searching: Promise<NetworkSearch> | null;
  /** Scans under way, by their IDs. */
  readonly scans: Map<string, Scan>;
}

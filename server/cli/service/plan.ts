/** Service of this computer, as it is to be. */
export interface ServiceSpec {
  /** Folder with the gateway that the installer brought. */
  readonly program: string;
  readonly dataFolder: string;
  /** Null for the usual one. */
  readonly port: number | null;
  /** True where no gateway has worked on the data folder: the first start then opens HTTPS for this computer. */
  readonly isNew: boolean;
  readonly found: FoundFolder;
}

/** The data folder before the service is made: none, that of the service, or another one, which any account may have made. */
export type FoundFolder = 'none' | 'own' | 'other';

/** Words of the gateway after its program, up to the data folder. */
export const SERVE = ['serve', '--as-service'] as const;

/** Options of Node.js for a gateway. */
export const NODE_OPTIONS = ['--max-semi-space-size=2'] as const;

/** First settings of a service: the windows of this computer reach it over HTTPS, and other computers do not. */
export const FIRST_SETTINGS = 'HTTPS_ENABLED=true\nHTTPS_HOST=127.0.0.1\n';

/** File beside the program of the service, which `faxdesk` there reads: it names the data folder. */
export const commandSettings = (dataFolder: string): string => `FAXDESK_DATA=${dataFolder}\n`;

/** Seconds before a gateway that failed is started again. */
export const RESTART_SECONDS = 15;
/** Seconds for a stop before the processes are ended. */
export const STOP_SECONDS = 30;
